"""The registry agrees with the classes of passes."""

from dataclasses import fields, is_dataclass
from importlib import import_module

import pytest

from dovetail.errors import UsageError
from dovetail.passes import PASSES, ModulePass, device_pipeline, parse_pipeline


@pytest.mark.parametrize("name", PASSES)
def test_one_name_everywhere(name: str) -> None:
    module, _, class_name = PASSES[name].location.partition(":")
    kind = getattr(import_module(module), class_name)
    assert issubclass(kind, ModulePass)
    assert is_dataclass(kind)
    assert kind.name == name
    assert module.rpartition(".")[2] == name.replace("-", "_")
    assert class_name == "".join(part.title() for part in name.split("-"))
    assert all(option.default is not None for option in fields(kind))


def test_text_form_round_trips() -> None:
    text = "attach-facts,optimize{level=s},optimize"
    passes = parse_pipeline(text)
    assert ",".join(map(str, passes)) == text
    assert parse_pipeline(",".join(map(str, passes))) == passes


def test_device_pipeline_parses() -> None:
    assert [str(one) for one in parse_pipeline(",".join(device_pipeline("1")))] == [
        "attach-facts",
        "device-globals",
        "specialization-constants",
        "conditional-callers",
        "kernel-entries",
        "inner-arguments",
        "group-scope",
        "local-memory",
        "attach-aspects",
        "assertions",
        "printf",
        "library-functions",
        "built-ins",
        "optimize{level=1}",
    ]
    _, _, _, callers, *_ = parse_pipeline(",".join(device_pipeline(resolve="intel_gpu_pvc")))
    assert str(callers) == "conditional-callers{resolve=intel_gpu_pvc}"


@pytest.mark.parametrize("text", ["", " ", ",", "optimize,", "optimize{level=1", "a b"])
def test_malformed_text(text: str) -> None:
    with pytest.raises(UsageError):
        parse_pipeline(text)
