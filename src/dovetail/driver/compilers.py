"""Compilers of native code that start slowly are started before there is work for them."""

from collections import Counter
from collections.abc import Iterable

from dovetail.codegen import generators_of
from dovetail.driver.step import AnyStep


def start_compilers(steps: Iterable[AnyStep], at_most: int) -> None:
    """Start those that images will go to; what already runs is not started again."""
    toolchains = filter(None, (step.toolchain() for step in steps))
    counts = Counter(generator for each in toolchains for generator in generators_of(each))
    for generator, count in counts.items():
        generator.prepare(min(count, at_most))
