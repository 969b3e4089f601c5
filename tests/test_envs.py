"""The adapters for other frameworks: the examples in their modules and on their page run."""

import doctest
import re
from pathlib import Path

import pytest

from diamonds.envs import batch, gymnasium, openspiel, pettingzoo, planes

pytestmark = pytest.mark.kernels

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("module", [batch, planes, pettingzoo, gymnasium, openspiel])
def test_example_at_the_head_of_an_adapter_runs(module):
    found = doctest.testmod(module)
    assert found.failed == 0
    assert found.attempted > 3


def test_examples_of_the_envs_page_run():
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", (DOCS / "envs.md").read_text(encoding="utf-8"), re.S))
    found = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(examples, {}, "envs.md", None, None))
    assert found.failed == 0
    assert found.attempted > 20
