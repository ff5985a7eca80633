#include "sql/duckdb_library.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace evt::tools {
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
