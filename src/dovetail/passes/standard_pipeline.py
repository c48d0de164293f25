"""The standard pipeline for device code, and its options."""

OPTIMIZATION_LEVELS = ("0", "1", "2", "3", "s", "z")
"""As in clang's -O."""

ASPECT_USE_MODES = ("written", "optimized")
"""Which uses of aspects count: those in the source, or those that remain after optimization."""


def device_pipeline(
    optimization: str = "2", aspects: str = "written", resolve: str = ""
) -> tuple[str, ...]:
    """Return the passes in order.

    `aspects` is one of `ASPECT_USE_MODES`; `resolve` is the target for which conditions are
    resolved before optimization, if any.
    """
    resolved = f"{{resolve={resolve}}}" if resolve else ""
    # With `optimized`, attach-aspects ignores calls in the source, so it has nothing to resolve.
    attached = resolved if aspects == "written" else f"{{reading={aspects}}}"
    passes = (
        "attach-facts",
        "device-globals",
        "specialization-constants",
        f"conditional-callers{resolved}",
        "kernel-entries",
        "inner-arguments",
        "group-scope",
        "local-memory",
        f"attach-aspects{attached}",
        "assertions",
        "printf",
        "library-functions",
        "built-ins",
    )
    optimize = f"optimize{{level={optimization}}}"
    if aspects == "written":
        return (*passes, optimize)
    return (*passes, "class-addresses", optimize, "remaining-types")
