#include "sql/database.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

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

namespace {

constexpr const char* kName = "libduckdb.so";
constexpr const char* kWhereFrom =
    "get it with `./dev setup --sql` of evtrace's sources, from npm's package @duckdb/node-bindings-linux-x64 "
    "(1.5.6-r.1), "
    "or as libduckdb-linux-*.zip from https://duckdb.org, and name it in EVTRACE_DUCKDB";

// By the XDG Base Directory Specification; empty if the user has none.
std::string in_data_folder() {
  const char* const data = getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return fmt::format("{}/evtrace/{}", data, kName);
  const char* const home = getenv("HOME");
  return home != nullptr && *home == '/' ? fmt::format("{}/.local/share/evtrace/{}", home, kName) : "";
}

// Code is loaded for the user alone who named it.
bool trusts_environment() { return geteuid() == getuid() && getegid() == getgid(); }

// Null, and why.
void* open(const std::string& path, std::string* why) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) *why = dlerror();
  return library;
}

// The handle, or a sentence.
Result<void*> find() {
  std::string why;
  const char* const given = trusts_environment() ? getenv("EVTRACE_DUCKDB") : nullptr;
  if (given != nullptr && *given != '\0') {
    void* const library = open(given, &why);
    if (library != nullptr) return library;
    return Status(Code::kIo, fmt::format("cannot load DuckDB, which EVTRACE_DUCKDB names: {}", why));
  }
  if (void* const library = open(kName, &why)) return library;
  const std::string path = trusts_environment() ? in_data_folder() : "";
  if (!path.empty() && access(path.c_str(), F_OK) == 0) {
    if (void* const library = open(path, &why)) return library;
    return Status(Code::kIo, fmt::format("cannot load DuckDB: {}", why));
  }
  return Status(Code::kIo, fmt::format("this needs DuckDB, and there is no {}: {}", kName, kWhereFrom));
}

}  // namespace

bool is_known_duckdb(const char* version) {
  int major = 0;
  int minor = 0;
  int least_major = 0;
  int least_minor = 0;
  std::sscanf(duckdb::kLeastVersion, "%d.%d", &least_major, &least_minor);
  return std::sscanf(version, "v%d.%d", &major, &minor) == 2 && major == least_major && minor >= least_minor;
}

Result<duckdb::Api> load_duckdb() {
  const auto library = find();
  if (!library) return library.status();
  duckdb::Api api;
  const char* missing = nullptr;
  const auto look_up = [&]<typename Function>(const char* name, Function** function) {
    *function = reinterpret_cast<Function*>(dlsym(*library, name));
    if (*function == nullptr && missing == nullptr) missing = name;
  };
#define EVT_DUCKDB_LOOK_UP(result, name, arguments) look_up("duckdb_" #name, &api.name);
  EVT_DUCKDB_FUNCTIONS(EVT_DUCKDB_LOOK_UP)
#undef EVT_DUCKDB_LOOK_UP
  const std::string version = api.library_version != nullptr ? api.library_version() : "a library without a version";
  if (!is_known_duckdb(version.c_str()) || missing != nullptr) {
    return Status(Code::kIo, fmt::format("expected DuckDB {} or a later 1.x, found {}{}", duckdb::kLeastVersion,
                                         version, missing != nullptr ? fmt::format(", which lacks {}", missing) : ""));
  }
  return api;
}

}  // namespace evt::tools
