"""The two modes of separating code that not every device can run.

What programs do must not depend on the mode: tests of programs take the fixture `design`, and build
with it.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

import dovetail

if TYPE_CHECKING:
    from dovetail import Program
    from dovetail.driver.building import OptionalFeatureMode

DESIGNS = ("split", "conditional")

split_alone = pytest.mark.parametrize("design", ["split"], indirect=True)
"""For tests of what split programs look like, and of programs that are the same in both."""


@dataclass(frozen=True)
class Design:
    """A value of `-fsycl-optional-features`."""

    name: "OptionalFeatureMode"

    @property
    def option(self) -> str:
        """The option for command lines."""
        return f"-fsycl-optional-features={self.name}"

    def build(self, *sources: Any, **options: Any) -> "Program":
        """Build as `dovetail.build` does, in this mode."""
        return dovetail.build(*sources, optional_features=self.name, **options)
