"""The page is given every catalogue in fewer letters, and says the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nodes
from diamonds import words

pytestmark = pytest.mark.later

WORDS = Path(words.__file__).parent
# Both texts as the page's own reader takes them apart.
COMPARE = """
import { readFileSync } from 'node:fs'
import { FluentResource } from '@fluent/bundle'
import { tight } from './catalogue.js'
const text = readFileSync(process.argv[1], 'utf-8')
const read = (text) => Object.fromEntries(new FluentResource(text).body.map((one) => [one.id, JSON.stringify(one)]))
const [written, given] = [read(text), read(tight(text))]
console.log(JSON.stringify({ all: Object.keys(written).length, other: Object.keys(written).filter((id) => written[id] !== given[id]) }))
"""


@pytest.mark.parametrize("language", words.languages())
def test_a_sentence_that_is_written_tighter_says_the_same(language: str) -> None:
    file = WORDS / f"{language}.ftl"
    done = nodes.run("--input-type=module", "-e", COMPARE, str(file), folder=nodes.ROOT / "web")
    assert not done.returncode, done.stderr
    told = json.loads(done.stdout)
    assert told["all"] > 500, "The catalogue is not read."
    assert not told["other"], f"The page says these otherwise than they are written: {told['other'][:5]}"
