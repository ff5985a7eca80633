"""Reads traces of evtrace: events, states of threads, spans and counters, as tables::

    import evtrace

    with evtrace.open("app.evt") as trace:
        frame = trace.events("app.job_done").to_pandas()
        spans = trace.spans.to_pandas()
        cpu = trace.stats.cpu(by="cpu,thread").to_pandas()

Tables go to numpy, pandas, and by the Arrow PyCapsule interface to polars, DuckDB and pyarrow. numpy and pandas are
needed by the methods that have their names alone.
"""
from .stats import Report, Stats
from .table import Column, EvtraceWarning, Table
from .trace import Event, Events, Session, Stream, Trace, open
from ._library import Error, library as _native

__all__ = ["Column", "Error", "Event", "Events", "EvtraceWarning", "Report", "Session", "Stats", "Stream", "Table",
           "Trace", "open"]
__version__ = _native.evtr_version().decode()
