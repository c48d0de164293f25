"""YAML files that describe targets."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

from dovetail.targets import default_table
from dovetail.targets.user_file import read_user_files
from fuzz.edits import edited_json
from fuzz.reader import Reader
from fuzz.readers.text_edits import edited_lines

_SEEDS = (
    b"intel_gpu_new:\n  aspects: [gpu, fp16, 27]\n  sub-group-sizes: [16, 32]\n",
    b"a: &x\n  aspects: [gpu]\n  may_support_other_aspects: true\nb:\n  <<: *x\n"
    b"  aot-toolchain: ocloc\n  aot-toolchain-options: '-device \"pvc\"'\n",
    b"'my_gpu':\n  aspects:\n    - fp64\n    - !!str fp16\n  aot-compiler-id: gen-spir64\n"
    b"  aot-toolchain-device: pvc # a comment\n",
    b"%YAML 1.1\n---\nintel_gpu_pvc: {aspects: [], ocloc-device: pvc}\n...\n",
    b'x86_64: {aot-toolchain: "opencl-aot", aot-toolchain-march: avx2, sub-group-sizes: []}\n',
)
_DOCUMENTS: tuple[dict[str, Any], ...] = (
    {"new": {"aspects": ["gpu", 27], "sub-group-sizes": [8], "aot-toolchain-device": "pvc"}},
    {"intel_gpu_pvc": {"may_support_other_aspects": True}, "x": {"aot-toolchain-options": ["-a"]}},
)
_WORDS = (
    *(b"&x", b"*x", b"<<", b":", b"- ", b"[", b"]", b"{", b"}", b",", b"|", b">", b"!!map", b"!a"),
    *(b"aspects", b"sub-group-sizes", b"aot-toolchain-options", b"~", b"true", b"\t", b"'", b'"'),
    *(b"%TAG ! a:", b"---", b"...", b"? ", b"#", b"\\", b"\xef\xbb\xbf", b"\xff\xfe", b"99999999"),
)


def _seeds() -> list[bytes]:
    return list(_SEEDS)


def _read(data: bytes) -> None:
    descriptor = os.memfd_create("targets.yaml")
    try:
        os.write(descriptor, data)
        path = Path(f"/proc/self/fd/{descriptor}")
        read_user_files([path], default_table())
    finally:
        os.close(descriptor)


def _edit(data: bytes, random: Random) -> bytes:
    if random.random() < 0.5:
        return edited_lines(data, random, _WORDS)
    # JSON is YAML. Inputs of the corpus are JSON only after such an edit.
    try:
        document: Any = json.loads(data)
    except (ValueError, RecursionError):
        document = random.choice(_DOCUMENTS)
    return json.dumps(edited_json(document, random)).encode()


READER = Reader("YAML files that describe targets", _seeds, _read, _edit)
