#include "cli/merge_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/common_options.h"
#include "cli/output_format.h"
#include "time_spec.h"

namespace evt::tools {

std::optional<std::int64_t> parse_offset(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 30) return std::nullopt;
  const bool is_plain = text.find_first_not_of("0123456789") == text.npos;
  const auto length = parse_length(is_plain ? std::string(text) + "ns" : std::string(text));
  if (!length) return std::nullopt;
  return is_negative ? -*length : *length;
}

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

namespace {

// A test of each of an option's values, and the sentence when it fails.
template <typename Parse>
auto each(Parse parse, const char* expected) {
  return [parse, expected](const std::string& text) {
    return parse(text) ? std::string() : fmt::format("expected {}, found {}", expected, text);
  };
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<MergeArguments>& options) {
  app.add_option("files", options->files, "the traces; - is standard input")->required();
  app.add_option("-o,--output", options->output, "where the merged trace goes, a name in .evt; - is standard output")
      ->type_name("FILE")
      ->required();
  const auto is_offset = [](const std::string& text) {
    const std::size_t equals = text.rfind('=');
    return equals != text.npos && equals > 0 && parse_offset(text.substr(equals + 1)).has_value();
  };
  repeatable(app.add_option("--sync-on", options->sync_on,
                            "align clocks by matching SEND and RECEIVE events whose FIELD (by default the first) is "
                            "equal (may be repeated)"))
      ->type_name("SEND,RECEIVE[:FIELD]")
      ->check(each([](const std::string& text) { return parse_matched(text).has_value(); },
                   "SEND,RECEIVE or SEND,RECEIVE:FIELD, two types of events"));
  repeatable(app.add_option("--offset", options->offsets,
                            "add this many ns to the times of an input, or 2ms, -1.5s (may be repeated)"))
      ->type_name("FILE=NS")
      ->check(each(is_offset, "FILE=NS"));
  options->reading.add_options(app);
  add_color(app);
  add_quiet(app);
  app.footer(
      "The merged trace has one session with the streams of all inputs. Inputs of one boot share their\n"
      "time; others are aligned by UTC or by messages, and the error of that is reported. Rows are not changed.\n\n"
      "Examples: evt merge a.evt b.evt -o both.evt\n"
      "          evt merge a.evt b.evt --sync-on rpc.send,rpc.receive:id -o both.evt\n"
      "          evt merge a.evt b.evt --offset b.evt=-1.5s -o both.evt\n\n"
      "Exit status: 0 all was merged; 1 an input is damaged or truncated, the rest was merged, or --sync-on\n"
      "names what is not there; 2 wrong usage, such as an input as output; 3 an input could not be read,\n"
      "or the output not written.");
  app.parse_complete_callback([options] {
    const Status status = check_trace_name(options->output);
    if (!status.ok()) throw CLI::ValidationError("--output", status.message());
    if (!options->sync_on.empty() && options->files.size() < 2) {
      throw CLI::ValidationError("--sync-on", "is for two traces or more");
    }
  });
}

}  // namespace evt::tools
