#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "base/output_format.h"
#include "base/time_spec.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {
namespace {

// Nanoseconds, or a length of time with a unit, of either sign.
std::optional<std::int64_t> parse_offset(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 30) return std::nullopt;
  const bool is_plain = text.find_first_not_of("0123456789") == text.npos;
  const auto length = parse_length(is_plain ? std::string(text) + "ns" : std::string(text));
  if (!length) return std::nullopt;
  return is_negative ? -*length : *length;
}

// SEND,RECEIVE[:FIELD]
std::optional<PairedEvents> parse_matched(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return std::nullopt;
  const std::size_t colon = text.find(':', comma);
  PairedEvents matched;
  matched.send = text.substr(0, comma);
  matched.receive = text.substr(comma + 1, colon == text.npos ? text.npos : colon - comma - 1);
  if (colon != text.npos) matched.field = text.substr(colon + 1);
  // Of one type there is nothing that another input could have received.
  const bool is_whole = matched.send != matched.receive && !matched.send.empty() && !matched.receive.empty() &&
                        (colon == text.npos || !matched.field.empty());
  return is_whole ? std::optional(matched) : std::nullopt;
}

// FILE=NS
std::optional<std::pair<std::string, std::int64_t>> parse_shift(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == text.npos || equals == 0) return std::nullopt;
  const auto offset = parse_offset(text.substr(equals + 1));
  return offset ? std::optional(std::pair(text.substr(0, equals), *offset)) : std::nullopt;
}

// An option that may be repeated, each of whose values is parsed.
template <typename T>
CLI::Option* add_list(CLI::App& app, const char* name, std::vector<T>* all,
                      std::optional<T> (*parse)(const std::string&), const char* expected) {
  const auto take = [=](const std::string& text) {
    const std::optional<T> value = parse(text);
    if (value) all->push_back(*value);
    return value.has_value();
  };
  return add_each_parsed(app, name, take, expected);
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<MergeArguments>& options) {
  app.add_option("files", options->files, "the traces; - is standard input")->required();
  app.add_option("-o,--output", options->output, "write the merged trace to this file (.evt); - is standard output")
      ->type_name("FILE")
      ->required();
  add_list(app, "--sync-on", &options->sync_on, parse_matched,
           "SEND,RECEIVE or SEND,RECEIVE:FIELD, two types of events")
      ->description(
          "align clocks by matching SEND and RECEIVE events with equal FIELD, by default the first (may be "
          "repeated)")
      ->type_name("SEND,RECEIVE[:FIELD]");
  add_list(app, "--offset", &options->offsets, parse_shift, "FILE=NS")
      ->description("add this many ns, or 2ms, -1.5s, to the times of an input (may be repeated)")
      ->type_name("FILE=NS");
  add_reading(app, &options->reading);
  add_color(app);
  add_quiet(app);
  app.footer(help_text("evt-merge"));
  app.parse_complete_callback([options] {
    throw_unless_ok("--output", check_trace_name(options->output));
    refuse_if(!options->sync_on.empty() && options->files.size() < 2, "--sync-on", "needs two traces or more");
  });
}

}  // namespace evt::tools
