"""Whether the table of targets is true of the devices that are here."""

import pytest

from dovetail.runtime import Device, devices
from dovetail.targets import aspect_names, default_table
from dovetail.targets.aspects import deprecated_aspects

pytestmark = pytest.mark.device


@pytest.fixture(params=devices(), ids=lambda device: device.name)
def device(request: pytest.FixtureRequest) -> Device:
    return request.param


def test_a_device_has_a_target(device: Device) -> None:
    assert device.target in default_table()


@pytest.mark.parametrize("aspect", aspect_names())
def test_the_table_says_what_the_device_says(device: Device, aspect: str) -> None:
    verdict = default_table()[device.target].verdict(aspect)
    # What is listed, a device has; what it has beyond the list, the entry must leave open.
    assert verdict != ("no" if device.has(aspect) else "yes")


def test_a_cpu_has_a_real_entry(device: Device) -> None:
    """In both directions, although the entry leaves room for what later processors may bring."""
    if device.kind != "cpu":
        pytest.skip("not a CPU")
    table = default_table()
    found = {aspect for aspect in device.aspects if aspect not in deprecated_aspects()}
    assert found == set(table["x86_64"].aspects) == set(table["spir64_x86_64"].aspects)
    assert table["x86_64"].sub_group_sizes == device.sub_group_sizes
