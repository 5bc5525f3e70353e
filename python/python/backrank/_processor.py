"""Refuses to go on where a processor lacks instructions for which the package was built."""

import ctypes
import importlib.util


def _missing() -> str:
    spec = importlib.util.find_spec("backrank._backrank")
    if spec is None or spec.origin is None:
        raise ImportError("backrank is not built: `pip install ./python`")
    name = ctypes.c_char_p()
    length = ctypes.CDLL(spec.origin).backrank_missing_instructions(ctypes.byref(name))
    return ctypes.string_at(name, length).decode() if length else ""


if missing := _missing():
    raise ImportError(
        f"this backrank was built for newer processors; this one does not have {missing}; "
        '`RUSTFLAGS="" pip install ./python` builds one for any processor'
    )
