// As much of DuckDB's C interface as evt sql calls, declared from its documentation: nothing of DuckDB is needed to
// compile evt. Its 64-bit layout; all of it is in libduckdb.so from kLeastVersion on.
#pragma once

#include <cstdint>
#include <cstring>

namespace evt::tools::duckdb {

inline constexpr const char* kLeastVersion = "1.4";

using Index = std::uint64_t;

// Handles. What makes one takes a pointer to it, and so does what destroys it.
using Database = struct DatabaseObject*;
using Connection = struct ConnectionObject*;
using Config = struct ConfigObject*;
using Statement = struct StatementObject*;
using Pending = struct PendingObject*;
using LogicalType = struct LogicalTypeObject*;
using DataChunk = struct DataChunkObject*;
using Vector = struct VectorObject*;
using Selection = struct SelectionObject*;
using Value = struct ValueObject*;
using TableFunction = struct TableFunctionObject*;
using BindInfo = struct BindInfoObject*;
using InitInfo = struct InitInfoObject*;
using FunctionInfo = struct FunctionInfoObject*;

enum State : int { kSuccess = 0, kError = 1 };

enum Type : int {
  kBoolean = 1,
  kTinyint = 2,
  kSmallint = 3,
  kInteger = 4,
  kBigint = 5,
  kUtinyint = 6,
  kUsmallint = 7,
  kUinteger = 8,
  kUbigint = 9,
  kFloat = 10,
  kDouble = 11,
  kHugeint = 16,
  kVarchar = 17,
  kBlob = 18,
  kDecimal = 19,
  kTimestampNs = 22,
  kList = 24,
  kStruct = 25,
  kMap = 26,
  kUhugeint = 32,
  kArray = 33,
};

enum StatementType : int { kSelect = 1 };

enum ResultType : int { kChangedRows = 1, kNothing = 2, kQueryResult = 3 };

struct Result {
  std::uint64_t internal[6];
};

// Of 12 bytes at most it has them itself; of more the first four, and where all are.
struct alignas(8) Text {
  static constexpr std::uint32_t kMostInside = 12;
  std::uint32_t size;
  char inside[kMostInside];

