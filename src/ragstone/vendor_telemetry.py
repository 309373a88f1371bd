"""Switches off what a library that ragstone may load would send to its maker.

onnxruntime 1.29 and later (`ragstone[fast]`) creates a device identifier and a database of events in the user's
cache folder, and sends events, unless ORT_DISABLE_TELEMETRY=1 is in the environment before it is imported. The variable
is set at the start of each process of ragstone, before a module of anybody else is imported. This module imports almost
nothing, so that every entry point can import it.
"""

import os
import sys

_VARIABLE = "ORT_DISABLE_TELEMETRY"
_MODULE = "onnxruntime"


def disable_vendor_telemetry() -> bool:
    """Set the variable, which child processes inherit, and return whether onnxruntime sends nothing in this process.

    False: another part of the program imported onnxruntime without the variable; nothing is changed then.
    """
    if _MODULE not in sys.modules:
        os.environ[_VARIABLE] = "1"
    return os.environ.get(_VARIABLE) == "1"
