"""The passes that every source goes through, and what can be said about them."""

OPTIMIZATION_LEVELS = ("0", "1", "2", "3", "s", "z")
"""As in clang's -O."""

ASPECT_READINGS = ("written", "optimized")
"""What counts as a use: what the source says, or what optimisation leaves of it."""


def device_pipeline(
    optimization: str = "2", aspects: str = "written", resolve: str = ""
) -> tuple[str, ...]:
    """The passes in order.

    `aspects` is what counts as a use; `resolve` is the target for which conditions are decided
    before optimisation, if they are.
    """
    decided = f"{{resolve={resolve}}}" if resolve else ""
    # Which calls are left is in the module, once conditions are resolved.
    attached = decided if aspects == "written" else f"{{reading={aspects}}}"
    passes = (
        "attach-facts",
        "device-globals",
        f"conditional-callers{decided}",
        "kernel-entries",
        "inner-arguments",
        "local-memory",
        f"attach-aspects{attached}",
        "assertions",
        "built-ins",
    )
    optimize = f"optimize{{level={optimization}}}"
    if aspects == "written":
        return (*passes, optimize)
    # What the optimiser leaves is known only then; what is declared and required is there before.
    return (*passes, "class-addresses", optimize, "remaining-types")
