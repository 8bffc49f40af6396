"""How kernels are compiled so that they flush denormal numbers to zero.

Below about 1e-38 in single precision a number is denormal, and the processor takes a slow path for each one that it
meets or makes. What is left of a motion fades into just that range: a body undisturbed in free space cost from a tenth
more than the same body in motion to four times as much, depending on the processor (`pliant bench rest`).

Numba compiles a kernel to one function. Here it becomes two: one that does the work, and a wrapper that bears the name
of the kernel, sets the control word of the thread, calls the first and restores the word. Every call of a kernel goes
through its name (from Python, from another kernel, from an entry of calls.py), on any thread, and every return, an
exception too, goes back through the wrapper. So no place that makes or calls a kernel can forget it, and what is not a
kernel, such as NumPy in the same thread, computes as ever. It costs 20 ns a call at most.

Rejected: to set the word around `World.step` and in each worker thread (all that calls kernels elsewhere has to
remember it, and the NumPy in between gives other results); to set it at the head of the one function (LLVM takes
arithmetic to be independent of the word and may move it across; a call that is never inlined stays where it is); a
second Numba function around each (typed, compiled and cached like any other). The attribute "denormal-fp-math" is left
as it is: functions that differ in it are not inlined into one another, and it would change only how constants are
folded.
"""

from typing import Any

from llvmlite import ir
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower

from pliant.runtime.instructions import flushing_denormals
from pliant.runtime.parts import KernelLowering, replaced


class _FlushingLower(Lower):
    """Writes the wrapper under the name of the function, and then the function under another."""

    function: Any
    entry_block: Any

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)
        wrapper = self.function
        wrapped = ir.Function(self.module, wrapper.function_type, f"{wrapper.name}.wrapped")
        wrapped.linkage = "internal"
        wrapped.attributes.add("noinline")
        self.call_conv.decorate_function(wrapped, fndesc.args, fndesc.argtypes, noalias=fndesc.noalias)
        with flushing_denormals(self.builder):
            status = self.builder.call(wrapped, wrapper.args)
        self.builder.ret(status)
        self.function, self.entry_block = wrapped, wrapped.append_basic_block("entry")
        self.builder.position_at_end(self.entry_block)


@register_pass(mutates_CFG=True, analysis_only=False)
class _FlushingLowering(KernelLowering):
    _name = "flushing_lowering"
    lowering_class = _FlushingLower


class FlushingCompiler(Compiler):
    """Numba's compiler, except that kernels flush denormal numbers."""

    def define_pipelines(self) -> Any:
        return replaced(super().define_pipelines(), self.state, _FlushingLowering)
