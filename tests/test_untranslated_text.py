"""No Python source outside `i18n/` contains text for players.

Exceptions are the command line's help, messages for operators, the lab, texts for developers (docstrings, meanings of
fields, the API document, built-in errors, logs) and texts that programs read.
"""

import ast
import builtins
import re
from collections.abc import Iterator

import pytest

from tests.test_i18n import SOURCE

pytestmark = pytest.mark.later

EXEMPT_PATHS = (
    "lab/",
    "envs/",
    "wasm/",
    "cli/",  # the help of the command line
    "server/cluster/supervisor.py",
    "server/listening_sockets.py",
    "server/settings_reload.py",
    "server/metrics/json_output.py",
    "server/uvicorn_server.py",
    "server/main.py",  # messages for operators, and errors about stored data:
    "server/storage/",
    "server/tables/core/loading.py",
    "server/http/metrics_collector.py",  # for operators
    "server/moderation/maintenance.py",  # for operators who check the server
    "server/api/typescript.py",
)
DOCUMENTING_KEYWORDS = {"help", "summary", "description", "title", "meaning"}
SEVERAL_WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}")
EXEMPT_TEXTS = re.compile(  # exit statuses and store errors are for operators
    r"^(exit status |The store cannot be reached: |diamonds record \d|bold reverse ?|sign in| of address|attachment; filename=\"[\w.-]*\"?|; HttpOnly; SameSite=Lax|.*\bimport \w.*)$",
    re.DOTALL,
)


def is_not_for_players(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert():  # a docstring or an impossible case
            return True
        case ast.keyword(arg=name) | ast.Assign(targets=[ast.Attribute(attr=name)]):
            return name in DOCUMENTING_KEYWORDS
        case (
            ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "routes")))
            | ast.Call(func=ast.Name(id="Field" | "route"))
        ):
            return True
        case ast.Call(func=ast.Name(id=name)):  # a built-in error, which players never see
            return name.endswith("Error") and hasattr(builtins, name)
    return False


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield every string of several words that a player may read, with its line."""
    tree = ast.parse(text)
    others = {id(inner) for node in ast.walk(tree) if is_not_for_players(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        text_of = node.value if isinstance(node, ast.Constant) and id(node) not in others else None
        if isinstance(text_of, str) and SEVERAL_WORDS.search(text_of) and not EXEMPT_TEXTS.match(text_of):
            yield node.lineno, text_of


def test_python_sources_outside_i18n_have_no_text_for_players():
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE).as_posix()
        if not inside.startswith(EXEMPT_PATHS):
            wrong += [f"{inside}:{line}: {said!r}" for line, said in sentences(path.read_text(encoding="utf-8"))]
    assert not wrong, "Move text for players to src/diamonds/i18n/en.ftl:\n" + "\n".join(wrong)
