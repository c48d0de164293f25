"""OpenCL devices: what each is, and the way to its queues, programs and memory."""

from threading import Lock
from typing import TYPE_CHECKING, Any

import pyopencl as cl

from dovetail.errors import DeviceError
from dovetail.runtime.backend import (
    BackendDevice,
    BackendProgram,
    BackendQueue,
    DeviceDescription,
    DeviceKind,
    Limits,
    MemoryKind,
    PointerArgument,
)
from dovetail.runtime.opencl import api
from dovetail.runtime.opencl.loader import find_platforms
from dovetail.runtime.opencl.memory import OpenCLAllocation, svm_argument
from dovetail.runtime.opencl.program import OpenCLProgram
from dovetail.runtime.opencl.queue import OpenCLQueue
