"""Streams of Arrow arrays (C data and stream interface), without a library for them."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_uint8, c_void_p


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
                   ("n_children", c_int64), ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
                   ("release", CFUNCTYPE(None, POINTER(Schema))), ("private_data", c_void_p)]
Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                  ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))),
                  ("dictionary", POINTER(Array)), ("release", CFUNCTYPE(None, POINTER(Array))),
                  ("private_data", c_void_p)]
Stream._fields_ = [("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
                   ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
                   ("get_last_error", CFUNCTYPE(c_char_p, POINTER(Stream))),
                   ("release", CFUNCTYPE(None, POINTER(Stream))), ("private_data", c_void_p)]

# Values of 8 bytes, by format: as ctypes, and as numpy, has them.
FIXED = {b"l": (ctypes.c_int64, "int64"), b"L": (ctypes.c_uint64, "uint64"), b"g": (ctypes.c_double, "float64"),
         b"tsn:UTC": (ctypes.c_int64, "datetime64[ns]")}


def released(structure) -> None:
    if structure.release:
        structure.release(ctypes.byref(structure))


def metadata_of(schema: Schema) -> "dict[str, str]":
    """Pairs, each text with its size in front."""
    if not schema.metadata:
        return {}
    at = schema.metadata

    def number():
        nonlocal at
        value = c_int32.from_address(at).value
        at += 4
        return value

    def text():
        nonlocal at
        size = number()
        value = ctypes.string_at(at, size).decode("utf-8", "replace")
        at += size
        return value

    return {text(): text() for _ in range(number())}


def valid_bits(array: Array) -> "list[bool] | None":
    """For each row whether it is not null; None: all are."""
    if array.null_count == 0 or not array.buffers[0]:
        return None
    bits = (c_uint8 * ((array.length + 7) // 8)).from_address(array.buffers[0])
    return [bool(bits[i >> 3] >> (i & 7) & 1) for i in range(array.length)]


def _pieces(array: Array) -> "list[bytes]":
    if array.length == 0:
        return []
    ends = (c_int32 * (array.length + 1)).from_address(array.buffers[1])
    whole = ctypes.string_at(array.buffers[2], ends[array.length]) if ends[array.length] else b""
    return [whole[ends[i]:ends[i + 1]] for i in range(array.length)]


def values_of(schema: Schema, array: Array) -> list:
    """One value of Python for each row."""
    form = schema.format
    if schema.dictionary:
        texts = values_of(schema.dictionary.contents, array.dictionary.contents)
        places = (c_int32 * array.length).from_address(array.buffers[1]) if array.length else []
        values = [texts[place] if texts else None for place in places]
    elif form == b"+l":
        elements = values_of(schema.children[0].contents, array.children[0].contents)
        ends = (c_int32 * (array.length + 1)).from_address(array.buffers[1])
        values = [elements[ends[i]:ends[i + 1]] for i in range(array.length)]
    elif form == b"u":
        values = [piece.decode("utf-8") for piece in _pieces(array)]
    elif form == b"z":
        values = _pieces(array)
    elif form == b"b":
        bits = (c_uint8 * ((array.length + 7) // 8)).from_address(array.buffers[1]) if array.length else []
        values = [bool(bits[i >> 3] >> (i & 7) & 1) for i in range(array.length)]
    else:
        values = (FIXED[form][0] * array.length).from_address(array.buffers[1])[:] if array.length else []
    valid = valid_bits(array)
    return values if valid is None else [value if is_there else None for value, is_there in zip(values, valid)]


# Streams that were handed over by a capsule, by their addresses, until it is gone.
_handed_over = {}

# Prototypes of this module's own: others may call the same functions with other types.
_new = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))

_NAMES = (b"arrow_array_stream", b"arrow_schema")


@ctypes.PYFUNCTYPE(None, c_void_p)
def _gone(capsule):
    for name in _NAMES:
        if _is_valid(capsule, name):
            released(_handed_over.pop(_pointer(capsule, name)))


def capsule_of(structure):
    """The PyCapsule that hands a stream or a schema over; what is not taken out of it is released with it."""
    address = ctypes.addressof(structure)
    _handed_over[address] = structure
    return _new(address, _NAMES[0] if isinstance(structure, Stream) else _NAMES[1], ctypes.cast(_gone, c_void_p))
