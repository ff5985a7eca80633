#include "sql/database.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace evt::tools {
namespace {

// `Binder Error: no such column!\nCandidate bindings: "a"\n\nLINE 2: select b\n ^` on one line, without what it quotes.
std::string in_one_line(std::string_view error) {
  std::string place;
  if (const std::size_t quote = error.find("\n\nLINE "); quote != error.npos) {
    const std::string_view number = error.substr(quote + 7, error.find(':', quote) - quote - 7);
    place = fmt::format(" (line {})", number);
    error = error.substr(0, quote);
  }
  std::string line;
  for (const char c : error) {
    if (c != '\n' && c != '\t') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line + place;
}

Code code_of(std::string_view error) {
  const auto is = [&](std::string_view kind) { return error.starts_with(kind); };
  if (is("Out of Memory Error")) return Code::kMemory;
  for (const char* kind :
       {"IO Error", "HTTP Error", "Permission Error", "INTERRUPT Error", "INTERNAL Error", "FATAL Error"}) {
    if (is(kind)) return Code::kIo;
  }
  return Code::kInvalid;
}

Status open_failed(const duckdb::Api& api, char* error) {
  Status status(Code::kIo, fmt::format("cannot open a database: {}", error != nullptr ? error : "no reason"));
  api.free(error);
  return status;
}

}  // namespace

Status status_of(const char* error) {
  if (error == nullptr) return {Code::kIo, "DuckDB fails without a reason"};
  return {code_of(error), in_one_line(error)};
}

std::string quoted_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

Result<Database> Database::open(const duckdb::Api& api, const Limits& limits) {
  duckdb::Config config = nullptr;
  if (api.create_config(&config) != duckdb::kSuccess) return open_failed(api, nullptr);
  const std::string memory = fmt::format("{}MiB", limits.memory >> 20);
  bool is_set = true;
  for (const auto& [name, value] :
       {std::pair("memory_limit", memory.c_str()), std::pair("temp_directory", limits.temporary_folder.c_str()),
        std::pair("autoinstall_known_extensions", "false"), std::pair("autoload_known_extensions", "false")}) {
    is_set = is_set && api.set_config(config, name, value) == duckdb::kSuccess;
  }
  duckdb::Database database = nullptr;
  char* error = nullptr;
  const bool is_open = is_set && api.open_ext(nullptr, &database, config, &error) == duckdb::kSuccess;
  api.destroy_config(&config);
  if (!is_open) return open_failed(api, error);
  duckdb::Connection connection = nullptr;
  if (api.connect(database, &connection) != duckdb::kSuccess) {
    api.close(&database);
    return open_failed(api, nullptr);
  }
  return Database(api, database, connection);
}

Database::Database(Database&& other) noexcept
    : api_(other.api_),
      database_(std::exchange(other.database_, nullptr)),
      connection_(std::exchange(other.connection_, nullptr)) {}

Database::~Database() {
  if (connection_ != nullptr) api_->disconnect(&connection_);
  if (database_ != nullptr) api_->close(&database_);
}

Status Database::run(const std::string& statements) {
  duckdb::Result result = {};
  const bool is_done = api_->query(connection_, statements.c_str(), &result) == duckdb::kSuccess;
  const Status status = is_done ? Status() : status_of(api_->result_error(&result));
  api_->destroy_result(&result);
  return status;
}

}  // namespace evt::tools
