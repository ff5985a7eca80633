"""libevtrace-reader, as <evt/reader.h> declares it."""
import ctypes
import ctypes.util
import os
import pathlib
from ctypes import POINTER, Structure, c_char, c_char_p, c_int, c_int8, c_int64, c_size_t, c_uint8, c_uint16
from ctypes import c_double, c_uint32, c_uint64, c_void_p

NONE = 0xFFFFFFFF


class Error(Exception):
    """What a trace could not give, in one sentence. `code` is that of <evt/code.h>."""

    def __init__(self, message: str, code: int = 1):
        super().__init__(message)
        self.code = code


def encoded(text: str) -> bytes:
    """A text for the library, to which a zero byte would be its end."""
    encoded_text = os.fsencode(text)
    if 0 in encoded_text:
        raise ValueError("embedded null character")
    return encoded_text


class _Error(Structure):
    _fields_ = [("code", c_int), ("message", c_char * 508)]

    def raise_it(self) -> None:
        raise Error(self.message.decode("utf-8", "replace"), self.code)


class _Text(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]

    def __bytes__(self) -> bytes:
        return ctypes.string_at(self.data, self.size) if self.size else b""

    def __str__(self) -> str:
        return bytes(self).decode("utf-8", "replace")


class _OpenOptions(Structure):
    _fields_ = [("segments", c_uint8), ("no_rings", c_uint8), ("strict", c_uint8), ("reserved", c_uint8 * 5)]


class _Session(Structure):
    _fields_ = [("key", c_uint64), ("uuid", c_uint8 * 16), ("start_utc_ns", c_int64), ("last_ns", c_int64),
                ("events", c_uint64), ("lost", c_uint64), ("missing", c_uint64), ("pid", c_uint64), ("program", _Text),
                ("host", _Text), ("writer", _Text), ("stream_count", c_uint32), ("type_count", c_uint32),
                ("trace", c_uint32), ("closed", c_uint8), ("reserved", c_uint8 * 3),
                ("end", _Text)]


class _Stream(Structure):
    _fields_ = [("name", _Text), ("thread", c_uint64), ("process", c_uint64), ("events", c_uint64), ("lost", c_uint64),
                ("missing", c_uint64), ("first_ns", c_int64), ("last_ns", c_int64), ("id", c_uint32),
                ("reserved", c_uint32)]


class _Type(Structure):
    _fields_ = [("name", _Text), ("description", _Text), ("number", c_uint32), ("role", c_uint32),
                ("field_count", c_uint32), ("reserved", c_uint32)]


class _Field(Structure):
    _fields_ = [("name", _Text), ("description", _Text), ("width", c_uint32), ("kind", c_uint16), ("shape", c_uint16),
                ("role", c_uint16), ("unit", c_uint16), ("scale", c_int8), ("reserved", c_uint8 * 3)]


class _Range(Structure):
    _fields_ = [("from_ns", c_int64), ("to_ns", c_int64), ("has_from", c_uint8), ("has_to", c_uint8),
                ("reserved", c_uint8 * 6)]


class _Batch(Structure):
    _fields_ = [("size", c_size_t), ("ns", c_void_p), ("streams", c_void_p), ("types", c_void_p),
                ("session", c_uint32), ("reserved", c_uint32)]


class _Rows(Structure):
    _fields_ = [("size", c_size_t), ("ns", c_void_p), ("streams", c_void_p), ("types", c_void_p),
                ("table_count", c_size_t), ("table_types", POINTER(c_uint32)), ("schemas", POINTER(c_void_p)),
                ("arrays", POINTER(c_void_p)), ("session", c_uint32), ("reserved", c_uint32)]


class _TableOptions(Structure):
    _fields_ = [("range", _Range), ("most_rows", c_uint32), ("reserved", c_uint32)]


_Texts = POINTER(c_char_p)


class _ReportOptions(Structure):
    _fields_ = [("range", _Range), ("by", c_char_p), ("model", c_char_p), ("threads", _Texts), ("callers", _Texts),
                ("callees", _Texts), ("limits", _Texts), ("thread_count", c_size_t), ("caller_count", c_size_t),
                ("callee_count", c_size_t), ("limit_count", c_size_t), ("every_ns", c_int64), ("cost_ps", c_uint64),
                ("longest", c_uint64), ("has_cost", c_uint8), ("subtract", c_uint8), ("compare_models", c_uint8),
                ("fold", c_uint8), ("whole_session", c_uint8), ("waiting", c_uint8), ("reserved", c_uint8 * 2),
                ("from_event", c_char_p), ("to_event", c_char_p), ("key", c_char_p)]


class _WhyOptions(Structure):
    _fields_ = [("range", _Range), ("name", c_char_p), ("thread", c_char_p), ("nth", c_uint64), ("at_ns", c_int64),
                ("percentile", c_double), ("has_at", c_uint8), ("has_percentile", c_uint8), ("reserved", c_uint8 * 6)]


def _find() -> str:
    """EVTRACE_READER, the library in the package's folder, or the system's."""
    given = os.environ.get("EVTRACE_READER")
    if given:
        return given
    for beside in sorted(pathlib.Path(__file__).parent.glob("libevtrace-reader.so*")):
        return str(beside)
    return ctypes.util.find_library("evtrace-reader") or "libevtrace-reader.so.1"


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_find())
    except OSError as error:
        raise ImportError(f"libevtrace-reader cannot be loaded: {error}; install it, or name its file in EVTRACE_READER") from error
    pointer, error = c_void_p, POINTER(_Error)
    place = [pointer, c_size_t]
    for name, result, arguments in (
            ("open_1", pointer, [POINTER(c_char_p), c_size_t, POINTER(_OpenOptions), c_size_t, error]),
            ("close", None, [pointer]),
            ("problem", c_int, [*place, error]),
            ("session_count", c_size_t, [pointer]),
            ("session_at_1", c_int, [*place, POINTER(_Session), c_size_t]),
            ("stream_at_1", c_int, [*place, c_size_t, POINTER(_Stream), c_size_t]),
            ("type_at_1", c_int, [*place, c_size_t, POINTER(_Type), c_size_t]),
            ("field_at_1", c_int, [*place, c_size_t, c_size_t, POINTER(_Field), c_size_t]),
            ("events_open_1", pointer, [pointer, POINTER(_Range), c_size_t, error]),
            ("events_close", None, [pointer]),
            ("next_batch_1", c_int, [pointer, POINTER(_Batch), c_size_t]),
            ("next_rows_1", c_int, [pointer, c_size_t, POINTER(_Rows), c_size_t]),
            ("events_error", c_int, [pointer, error]),
            ("table_count", c_size_t, [pointer]),
            ("table_name", _Text, place),
            ("version", c_char_p, []),
            ("report_open_1", pointer, [pointer, c_char_p, POINTER(_ReportOptions), c_size_t, error]),
            ("why_open_1", pointer, [pointer, POINTER(_WhyOptions), c_size_t, error]),
            ("report_close", None, [pointer]),
            ("report_table_count", c_size_t, [pointer]),
            ("report_table_name", _Text, place),
            ("report_table", c_int, [pointer, c_char_p, pointer, error]),
            ("report_note", _Text, place),
            ("table_1", c_int, [pointer, c_char_p, POINTER(_TableOptions), c_size_t, pointer, error])):
        function = getattr(library, "evtr_" + name)
        function.restype = result
        function.argtypes = arguments
    return library


library = _load()


def filled(function, structure, *arguments):
    """What the function hands out in such a structure; None if it has none."""
    made = structure()
    return made if function(*arguments, ctypes.byref(made), ctypes.sizeof(made)) else None
