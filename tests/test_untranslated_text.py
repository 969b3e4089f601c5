"""What players are told stands in the catalogues: no Python source outside `words/` holds a sentence for them.

Not for players: what the command line explains of itself and what a host is told, the lab, what developers read (docstrings,
what fields mean, what the document of the API says, errors of Python's own kinds, the log), and what programs read.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

import pytest

from tests.test_i18n import SOURCE

pytestmark = pytest.mark.later

EXEMPT_PATHS = (
    "words/",
    "lab/",
    "envs/",
    "wasm/",
    "cli/",  # its help
    "server/cluster/supervisor.py",
    "server/sockets.py",
    "server/reload.py",
    "server/metrics/json_output.py",
    "server/uvicorn_server.py",
    "server/main.py",  # what the host is told, as is what is wrong with what is stored:
    "server/storage/",
    "server/tables/core/loading.py",
    "server/http/collect_metrics.py",  # and whoever looks after the server
    "server/moderation/maintenance.py",  # and whoever checks it
    "server/api/typescript.py",
)
DOCUMENTING_KEYWORDS = {"help", "summary", "description", "title", "meaning"}
SEVERAL_WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}")
EXEMPT_TEXTS = re.compile(  # and what a process that failed leaves for the log
    r"^(it ended with |diamonds record \d|bold reverse ?|sign in| of address|attachment; filename=\"[\w.-]*\"?|; HttpOnly; SameSite=Lax|.*\bimport \w.*)$",
    re.DOTALL,
)


def is_builtin_error(called: ast.expr) -> bool:
    """Whether an error is of Python's own kinds, and none of ours, of which people are told."""
    return isinstance(called, ast.Name) and called.id.endswith("Error") and hasattr(builtins, called.id)


def is_not_for_players(node: ast.AST) -> bool:
    """Whether what stands within is read by others than players."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert():  # a docstring, or what cannot be
            return True
        case ast.keyword(arg=name) | ast.Assign(targets=[ast.Attribute(attr=name)]):
            return name in DOCUMENTING_KEYWORDS
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))) | ast.Call(func=ast.Name(id="Field")):
            return True
        case ast.Call(func=called):
            return is_builtin_error(called)
    return False


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Every string of several words that a player may read, with its line."""
    tree = ast.parse(text)
    others = {id(inner) for node in ast.walk(tree) if is_not_for_players(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        text_of = node.value if isinstance(node, ast.Constant) and id(node) not in others else None
        if isinstance(text_of, str) and SEVERAL_WORDS.search(text_of) and not EXEMPT_TEXTS.match(text_of):
            yield node.lineno, text_of


@pytest.mark.parametrize(
    "text",
    [
        "say('It is your turn.')",
        "raise Refused(f'There is no {card} in your hand.')",
        "title = 'A damaged table'",
        "lines += [f'{name} plays on']",
    ],
)
def test_text_in_a_python_source_is_detected(text: str) -> None:
    assert list(sentences(text)), f"A sentence would slip through: {text}"


def test_python_sources_outside_i18n_have_no_text_for_players() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE).as_posix()
        if not inside.startswith(EXEMPT_PATHS):
            wrong += [f"{inside}:{line}: {said!r}" for line, said in sentences(path.read_text(encoding="utf-8"))]
    assert not wrong, "What players read stands in src/diamonds/i18n/en.ftl:\n" + "\n".join(wrong)
