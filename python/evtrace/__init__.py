"""Reads traces of evtrace: events, states of threads, spans and counters, as tables.

    import evtrace

    with evtrace.open("app.evt") as trace:
        frame = trace.events("app.job_done").to_pandas()
        spans = trace.spans.to_pandas()

Tables go to numpy, pandas, and by the Arrow PyCapsule interface to polars, DuckDB and pyarrow. numpy and pandas are
needed by the methods that have their names alone.
"""
from .table import Column, Table
from .trace import Event, Events, EvtraceWarning, Session, Stream, Trace, open
from ._library import Error

__all__ = ["Column", "Error", "Event", "Events", "EvtraceWarning", "Session", "Stream", "Table", "Trace", "open"]
__version__ = "0.1.0"
