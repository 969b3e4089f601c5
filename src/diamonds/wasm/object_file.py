"""The conversion of an object file into a WebAssembly module.

An object file of LLVM that contains everything it calls lacks only three things: a memory, a stack in it, and exported
names. They replace two imports and the sections that only linkers read. Section numbers and formats follow the
WebAssembly core specification and its tool conventions for linking.
"""

from __future__ import annotations

from typing import NamedTuple

STACK_BYTES = 1 << 18
PAGE_BYTES = 1 << 16

CUSTOM, IMPORT, MEMORY, GLOBAL, EXPORT, DATA = 0, 2, 5, 6, 7, 11
SECTION_ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11)  # order of sections in a module
FUNCTION_KIND, MEMORY_KIND, GLOBAL_KIND = 0, 2, 3
SYMBOL_TABLE = 8  # in the section “linking”
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40  # flags of a symbol


class WasmModule(NamedTuple):
    """A module and the first free address in its memory."""

    code: bytes
    heap_start: int


class LinkError(Exception):
    """Raised for an object that cannot become a module, for example because it calls a missing function."""


class _ByteReader:
    """A reader of binary data."""

    def __init__(self, data: bytes) -> None:
        self.data, self.offset = data, 0

    def __bool__(self) -> bool:
        return self.offset < len(self.data)

    def read_byte(self) -> int:
        self.offset += 1
        return self.data[self.offset - 1]

    def read_leb128(self) -> int:
        """Return an unsigned number in LEB128."""
        result = shift = 0
        while True:
            byte = self.read_byte()
            result |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return result

    def read_bytes(self, size: int) -> bytes:
        self.offset += size
        return self.data[self.offset - size : self.offset]

    def read_sized(self) -> bytes:
        return self.read_bytes(self.read_leb128())


def leb128(value: int) -> bytes:
    """Return an unsigned number in LEB128; for numbers below 64 the signed form is the same."""
    encoded = b""
    while value > 127:
        encoded += bytes([value & 127 | 128])
        value >>= 7
    return encoded + bytes([value])


def _signed_leb128(value: int) -> bytes:
    """Return a non-negative number in signed LEB128."""
    encoded = b""
    while value > 63:
        encoded += bytes([value & 127 | 128])
        value >>= 7
    return encoded + bytes([value])


def _with_length(data: bytes) -> bytes:
    return leb128(len(data)) + data


def _vector_section(entries: list[bytes]) -> bytes:
    return leb128(len(entries)) + b"".join(entries)


def module_from_object(object_file: bytes, names: list[str]) -> WasmModule:
    """Return the module of an object, which exports the functions of these names and its memory as ``memory``."""
    reader = _ByteReader(object_file)
    header, sections, function_indices = reader.read_bytes(8), {}, {}
    while reader:
        kind, body = reader.read_byte(), reader.read_sized()
        if kind == CUSTOM:
            custom = _ByteReader(body)
            if custom.read_sized() == b"linking":
                function_indices = _function_indices(custom)
        else:
            sections[kind] = body
    _check_imports(sections.pop(IMPORT))
    stack_end = (_data_end(sections.get(DATA, b"\0")) + STACK_BYTES + 15) // 16 * 16
    pages = -(-stack_end // PAGE_BYTES) + 1
    sections[MEMORY] = _vector_section([b"\0" + leb128(pages)])
    stack_pointer = b"\x7f\x01\x41" + _signed_leb128(stack_end) + b"\x0b"  # i32, mutable, i32.const …, end
    if GLOBAL in sections:
        raise LinkError("the object defines globals")
    sections[GLOBAL] = _vector_section([stack_pointer])
    exports = [_with_length(name.encode()) + bytes([FUNCTION_KIND]) + leb128(function_indices[name]) for name in names]
    sections[EXPORT] = _vector_section([*exports, _with_length(b"memory") + bytes([MEMORY_KIND, 0])])
    code = b"".join(bytes([kind]) + _with_length(sections[kind]) for kind in SECTION_ORDER if kind in sections)
    return WasmModule(header + code, stack_end)


def _check_imports(body: bytes) -> None:
    """Check that an object imports nothing but the memory and the stack pointer, which the module defines."""
    reader = _ByteReader(body)
    for _ in range(reader.read_leb128()):
        reader.read_sized()
        name, kind = reader.read_sized().decode(), reader.read_byte()
        if kind == MEMORY_KIND:
            if reader.read_leb128() & 1:
                reader.read_leb128()
            reader.read_leb128()
        elif kind == GLOBAL_KIND and name == "__stack_pointer":
            reader.read_bytes(2)
        else:
            raise LinkError(f"the object calls {name}, which it does not contain")


def _function_indices(reader: _ByteReader) -> dict[str, int]:
    """Return the indices of the functions that an object defines, by name."""
    indices = {}
    reader.read_leb128()  # the version
    while reader:
        kind, body = reader.read_byte(), _ByteReader(reader.read_sized())
        if kind != SYMBOL_TABLE:
            continue
        for _ in range(body.read_leb128()):
            symbol_kind, flags = body.read_byte(), body.read_leb128()
            if symbol_kind == 1:  # data
                body.read_sized()
                if not flags & UNDEFINED:
                    for _ in range(3):
                        body.read_leb128()
            elif symbol_kind == 3:  # a section
                body.read_leb128()
            else:
                index = body.read_leb128()
                if not flags & UNDEFINED or flags & EXPLICIT_NAME:
                    name = body.read_sized().decode()
                    if symbol_kind == FUNCTION_KIND:
                        indices[name] = index
    return indices


def _data_end(body: bytes) -> int:
    """Return the first address after all data."""
    reader, end = _ByteReader(body), 0
    for _ in range(reader.read_leb128()):
        if reader.read_leb128() != 0 or reader.read_byte() != 0x41:  # active, in the one memory, from i32.const …
            raise LinkError("the object has data of an unknown form")
        start = reader.read_leb128()
        if reader.read_byte() != 0x0B:
            raise LinkError("the object has data of an unknown form")
        end = max(end, start + len(reader.read_sized()))
    return end
