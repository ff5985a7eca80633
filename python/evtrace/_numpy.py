"""Tables and events as arrays of numpy."""
import ctypes
from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy

from . import _arrow
from ._library import _Batch, filled, library

if TYPE_CHECKING:
    from .table import Table
    from .trace import Events


def viewed(address: "Optional[int]", count: int, kind: str) -> "numpy.ndarray":
    """Without a copy: it holds as long as what is there."""
    if count == 0:
        return numpy.empty(0, kind)
    size = count * numpy.dtype(kind).itemsize
    return numpy.frombuffer((ctypes.c_uint8 * size).from_address(address), kind)


def copied(address: "Optional[int]", count: int, kind: str) -> "numpy.ndarray":
    return viewed(address, count, kind).copy()


def validity(array: _arrow.Array) -> "Optional[numpy.ndarray]":
    """For each row whether it is not null; None: all are."""
    if array.null_count == 0 or not array.buffers[0]:
        return None
    bits = copied(array.buffers[0], (array.length + 7) // 8, "uint8")
    return numpy.unpackbits(bits, count=array.length, bitorder="little").astype(bool)


def numbers_of(schema: _arrow.Schema, array: _arrow.Array) -> "numpy.ndarray":
    """Of a column of numbers, truth values or times; what is null is 0. It holds as long as the array of Arrow."""
    if schema.format == b"b":
        bits = copied(array.buffers[1], (array.length + 7) // 8, "uint8")
        return numpy.unpackbits(bits, count=array.length, bitorder="little").astype(bool)
    return viewed(array.buffers[1], array.length, _arrow.FIXED[schema.format][1])


def is_of_numbers(schema: _arrow.Schema) -> bool:
    return schema.format == b"b" or schema.format in _arrow.FIXED


def texts_of(schema: _arrow.Schema, array: _arrow.Array) -> "numpy.ndarray":
    """Of all other columns: objects, None where it is null."""
    if schema.dictionary:
        few = _arrow.values_of(schema.dictionary.contents, array.dictionary.contents)
        values = numpy.array([*few, None], dtype=object)[copied(array.buffers[1], array.length, "int32")]
        valid = validity(array)
        if valid is not None:
            values[~valid] = None
        return values
    values = numpy.empty(array.length, dtype=object)
    values[:] = _arrow.values_of(schema, array) if array.length else []
    return values


def arrays_of(table: "Table") -> "Dict[str, Any]":
    kept: "List[_arrow.Array]" = []  # until there is a copy of all of a column
    try:
        return _arrays_of(table, kept)
    finally:
        for array in kept:
            _arrow.released(array)


def _arrays_of(table: "Table", kept: "List[_arrow.Array]") -> "Dict[str, Any]":
    pieces: "List[List[numpy.ndarray]]" = [[] for _ in table.columns]
    valid: "List[List[Optional[numpy.ndarray]]]" = [[] for _ in table.columns]
    for whole, rows in table._batches(kept):
        for i in range(len(table.columns)):
            schema, array = whole.children[i].contents, rows.children[i].contents
            pieces[i].append(numbers_of(schema, array) if is_of_numbers(schema) else texts_of(schema, array))
            valid[i].append(validity(array) if is_of_numbers(schema) else None)
    kinds = {"bool": "bool", "int64": "int64", "uint64": "uint64", "double": "float64", "time": "datetime64[ns]"}
    arrays = {}
    for column, parts, of in zip(table.columns, pieces, valid):
        values = numpy.concatenate(parts) if parts else numpy.empty(0, kinds.get(column.kind, object))
        if any(each is not None for each in of):
            lacks = [~each if each is not None else numpy.zeros(len(part), bool) for part, each in zip(parts, of)]
            values = numpy.ma.MaskedArray(values, numpy.concatenate(lacks))
        arrays[column.name] = values
    return arrays


def arrays_of_events(events: "Events") -> "Dict[str, numpy.ndarray]":
    pieces: "Dict[str, List[numpy.ndarray]]" = {"ns": [], "session": [], "stream": [], "type": []}
    handle = events._open()
    try:
        while (batch := filled(library.evtr_next_batch_1, _Batch, handle)) is not None:
            pieces["ns"].append(copied(batch.ns, batch.size, "int64"))
            pieces["session"].append(numpy.full(batch.size, batch.session, "uint32"))
            pieces["stream"].append(copied(batch.streams, batch.size, "uint32"))
            pieces["type"].append(copied(batch.types, batch.size, "uint32"))
        events._check(handle)
    finally:
        library.evtr_events_close(handle)
    kind = {"ns": "int64"}
    return {name: numpy.concatenate(parts) if parts else numpy.empty(0, kind.get(name, "uint32"))
            for name, parts in pieces.items()}
