#include "cli/common_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "libtrace-read/export/src/base/near_names.h"
#include "report.h"
#include "terminal.h"

namespace evt::tools {

void add_quiet(CLI::App& app) {
  app.add_flag_function(
      "-q,--quiet", [](std::int64_t) { Report::be_quiet(); },
      "no notes and no progress on standard error; errors, and the exit status, are as without");
}

CLI::Option* add_color(CLI::App& app) {
  return app.add_option_function<std::string>("--color", [](const std::string& when) { Terminal::set_color(when); })
      ->description("colours: auto (the default: on a terminal), always or never")
      ->check(is_one_of({"auto", "always", "never"}))
      ->type_name("auto|always|never");
}

void add_wide(CLI::App& app) {
  app.add_flag_function(
      "--wide", [](std::int64_t) { Terminal::set_wide(); },
      "on a terminal: texts in tables are not shortened to its width");
}

void add_printing(CLI::App& app) {
  add_wide(app);
  app.add_flag_function(
      "--no-pager", [](std::int64_t) { Terminal::set_no_pager(); }, "on a terminal: print without a pager");
}

CLI::Option* add_json_options(CLI::App& app, bool* json, bool* json_safe, const char* what) {
  CLI::Option* const option = app.add_flag("-j,--json", *json, what);
  app.add_flag("--json-safe", *json_safe,
               "with --json: whole numbers beyond 2^53, which other programs round, as texts")
      ->needs(option);
  return option;
}

CLI::Option* repeatable(CLI::Option* option) { return option->expected(1)->allow_extra_args(false)->take_all(); }

std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

std::function<std::string(const std::string&)> is_number(const char* what) {
  return [what](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole ? "" : fmt::format("expected {}, found {}", what, text);
  };
}

std::string none_of(const std::vector<std::string>& names, const std::string& found) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return fmt::format("expected {}, found {}{}", list, found, did_you_mean(found, names));
}

std::function<std::string(const std::string&)> is_one_of(std::vector<std::string> names) {
  return [names = std::move(names)](const std::string& text) -> std::string {
    return std::find(names.begin(), names.end(), text) != names.end() ? "" : none_of(names, text);
  };
}

std::optional<std::uint64_t> parse_size(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 15) return std::nullopt;
  const std::string unit = text.substr(digits);
  for (const auto& [name, shift] : {std::pair("", 0), std::pair("K", 10), std::pair("M", 20), std::pair("G", 30)}) {
    if (unit == name && std::stoull(text) > 0) return std::uint64_t{std::stoull(text)} << shift;
  }
  return std::nullopt;
}

}  // namespace evt::tools
