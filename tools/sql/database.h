// DuckDB, a shared library that is loaded when it is asked for: a database in memory, and statements that it answers.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>

#include "duckdb_api.h"
#include "sql/duckdb_api.h"

namespace evt::tools {

// One thread at a time, but interrupt(). Errors: kInvalid, the statement is wrong; kMemory; kIo, there is no answer for
// another reason.
class Database {
 public:
  struct Limits {
    std::uint64_t memory = 0;      // bytes; what is beyond goes to the folder
    std::string temporary_folder;  // which is made when it is needed, and removed; empty: a query that needs it fails
  };

  // It loads nothing from the network, and reads no file but those that statements name.
  static Result<Database> open(const duckdb::Api& api, const Limits& limits);
  Database(Database&& other) noexcept;
  Database& operator=(Database&&) = delete;
  ~Database();

  // One statement or several, whose rows are of no interest.
  Status run(const std::string& statements);
  // Ends what run() or a reader of rows does at this moment, with an error. From any thread.
  void interrupt() const { api_->interrupt(connection_); }

  const duckdb::Api& api() const { return *api_; }
  duckdb::Connection connection() const { return connection_; }

 private:
  Database(const duckdb::Api& api, duckdb::Database database, duckdb::Connection connection)
      : api_(&api), database_(database), connection_(connection) {}

  const duckdb::Api* api_;
  duckdb::Database database_;
  duckdb::Connection connection_;
};

// What DuckDB reports, in one line.
Status status_of(const char* error);
// A name as SQL has it.
std::string quoted_name(const std::string& name);

// What $EVTRACE_DUCKDB names; without it libduckdb.so where the loader finds it, then in the user's folder for data
// (evtrace/libduckdb.so, where `./dev setup --sql` has it put). It stays loaded. Errors: kIo, a sentence that
// names where to get it, or what is wrong with the one that is there.
Result<duckdb::Api> load_duckdb();

// Whether functions of this version are as declared: v1.5.6, v1.4.0-dev123.
bool is_known_duckdb(const char* version);

}  // namespace evt::tools
