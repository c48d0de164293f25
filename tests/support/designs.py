"""The two ways to keep code that not every device can run from the others.

What programs do must not depend on it: tests of that take the fixture `design`, and build with it.
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
    """What `-fsycl-optional-features` names."""

    name: "OptionalFeatureMode"

    @property
    def option(self) -> str:
        """For command lines."""
        return f"-fsycl-optional-features={self.name}"

    def build(self, *sources: Any, **options: Any) -> "Program":
        """As `dovetail.build` does."""
        return dovetail.build(*sources, optional_features=self.name, **options)
