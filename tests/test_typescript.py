"""The page's types match the server's messages."""

from pathlib import Path

from diamonds.server.api.typescript import typescript

TYPES = Path(__file__).parents[1] / "web" / "src" / "client" / "types.ts"


def test_typescript_types_match_the_api():
    assert TYPES.read_text(encoding="utf-8") == typescript(), "types.ts is out of date: run `make types`."
