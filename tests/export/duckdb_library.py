"""DuckDB, by its C interface."""
import ctypes


class DuckDb:
    """As much of DuckDB's C interface as a query takes."""

    class Result(ctypes.Structure):
        _fields_ = [("_", ctypes.c_uint64 * 6)]

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.duckdb_value_varchar.restype = ctypes.c_void_p
        self.library.duckdb_result_error.restype = ctypes.c_char_p
        self.library.duckdb_column_count.restype = self.library.duckdb_row_count.restype = ctypes.c_uint64
        database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.library.duckdb_open(None, ctypes.byref(database)) == 0
        assert self.library.duckdb_connect(database, ctypes.byref(self.connection)) == 0

    def query(self, text):
        """Rows of texts, None for null."""
        result = self.Result()
        if self.library.duckdb_query(self.connection, text.encode(), ctypes.byref(result)):
            raise AssertionError(self.library.duckdb_result_error(ctypes.byref(result)).decode() + " in " + text)
        rows = range(self.library.duckdb_row_count(ctypes.byref(result)))
        columns = range(self.library.duckdb_column_count(ctypes.byref(result)))
        return [[self._text(result, column, row) for column in columns] for row in rows]

    def _text(self, result, column, row):
        value = self.library.duckdb_value_varchar(ctypes.byref(result), ctypes.c_uint64(column), ctypes.c_uint64(row))
        return ctypes.string_at(value).decode() if value else None
