"""GPUs for tests of the CUDA back-end: mock ones, and a real one where there is one."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest
from fake_cuda import FakeCuda

from dovetail.runtime import Device, cuda, devices
from dovetail.runtime.cuda import loader
from dovetail.runtime.cuda.loader import Loader
from dovetail.runtime.device import forget_devices


@contextmanager
def installed(fake: FakeCuda | str) -> Generator[None]:
    """Install a mock driver, or no driver, with the reason."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuda, "may_have_device", lambda: True)
        patch.setattr(loader, "_loader", Loader(lambda: fake))
        forget_devices()
        try:
            yield
        finally:
            forget_devices()


def cuda_devices() -> list[Device]:
    """Return all devices of the CUDA back-end."""
    return [device for device in devices() if device.backend == "cuda"]
