"""WebAssembly, byte by byte: an object file that holds everything it calls is nearly a module.

What LLVM writes for a linker lacks three things: a memory of its own, a stack in it, and names for those outside. They take the place
of two imports and of what only linkers read. Section numbers and forms are those of the WebAssembly core specification and of its
tool conventions for linking.
"""

from __future__ import annotations

from typing import NamedTuple

STACK = 1 << 18  # bytes
PAGE = 1 << 16

CUSTOM, IMPORT, MEMORY, GLOBAL, EXPORT, DATA = 0, 2, 5, 6, 7, 11
ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11)  # of sections in a module
FUNCTION_KIND, MEMORY_KIND, GLOBAL_KIND = 0, 2, 3
SYMBOLS = 8  # in the section “linking”
UNDEFINED, NAMED = 0x10, 0x40  # flags of a symbol


class Module(NamedTuple):
    """A module, and the address from which on its memory is free."""

    code: bytes
    free: int


class CannotLink(Exception):
    """An object calls something that is not in it."""


class _Reader:
    """Bytes, read from the front."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """A number in LEB128, without a sign."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def sized(self) -> bytes:
        return self.take(self.number())


def number(value: int) -> bytes:
    """LEB128; that of a number below 64 is the same with a sign."""
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def _signed(value: int) -> bytes:
    """LEB128 with a sign, of a number that is not negative."""
    found = b""
    while value > 63:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def _sized(data: bytes) -> bytes:
    return number(len(data)) + data


def _vector(entries: list[bytes]) -> bytes:
    return number(len(entries)) + b"".join(entries)


def to_module(object_file: bytes, names: list[str]) -> Module:
    """The module of an object, which offers the functions of these names and its memory as ``memory``."""
    read = _Reader(object_file)
    head, sections, places = read.take(8), {}, {}
    while read:
        kind, body = read.byte(), read.sized()
        if kind == CUSTOM:
            inside = _Reader(body)
            if inside.sized() == b"linking":
                places = _functions(inside)
        else:
            sections[kind] = body
    _no_imports(sections.pop(IMPORT))
    stack_end = (_end_of_data(sections.get(DATA, b"\0")) + STACK + 15) // 16 * 16
    pages = -(-stack_end // PAGE) + 1
    sections[MEMORY] = _vector([b"\0" + number(pages)])
    stack_pointer = b"\x7f\x01\x41" + _signed(stack_end) + b"\x0b"  # i32, mutable, i32.const …, end
    if GLOBAL in sections:
        raise CannotLink("an object has globals of its own")
    sections[GLOBAL] = _vector([stack_pointer])
    offered = [_sized(name.encode()) + bytes([FUNCTION_KIND]) + number(places[name]) for name in names]
    sections[EXPORT] = _vector([*offered, _sized(b"memory") + bytes([MEMORY_KIND, 0])])
    code = b"".join(bytes([kind]) + _sized(sections[kind]) for kind in ORDER if kind in sections)
    return Module(head + code, stack_end)


def _no_imports(body: bytes) -> None:
    """Of what an object wants from outside, memory and stack become its own; there may be nothing else."""
    read = _Reader(body)
    for _ in range(read.number()):
        read.sized()
        name, kind = read.sized().decode(), read.byte()
        if kind == MEMORY_KIND:
            if read.number() & 1:
                read.number()
            read.number()
        elif kind == GLOBAL_KIND and name == "__stack_pointer":
            read.take(2)
        else:
            raise CannotLink(f"{name} is called, and nothing there has that name")


def _functions(read: _Reader) -> dict[str, int]:
    """The functions that an object defines, by name."""
    found = {}
    read.number()  # the version
    while read:
        kind, body = read.byte(), _Reader(read.sized())
        if kind != SYMBOLS:
            continue
        for _ in range(body.number()):
            what, flags = body.byte(), body.number()
            if what == 1:  # data
                body.sized()
                if not flags & UNDEFINED:
                    for _ in range(3):
                        body.number()
            elif what == 3:  # a section
                body.number()
            else:
                place = body.number()
                if not flags & UNDEFINED or flags & NAMED:
                    name = body.sized().decode()
                    if what == FUNCTION_KIND:
                        found[name] = place
    return found


def _end_of_data(body: bytes) -> int:
    """The first address after all data."""
    read, end = _Reader(body), 0
    for _ in range(read.number()):
        if read.number() != 0 or read.byte() != 0x41:  # active, in the one memory, from i32.const …
            raise CannotLink("an object has data of an unknown form")
        start = read.number()
        if read.byte() != 0x0B:
            raise CannotLink("an object has data of an unknown form")
        end = max(end, start + len(read.sized()))
    return end
