"""The page's TypeScript types, written from the server's messages and from the fields that the games declare.

``python -m diamonds.server.api.typescript`` prints them; ``web/src/client/types.ts`` is that text, and a test holds the two together.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from msgspec import inspect

from diamonds import fields
from diamonds.fields import PUBLIC, Field
from diamonds.game import GAMES
from diamonds.server.api import accounts, analysis, catalog, lobby, moderation, notifications, records, tables

FILE_HEADER = """// Written by `python -m diamonds.server.api.typescript`; a test fails when it is not. Change the Python, then run `make types`.
"""

MESSAGE_REF_TYPE = "export type MessageRef = [id: string, args: Record<string, any>]\n"

# How each kind of field is written as data (see `views.view_data`).
KIND_TYPES = {
    fields.NUMBER: "number",
    fields.FLAG: "boolean",
    fields.SEAT: "number | null",
    fields.SUIT: "Suit | null",
    fields.SUITS: "Suit[]",
    fields.CARD: "string | null",
    fields.CARDS: "string[]",
    fields.TRICK: "string[]",
    fields.PILE_OWNERS: "number | null",
}


def typescript() -> str:
    """The whole of ``types.ts``."""
    members = [
        kind
        for module in (catalog, tables, records, analysis, accounts, lobby, moderation, notifications)
        for kind in vars(module).values()
    ]
    structs = [
        kind
        for kind in dict.fromkeys(kind for kind in members if isinstance(kind, type))
        if issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct
    ]
    parts = [FILE_HEADER, "export type Suit = 'D' | 'H' | 'S' | 'C'\n"]
    parts += ["/** A sentence: its id in the catalogues, and its values. */", MESSAGE_REF_TYPE]
    parts += [_struct(kind) for kind in structs]
    parts += [_view(game.name, game.fields) for game in GAMES.values()]
    return "\n".join(parts)


def _struct(kind: type[msgspec.Struct]) -> str:
    """One message as an interface; a field with a default may be left out of a request, and of news."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    request = kind.__struct_config__.forbid_unknown_fields or kind.__struct_config__.omit_defaults
    lines = [f"/** {_summary(kind.__doc__)} */", f"export interface {kind.__name__} {{"]
    for item in described.fields:
        optional = "?" if request and not item.required else ""
        lines.append(f"  {item.encode_name}{optional}: {_type(item.type)}")
    return "\n".join([*lines, "}", ""])


def _summary(doc: str | None) -> str:
    """The first sentence of a docstring, on one line, in TypeScript's quotes."""
    text = " ".join((doc or "").split("\n\n")[0].split())
    return text.replace("``", "`")


def _type(kind: inspect.Type) -> str:
    """A msgspec type in TypeScript."""
    match kind:
        case inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.UnionType(types=types):
            return " | ".join(_type(member) for member in types)
        case inspect.ListType(item_type=item):
            inner = _type(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.DictType(value_type=value):
            return f"Record<string, {_type(value)}>"
        case inspect.TupleType():  # a sentence: its id and its values
            return "MessageRef"
        case inspect.LiteralType(values=values):
            return " | ".join(f"'{value}'" for value in values)
        case inspect.StrType():
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType():
            return "any"
    raise TypeError(f"There is no TypeScript for {kind}.")


def _view(name: str, declared: tuple[Field, ...]) -> str:
    """A game's view as an interface: what a seat may not see is ``null``."""
    lines = [f"/** What a seat sees of {name}. */", f"export interface {name.capitalize()}View {{"]
    computed: dict[str, Any] = {"to_act": "number[]", "question": "string | null"}
    for field in declared:
        if field.is_derived:
            continue
        kind = KIND_TYPES[field.kind]
        hidden = " | null" if field.visibility != PUBLIC and "null" not in kind else ""
        kind = computed.get(field.name, kind + hidden)
        if field.name not in computed and field.kind != fields.TRICK:
            for _ in field.shape:
                kind = f"({kind})[]" if " | " in kind else f"{kind}[]"
        lines += [f"  /** {field.description} */", f"  {field.name}: {kind}"]
    lines += ["  /** the team of each seat, by its lowest seat */", "  team: number[]"]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    sys.stdout.write(typescript())
