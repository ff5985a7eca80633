// The environment variables that evt reads, and the files that it uses beside those that it is given: one table, for
// `evt help environment` and the manual.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace evt::tools {

struct Surrounding {
  const char* name;      // of a variable, or a path
  const char* commands;  // "dump stats": which use it; empty: all
  const char* what;
};

std::span<const Surrounding> environment_variables();
std::span<const Surrounding> files_of_evt();

// `command` is dump, or stats-cpu; evt has all.
bool is_of(const Surrounding& each, std::string_view command);

// `evt help environment`.
std::string environment_help();

}  // namespace evt::tools
