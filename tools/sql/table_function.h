// What the table functions of evt sql share: calls from DuckDB, and what they are given.
#pragma once

#include <evt/status.h>

#include <new>
#include <optional>
#include <span>
#include <string>

#include "base/time_spec.h"
#include "sql/database.h"

namespace evt::tools {

// The library whose functions call what is here: what they hand over is read by its functions alone.
inline const duckdb::Api* calling = nullptr;

// No exception goes through DuckDB.
template <typename Call, typename SetError>
void guarded(Call call, SetError set_error) {
  Status status;
  try {
    status = call();
  } catch (const std::bad_alloc&) {
    return set_error("there is not enough memory");
  }
  if (!status.ok()) set_error(status.message().c_str());
}

template <typename T>
void release(void* object) {
  delete static_cast<T*>(object);
}

// An argument; nothing if it is not given, or null.
std::optional<std::string> argument(duckdb::BindInfo info, const char* name);
// The same of a moment.
Result<std::optional<TimeSpec>> moment(duckdb::BindInfo info, const char* name);

struct TableFunction {
  std::string name;
  std::span<const char* const> parameters;  // all are texts, as evt reads them
  void* extra = nullptr;                    // for the calls; must outlive the database
  bool reads_columns = false;               // only those that are asked for
  void (*bind)(duckdb::BindInfo) = nullptr;
  void (*init)(duckdb::InitInfo) = nullptr;
  void (*write)(duckdb::FunctionInfo, duckdb::DataChunk) = nullptr;
};
Status add_function(const Database& database, const TableFunction& function);

}  // namespace evt::tools
