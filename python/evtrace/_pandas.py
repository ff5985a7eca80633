"""Tables as frames of pandas."""
from typing import TYPE_CHECKING

import numpy
import pandas

if TYPE_CHECKING:
    from .table import Table


def frame_of(table: "Table") -> "pandas.DataFrame":
    series = {}
    for column, values in zip(table.columns, table.to_numpy().values()):
        if column.kind == "time":
            made = pandas.Series(pandas.DatetimeIndex(numpy.ma.getdata(values), tz="UTC"))
            made[numpy.ma.getmaskarray(values)] = pandas.NaT
        elif isinstance(values, numpy.ma.MaskedArray):
            kinds = {"int64": "Int64", "uint64": "UInt64", "float64": "Float64", "bool": "boolean"}
            made = pandas.Series(values.data, dtype=kinds[values.dtype.name])
            made[values.mask] = pandas.NA
        else:
            made = pandas.Series(values)
        series[column.name] = made
    frame = pandas.DataFrame(series)
    return frame.set_index("time") if "time" in frame else frame
