"""How kernels and their parts go through Numba and LLVM, so that a first start is short.

Numba compiles every function as if Python were to call it: a wrapper for Python, another for C, all passes of LLVM,
over it and over all that it calls, and machine code. A part is called by kernels alone, and its machine code is written
where they inline or call it. So a part has no wrappers, is optimised once, by itself, and stops before the machine code
(PartLibrary); one that is inlined in any case (`inner`) is optimised in its caller. A kernel brings all parts together,
each once however many ways lead to it (KernelLibrary). Numba also compiles a function anew for each constant that it is
called with; a part is compiled for the types alone. And it looks for arithmetic on whole arrays, to make one loop of
it, and for functions within a function: passes that find nothing in kernels, and are left out.

Rejected: parts that are not optimised by themselves. That takes a tenth less time to compile, but their loops are
vectorised later, among all others, or not: shape matching took 1.13 times as long, oriented particles 1.2 times. Parts
that are optimised with what they call, as Numba does: a kernel takes 1.4 times as long to compile, and none is faster.
Parts that are optimised twice, as Numba does for those that count who holds an array: no kernel is faster.

A part that Python calls after all, as a test may, is compiled as a kernel then. What this gives is measured by
benchmarks/first_start.py.
"""

from collections.abc import Callable
from types import CodeType
from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, _LowerResult
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import AnnotateTypes, NativeLowering, NopythonRewrites
from numba.core.types.misc import unliteral
from numba.core.untyped_passes import InlineClosureLikes

DROPPED_IF_UNUSED, KEPT = "linkonce_odr", "weak_odr"
Ready = Callable[[CPUDispatcher, tuple[Any, ...]], bool]


class PartLibrary(JITCodeLibrary):
    """The code of one part, optimised by itself: without what it calls, unless that is inlined, and no machine code."""

    _linking_libraries: list[Any]
    _shared_module: Any
    inlined = False  # into whatever calls it, which optimises it then

    def _optimize_functions(self, ll_module: Any) -> None:
        """All of that is done once more with the module."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Ready to be linked into several libraries, each of which drops what it does not call."""
        self._raise_if_finalized()
        if not self.inlined:
            _link(self._final_module, _with_parts(self._linking_libraries, inlined=True))
            passes, builder = self._codegen._module_pass_manager()
            passes.run(self._final_module, builder)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = DROPPED_IF_UNUSED
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """With all that it calls: for a library that is not a kernel's."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            _link(self._shared_module, _with_parts(self._linking_libraries))
        return self._shared_module


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel with that of all its parts."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link, optimise, and write machine code."""
        found = _with_parts(self._linking_libraries)
        parts = [each for each in found if isinstance(each, PartLibrary)]
        for each in parts:
            self._reload_init.update(each._reload_init)
        _link(self._final_module, parts)
        self._linking_libraries = [each for each in found if not isinstance(each, PartLibrary)]
        super().finalize()


def _link(module: Any, libraries: list[Any]) -> None:
    """Bring code of libraries into a module, in whatever order they call one another: LLVM would leave out a function
    that may be dropped if what calls it has not come yet."""
    for library in libraries:
        linked = _linkable(library).clone()
        _change_linkage(linked, DROPPED_IF_UNUSED, KEPT)
        module.link_in(linked)
    _change_linkage(module, KEPT, DROPPED_IF_UNUSED)


def _change_linkage(module: Any, before: str, after: str) -> None:
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage[before]:
            function.linkage = after


def _linkable(library: Any) -> Any:
    """LLVM's code of a library; that of a part alone."""
    library._ensure_finalized()
    return library._final_module if isinstance(library, PartLibrary) else library._get_module_for_linking()


def _with_parts(libraries: list[Any], inlined: bool = False) -> list[Any]:
    """These, and those that parts among them call, each once; or only those that are inlined wherever they are
    called."""
    found: dict[Any, None] = {}
    waiting = libraries[::-1]
    while waiting:
        library = waiting.pop()
        if library not in found and (not inlined or getattr(library, "inlined", False)):
            found[library] = None
            if isinstance(library, PartLibrary):
                waiting += library._linking_libraries[::-1]
    return list(found)


class KernelLowering(NativeLowering):
    """Writes code into a library of our own."""

    def run_pass(self, state: Any) -> bool:
        codegen = state.targetctx.codegen()
        state.library = KernelLibrary(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.inlined = state.flags.forceinline
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        name = object()  # Numba knows a function by what Python calls
        state.targetctx.insert_user_function(name, made.fndesc, [state.library])
        state["cr"] = _LowerResult(made.fndesc, made.call_helper, cfunc=name, env=made.env)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class _NoAnnotation(AnalysisPass):
    """Numba keeps the source with the code, and the path where it was compiled."""

    _name = "no_annotation"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        state.type_annotation = ""
        return False


def replaced(pipelines: Any, state: Any, lowering: Any) -> Any:
    """Numba's passes for a function, with another one that writes LLVM's code, and without those that would find
    nothing to do."""
    others = {NativeLowering: lowering, AnnotateTypes: _NoAnnotation}
    idle = {NopythonRewrites}
    if not any(isinstance(each, CodeType) for each in state.func_id.code.co_consts):
        idle.add(InlineClosureLikes)
    for pipeline in pipelines:
        known = {each for each, _ in pipeline.passes}
        assert known > {*others, *idle}, "this version of Numba writes LLVM's code in another pass"
        pipeline.passes = [(others.get(each, each), text) for each, text in pipeline.passes if each not in idle]
        pipeline.finalize()
    return pipelines


class PartCompiler(Compiler):
    """Numba's compiler, for parts."""

    def define_pipelines(self) -> Any:
        return replaced(super().define_pipelines(), self.state, _PartLowering)


class Kernel(CPUDispatcher):
    """A function that Python calls, with the types that its signature says.  ready: compiles or loads it for the first
    call with some arguments; false if it was ready, and these are none that it takes."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], compiler: Any, ready: Ready) -> None:
        super().__init__(function, targetoptions={"nopython": True, **options}, pipeline_class=compiler)
        self.ready = ready

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What Python is to call, with types that nothing is there for yet."""
        return self if self.ready(self, args) else super()._compile_for_args(*args, **kws)


class Part(CPUDispatcher):
    """A function that kernels call.  whole: makes of the function one that Python may call."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], whole: Callable[..., Any]) -> None:
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={"nopython": True, **options, **wrappers}, pipeline_class=PartCompiler)
        self.whole = whole
        self.called: Any = None

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a caller is told when it asks for these types."""
        return super().get_call_template(
            tuple(map(unliteral, args)), {name: unliteral(each) for name, each in kws.items()}
        )

    def add_overload(self, result: Any) -> None:
        """For kernels; Python finds nothing and asks for it below."""
        self.overloads[tuple(result.signature.args)] = result

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What Python is to call."""
        if self.called is None:
            self.called = self.whole(self.py_func)
        return self.called


def code_size(dispatcher: Any) -> int:
    """Bytes that Python makes of a function and of all that it calls: about as much work to compile."""
    found: set[Any] = set()
    waiting = [dispatcher]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            names = each.py_func.__globals__
            waiting += [names[name] for name in each.__code__.co_names if isinstance(names.get(name), CPUDispatcher)]
    return sum(len(each.__code__.co_code) for each in found)
