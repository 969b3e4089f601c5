"""Catalogs precompiled for the page give the same texts."""

import json
from pathlib import Path

import pytest

from diamonds import i18n
from tests.support import node

pytestmark = pytest.mark.later

CATALOG_DIR = Path(i18n.__file__).parent
# Print a catalog as the Fluent library reads it, and as it arrives at the page.
COMPARE_SCRIPT = """
import { readFileSync } from 'node:fs'
import { FluentResource } from '@fluent/bundle'
import { rolldown } from 'rolldown'
import { read } from './build-tools/catalog.js'
const bundled = await rolldown({ input: 'src/client/catalog.ts' })
const { code } = (await bundled.generate()).output[0]
const { resource } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
const text = readFileSync(process.argv[1], 'utf-8')
const byId = (body) => Object.fromEntries(body.map((one) => [one.id, one]))
const [written, given] = [byId(new FluentResource(text).body), byId(resource(JSON.parse(JSON.stringify(read(text)))).body)]
console.log(JSON.stringify([written, given]))
"""


@pytest.mark.parametrize("language", i18n.languages())
def test_precompiled_catalog_gives_the_same_text(language):
    file = CATALOG_DIR / f"{language}.ftl"
    done = node.run_node("--input-type=module", "-e", COMPARE_SCRIPT, str(file), folder=node.REPO_ROOT / "web")
    assert not done.returncode, done.stderr
    written, given = json.loads(done.stdout)
    assert len(written) > 500, "expected messages in the catalog"
    other = [id for id in written if written[id] != given.get(id)]
    assert not other, f"These messages differ on the page: {other[:5]}"
