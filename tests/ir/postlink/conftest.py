"""Fixtures for post-link: modules from text and from sources, and the command."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.artifacts import DeviceModule
from dovetail.cli.main import main
from dovetail.device_metadata import facts_of
from dovetail.frontend import Flags, Source, compile_command, run_clang
from dovetail.ir import Context, Module
from dovetail.passes import PassContext, device_pipeline, parse_pipeline, run_pipeline
from dovetail.postlink import OptionalFeatures, PostLinked, SplitMode, link_modules

# What sources need instead of our headers, so that a test takes no longer than clang's start. It
# is one line, so that a test's own text starts on the second.
_PRELUDE = " ".join(
    [
        "namespace sycl { enum class aspect { cpu = 1, fp16 = 5, fp64 = 6 }; }",
        "using sycl::aspect;",
        "template <class Name, class F>",
        "[[clang::sycl_kernel_entry_point(Name)]] void start(F f) { f(); }",
        "\n",
    ]
)
_EXTERNAL = "[[clang::sycl_external]]"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the working directory of the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def split() -> Callable[..., PostLinked]:
    """A function that links IR, as the inputs 0.ll, 1.ll and so on, and splits it."""

    def do_it(
        *inputs: str | bytes,
        mode: str = "auto",
        features: str = "split",
        only_kernels: bool = False,
    ) -> PostLinked:
        context = Context()
        data = [given.encode() if isinstance(given, str) else given for given in inputs]
        modules = [Module.parse(context, ir, f"{number}.ll") for number, ir in enumerate(data)]
        linked = link_modules([DeviceModule(module, facts_of(module)) for module in modules])
        return PostLinked.of(
            linked,
            SplitMode(mode),
            features=OptionalFeatures(features),
            only_kernels=only_kernels,
        )

    return do_it


@pytest.fixture
def post_link(folder: Path) -> Callable[..., int]:
    """A function that writes files into the folder and runs `dovetail post-link` there."""

    def run(*words: str, **texts: str) -> int:
        for name, text in texts.items():
            (folder / f"{name}.ll").write_text(text)
        return main(["post-link", *words])

    return run


@pytest.fixture
def compile_source(folder: Path) -> Callable[..., None]:
    """A function that compiles a text to `name.bc`, through `name.cpp`, as a build does."""

    def compile_it(name: str, text: str, aspects: str = "written") -> None:
        (folder / f"{name}.cpp").write_text(_PRELUDE + text.replace("EXTERNAL", _EXTERNAL))
        source = Source.from_file(f"{name}.cpp")
        bitcode, facts = folder / f"{name}.bc", folder / f"{name}.json"
        flags = Flags(warnings=("-w",))
        command = compile_command(source, flags, header=None, bitcode=bitcode, facts=facts)
        assert run_clang(command) == ""
        device = DeviceModule.load(Context(), source.path, bitcode, facts)
        pipeline = parse_pipeline(",".join(device_pipeline("2", aspects)))
        run_pipeline(pipeline, PassContext(device.facts), device.module)
        bitcode.write_bytes(device.module.to_bitcode())
        facts.unlink()

    return compile_it