  const char* data() const {
    if (size <= kMostInside) return inside;
    const char* outside = nullptr;
    std::memcpy(&outside, inside + 4, sizeof outside);
    return outside;
  }
};

// Of a row of a list: where its elements are in the vector of all elements.
struct ListEntry {
  std::uint64_t offset;
  std::uint64_t length;
};

static_assert(sizeof(Result) == 48 && sizeof(Text) == 16 && sizeof(ListEntry) == 16);

using Release = void (*)(void*);

// X(what it returns, its name without duckdb_, its arguments)
#define EVT_DUCKDB_FUNCTIONS(X)                                                                 \
  X(const char*, library_version, ())                                                           \
  X(void, free, (void*))                                                                        \
  X(State, create_config, (Config*))                                                            \
  X(State, set_config, (Config, const char* name, const char* value))                           \
  X(void, destroy_config, (Config*))                                                            \
  X(State, open_ext, (const char* path, Database*, Config, char** error))                       \
  X(void, close, (Database*))                                                                   \
  X(State, connect, (Database, Connection*))                                                    \
  X(void, disconnect, (Connection*))                                                            \
  X(void, interrupt, (Connection))                                                              \
  X(State, query, (Connection, const char* text, Result*))                                      \
  X(State, prepare, (Connection, const char* text, Statement*))                                 \
  X(const char*, prepare_error, (Statement))                                                    \
  X(void, destroy_prepare, (Statement*))                                                        \
  X(StatementType, prepared_statement_type, (Statement))                                        \
  X(Index, prepared_statement_column_count, (Statement))                                        \
  X(Type, prepared_statement_column_type, (Statement, Index column))                            \
  X(char*, prepared_statement_column_name, (Statement, Index column))                           \
  X(State, pending_prepared_streaming, (Statement, Pending*))                                   \
  X(State, execute_pending, (Pending, Result*))                                                 \
  X(const char*, pending_error, (Pending))                                                      \
  X(void, destroy_pending, (Pending*))                                                          \
  X(const char*, result_error, (Result*))                                                       \
  X(ResultType, result_return_type, (Result))                                                   \
  X(DataChunk, fetch_chunk, (Result))                                                           \
  X(void, destroy_result, (Result*))                                                            \
  X(Index, data_chunk_get_size, (DataChunk))                                                    \
  X(void, data_chunk_set_size, (DataChunk, Index rows))                                         \
  X(Vector, data_chunk_get_vector, (DataChunk, Index column))                                   \
  X(void, destroy_data_chunk, (DataChunk*))                                                     \
  X(Index, vector_size, ())                                                                     \
  X(void*, vector_get_data, (Vector))                                                           \
  X(std::uint64_t*, vector_get_validity, (Vector))                                              \
  X(void, vector_ensure_validity_writable, (Vector))                                            \
  X(void, vector_assign_string_element_len, (Vector, Index row, const char* bytes, Index size)) \
  X(Vector, list_vector_get_child, (Vector))                                                    \
  X(State, list_vector_set_size, (Vector, Index elements))                                      \
  X(State, list_vector_reserve, (Vector, Index elements))                                       \
  X(Selection, create_selection_vector, (Index rows))                                           \
  X(std::uint32_t*, selection_vector_get_data_ptr, (Selection))                                 \
  X(void, slice_vector, (Vector, Selection, Index rows))                                        \
  X(void, destroy_selection_vector, (Selection))                                                \
  X(LogicalType, create_logical_type, (Type))                                                   \
  X(LogicalType, create_list_type, (LogicalType element))                                       \
  X(void, destroy_logical_type, (LogicalType*))                                                 \
  X(bool, is_null_value, (Value))                                                               \
  X(char*, get_varchar, (Value))                                                                \
  X(void, destroy_value, (Value*))                                                              \
  X(TableFunction, create_table_function, ())                                                   \
  X(void, table_function_set_name, (TableFunction, const char*))                                \
  X(void, table_function_add_named_parameter, (TableFunction, const char* name, LogicalType))   \
  X(void, table_function_set_extra_info, (TableFunction, void*, Release))                       \
  X(void, table_function_set_bind, (TableFunction, void (*)(BindInfo)))                         \
  X(void, table_function_set_init, (TableFunction, void (*)(InitInfo)))                         \
  X(void, table_function_set_function, (TableFunction, void (*)(FunctionInfo, DataChunk)))      \
  X(void, table_function_supports_projection_pushdown, (TableFunction, bool))                   \
  X(State, register_table_function, (Connection, TableFunction))                                \
  X(void, destroy_table_function, (TableFunction*))                                             \
  X(void*, bind_get_extra_info, (BindInfo))                                                     \
  X(void, bind_add_result_column, (BindInfo, const char* name, LogicalType))                    \
  X(Value, bind_get_named_parameter, (BindInfo, const char* name))                              \
  X(void, bind_set_bind_data, (BindInfo, void*, Release))                                       \
  X(void, bind_set_error, (BindInfo, const char*))                                              \
  X(void*, init_get_bind_data, (InitInfo))                                                      \
  X(void*, init_get_extra_info, (InitInfo))                                                     \
  X(Index, init_get_column_count, (InitInfo))                                                   \
  X(Index, init_get_column_index, (InitInfo, Index))                                            \
  X(void, init_set_init_data, (InitInfo, void*, Release))                                       \
  X(void, init_set_error, (InitInfo, const char*))                                              \
  X(void*, function_get_init_data, (FunctionInfo))                                              \
  X(void, function_set_error, (FunctionInfo, const char*))

struct Api {
#define EVT_DUCKDB_MEMBER(result, name, arguments) result(*name) arguments = nullptr;
  EVT_DUCKDB_FUNCTIONS(EVT_DUCKDB_MEMBER)
#undef EVT_DUCKDB_MEMBER
};

}  // namespace evt::tools::duckdb
