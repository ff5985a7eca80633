#include "cli/json_options.h"

#include <CLI/CLI.hpp>

namespace evt::tools {

CLI::Option* add_json_options(CLI::App& app, bool* json, bool* json_safe, const char* what) {
  CLI::Option* const option = app.add_flag("-j,--json", *json, what);
  app.add_flag("--json-safe", *json_safe,
               "with --json: whole numbers beyond 2^53, which other programs round, as texts")
      ->needs(option);
  return option;
}

}  // namespace evt::tools
