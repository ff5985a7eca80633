// The options of commands that print JSON.
#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace evt::tools {

// --json, which is returned, and --json-safe. `what` describes --json; of --json-safe see
// append_json_safe().
CLI::Option* add_json_options(CLI::App& app, bool* json, bool* json_safe, const char* what);

}  // namespace evt::tools
