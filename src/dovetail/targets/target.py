"""One target: what is known of it, and the questions that other parts ask.

An entry that may support other aspects than it lists answers with three values: yes, no and may.
Nothing here imports more than it needs, since every command asks about targets as it starts.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    Verdict = Literal["yes", "no", "may"]

FAMILIES = ("intel_gpu", "nvidia_gpu", "amd_gpu", "intel_cpu", "spir64")


class Target:
    """What the device configuration says of one target; never changed after it is made."""

    __slots__ = (
        "absent_aspects",
        "aspects",
        "may_support_other_aspects",
        "name",
        "options",
        "sub_group_sizes",
        "toolchain",
    )

    def __init__(
        self,
        name: str,
        aspects: "tuple[str, ...]" = (),
        may_support_other_aspects: int = False,
        sub_group_sizes: "tuple[int, ...]" = (),
        toolchain: str = "",
        options: str = "",
        absent_aspects: "tuple[str, ...]" = (),
    ) -> None:
        self.name = name
        self.aspects = aspects
        self.absent_aspects = absent_aspects
        """What it is known not to have, even if it may support others than are listed."""
        self.may_support_other_aspects = bool(may_support_other_aspects)
        self.sub_group_sizes = sub_group_sizes
        """Empty if they are not known."""
        self.toolchain = toolchain
        """What compiles for it ahead of time: ocloc, ptxas, amdgpu, opencl-aot; empty if none does."""
        self.options = options
        """What the toolchain is told so that it compiles for this target."""

    def __repr__(self) -> str:
        return f"<Target {self.name}>"

    @property
    def family(self) -> str:
        """Which targets it belongs with: intel_gpu, nvidia_gpu, amd_gpu, ...; else its own name."""
        for family in FAMILIES:
            if self.name.startswith(family):
                return family
        return self.name

    def has(self, aspect: str | int) -> bool:
        """Whether it is known to have an aspect, given by name or number."""
        if aspect in self.aspects:
            return True
        name = _name_of(aspect)
        return name in self.aspects or _implied_by(name) in self.aspects

    def may_have(self, aspect: str | int) -> bool:
        """Whether it has an aspect or might: false only where the entry rules it out."""
        return self.verdict(aspect) != "no"

    def verdict(self, aspect: str | int) -> "Verdict":
        """Whether it has an aspect: yes, no or may."""
        if self.has(aspect):
            return "yes"
        if not self.may_support_other_aspects or self._is_absent(_name_of(aspect)):
            return "no"
        return "may"

    def _is_absent(self, name: str) -> bool:
        # A deprecated name is not ruled out by what replaced it: atomic64 asks for more.
        return name in self.absent_aspects

    def sub_group_verdict(self, size: int) -> "Verdict":
        """Whether kernels can require sub-groups of that size; may, if no sizes are listed."""
        if not self.sub_group_sizes:
            return "may"
        return "yes" if size in self.sub_group_sizes else "no"

    def fit(self, aspects: "Iterable[str | int]", sub_group_size: int | None = None) -> "Fit":
        """Whether code that needs these features runs there."""
        verdicts = [(_name_of(aspect), self.verdict(aspect)) for aspect in aspects]
        if sub_group_size is not None:
            verdicts.append(
                (f"sub-group size {sub_group_size}", self.sub_group_verdict(sub_group_size))
            )
        return Fit(
            missing=tuple(what for what, verdict in verdicts if verdict == "no"),
            unknown=tuple(what for what, verdict in verdicts if verdict == "may"),
        )


class Fit:
    """Whether code fits a target, and what stands against it."""

    __slots__ = ("missing", "unknown")

    def __init__(self, missing: "tuple[str, ...]", unknown: "tuple[str, ...]") -> None:
        self.missing = missing
        """What the target does not have."""
        self.unknown = unknown
        """What nobody knows of the target."""

    @property
    def verdict(self) -> "Verdict":
        """No if anything is missing, may if something is unknown, else yes."""
        if self.missing:
            return "no"
        return "may" if self.unknown else "yes"


# Most questions are answered without the list of all aspects, so it is not loaded before.


def _name_of(aspect: str | int) -> str:
    from dovetail.targets.aspects import aspect_name

    return aspect_name(aspect)


def _implied_by(name: str) -> str:
    from dovetail.targets.aspects import implied_by

    return implied_by(name)
