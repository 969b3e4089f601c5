"""The linker: it joins compiled functions in one WebAssembly module, within LLVM, so that shared code occurs once.

Numba emits LLVM code for the machine it runs on. As long as that code is not optimized for the machine
(`diamonds.wasm.PORTABLE_CODEGEN_ENV`), it suits any other after a few lines are replaced. No external linker is needed,
because a module contains everything it calls: `RUNTIME_IR` replaces the parts of Numba's native runtime that allocate
arrays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import llvmlite.binding as llvm
import numba

from diamonds.wasm.exports import WasmExport
from diamonds.wasm.object_file import WasmModule, module_from_object

TARGET_TRIPLE = "wasm32-unknown-unknown"
DATA_LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
# All browsers of recent years support these features.
WASM_FEATURES = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"

INIT_EXPORT = "settle"  # the function of every module that sets the address from which memory is free for arrays

# Arrays are allocated one after the other. Only the last one can be freed; the others are released by the next
# `settle`. The header of an array takes 32 bytes: its reference count, two addresses, the address of its data, and its
# size.
RUNTIME_IR = """
@free = internal global i32 0
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare void @llvm.trap()

define void @settle(i32 %at) {
  store i32 %at, ptr @free
  ret void
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {
  %at = load i32, ptr @free
  %more = trunc i64 %size to i32
  %data = add i32 %at, 32
  %end = add i32 %data, %more
  %up = add i32 %end, 31
  %next = and i32 %up, -32
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %needed = lshr i32 %next, 16
  %fits = icmp ult i32 %needed, %pages
  br i1 %fits, label %there, label %grow
grow:
  %missing = sub i32 %needed, %pages
  %wanted = add i32 %missing, 1
  %had = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %wanted)
  %failed = icmp eq i32 %had, -1
  br i1 %failed, label %full, label %there
full:
  call void @llvm.trap()
  unreachable
there:
  store i32 %next, ptr @free
  %info = inttoptr i32 %at to ptr
  store i64 1, ptr %info
  %where = getelementptr i8, ptr %info, i32 16
  store i32 %data, ptr %where
  %last = getelementptr i8, ptr %info, i32 24
  store i64 %size, ptr %last
  ret ptr %info
}

define void @NRT_MemInfo_call_dtor(ptr %info) noinline {
  %at = ptrtoint ptr %info to i32
  %last = getelementptr i8, ptr %info, i32 24
  %size = load i64, ptr %last
  %more = trunc i64 %size to i32
  %data = add i32 %at, 32
  %end = add i32 %data, %more
  %up = add i32 %end, 31
  %next = and i32 %up, -32
  %now = load i32, ptr @free
  %is_last = icmp eq i32 %next, %now
  br i1 %is_last, label %back, label %done
back:
  store i32 %at, ptr @free
  br label %done
done:
  ret void
}

define void @__multi3(ptr %out, i64 %a, i64 %ah, i64 %b, i64 %bh) noinline {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %p00h = lshr i64 %p00, 32
  %p01l = and i64 %p01, 4294967295
  %m0 = add i64 %p10, %p00h
  %m1 = and i64 %m0, 4294967295
  %m2 = add i64 %m1, %p01l
  %low1 = shl i64 %m2, 32
  %low0 = and i64 %p00, 4294967295
  %low = or i64 %low1, %low0
  %m0h = lshr i64 %m0, 32
  %p01h = lshr i64 %p01, 32
  %m2h = lshr i64 %m2, 32
  %h0 = add i64 %p11, %m0h
  %h1 = add i64 %h0, %p01h
  %h2 = add i64 %h1, %m2h
  %c0 = mul i64 %a, %bh
  %c1 = mul i64 %ah, %b
  %h3 = add i64 %h2, %c0
  %high = add i64 %h3, %c1
  store i64 %low, ptr %out
  %above = getelementptr i8, ptr %out, i32 8
  store i64 %high, ptr %above
  ret void
}
"""
LATE_BUILTINS = {"__multi3"}  # functions that LLVM calls only after optimization, for products of two large numbers


def link_module(exports: Mapping[str, WasmExport]) -> WasmModule:
    """Compile some functions, and link them into a module that exports them and `INIT_EXPORT`."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    linked = llvm.parse_assembly(
        f'target datalayout = "{DATA_LAYOUT}"\ntarget triple = "{TARGET_TRIPLE}"\n{RUNTIME_IR}'
    )
    for name, (function, types) in exports.items():
        linked.link_in(_function_ir(name, function, types))
    names = [*exports, INIT_EXPORT]
    for function in linked.functions:
        if not function.is_declaration and function.name not in names and function.name not in LATE_BUILTINS:
            function.linkage = "internal"
            function.add_function_attribute("optsize")  # smaller code, because browsers download it
    for variable in linked.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    target_machine = llvm.Target.from_triple(TARGET_TRIPLE).create_target_machine(
        cpu="generic", features=WASM_FEATURES, opt=3, reloc="static", codemodel="default"
    )
    builder = llvm.create_pass_builder(target_machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(linked, builder)
    return module_from_object(target_machine.emit_object(linked), names)


def _function_ir(name: str, function: Any, types: tuple[Any, ...]) -> llvm.ModuleRef:
    """Return the LLVM code of a function and everything it calls, for WebAssembly, under this name."""
    dispatcher: Any = numba.njit(nogil=True)(function)
    dispatcher.compile(types)
    (compiled,) = dispatcher.overloads.values()
    text = compiled.library.get_llvm_str()
    text = re.sub(r"^target datalayout.*$", f'target datalayout = "{DATA_LAYOUT}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target triple.*$", f'target triple = "{TARGET_TRIPLE}"', text, flags=re.MULTILINE)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    text = re.sub(r"^(attributes #\d+ = \{.*)\bnoinline\b", r"\1nounwind", text, flags=re.MULTILINE)
    module = llvm.parse_assembly(text)
    entry = module.get_function(compiled.fndesc.llvm_func_name)
    entry.name = name
    for other in module.functions:
        if not other.is_declaration and other.name != name and str(other.linkage) == "Linkage.external":
            other.linkage = "internal"  # the wrapper for Python
    return module
