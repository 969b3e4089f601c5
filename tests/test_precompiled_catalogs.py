"""Catalogs precompiled for the page give the same texts as Fluent."""

import json
from pathlib import Path

import pytest

from diamonds import i18n
from tests.support import node

pytestmark = pytest.mark.later

CATALOG_DIR = Path(i18n.__file__).parent
# Print each message with values for all of its cases: as Fluent formats it, and as the page does.
COMPARE_SCRIPT = """
import { readFileSync } from 'node:fs'
import { FluentBundle, FluentNumber, FluentResource } from '@fluent/bundle'
import { rolldown } from 'rolldown'
import { read } from './build-tools/catalog.js'

const bundled = await rolldown({ input: 'src/client/catalog.ts' })
const { code } = (await bundled.generate()).output[0]
const { format } = await import(`data:text/javascript,${encodeURIComponent(code)}`)

const [file, language] = process.argv.slice(1)
const text = readFileSync(file, 'utf-8')
const locale = { language, plurals: new Intl.PluralRules(language) }
const bundle = new FluentBundle(language, { useIsolating: false })
bundle.addResource(new FluentResource(text))

/** Collect the variables of a pattern with the values that its cases compare them with. */
function collect(given, found) {
  if (given === null || typeof given !== 'object') return found
  if (given.type === 'var') (found[given.name] ??= new Set())
  if (given.type === 'mesg') collect(bundle.getMessage(given.name).value, found)
  if (given.type === 'select') {
    collect(given.selector, found)
    for (const { key } of given.variants) found[given.selector.name].add(key.value)
  }
  for (const part of Object.values(given)) collect(part, found)
  return found
}
const SAMPLES = ['', 'Zo\\u00eb', 0, 1, 2, 5, 1234.5, -0.25]
const product = ([[name, values] = [], ...rest]) =>
  name ? [...values].flatMap((value) => product(rest).map((one) => ({ [name]: value, ...one }))) : [{}]
/** Return values for every case; variables without cases take all samples in turn. */
function valuesFor(variables) {
  const cases = Object.entries(variables).map(([name, keys]) => [name, new Set([...keys, ...(keys.size ? ['Zo\\u00eb', 1, 2] : [])])])
  const chosen = product(cases.filter(([, keys]) => keys.size))
  const free = cases.filter(([, keys]) => !keys.size).map(([name]) => name)
  return chosen.flatMap((one) => SAMPLES.map((_, k) => ({ ...one, ...Object.fromEntries(free.map((name, at) => [name, SAMPLES[(k + at) % SAMPLES.length]])) })))
}

const ungrouped = ([name, value]) => [name, typeof value === 'number' ? new FluentNumber(value, { useGrouping: false }) : value]
for (const [id, message] of Object.entries(JSON.parse(JSON.stringify(read(text))))) {
  const { value: pattern } = bundle.getMessage(id)
  const isNumeric = JSON.stringify(pattern).includes('"NUMBER"') // Fluent formats only numbers with decimals
  const given = valuesFor(collect(pattern, {})).filter((one) => !isNumeric || Object.values(one).every((value) => typeof value === 'number'))
  for (const values of given) {
    const written = bundle.formatPattern(pattern, Object.fromEntries(Object.entries(values).map(ungrouped)))
    console.log(JSON.stringify([id, values, written, format(message, values, locale)]))
  }
}
"""


@pytest.mark.parametrize("language", i18n.languages())
def test_precompiled_catalog_gives_the_same_text(language):
    file = CATALOG_DIR / f"{language}.ftl"
    done = node.run_node(
        "--input-type=module", "-e", COMPARE_SCRIPT, str(file), language, folder=node.REPO_ROOT / "web"
    )
    assert not done.returncode, done.stderr
    compared = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({id for id, *_ in compared}) > 500, "expected messages in the catalog"
    other = [one for one in compared if one[2] != one[3]]
    assert not other, f"These messages differ on the page: {other[:5]}"
