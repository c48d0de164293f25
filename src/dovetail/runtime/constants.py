"""What code with conditions is told of a device."""

from dovetail.fit import Requirements
from dovetail.runtime.backend import CodeKind, Values
from dovetail.runtime.device import Device
from dovetail.runtime.fitting import meets
from dovetail.runtime.program_image import CodeForm, ProgramImage


def values_for(image: ProgramImage, form: CodeForm, device: Device) -> Values:
    """The values of the constants in code of an image; none if it has no conditions.

    What is required has to be there on the device and on the target that it stands for; what
    conditions ask is for the latter to say.
    """

    def has(single: Requirements) -> bool:
        return meets(device, single)

    if form.kind is not CodeKind.SPIRV:
        return ()
    with image.being_read():
        constants = image.contents.constants
    if constants is None:
        return ()
    return tuple(sorted(constants.values(has, device.satisfies).items()))
