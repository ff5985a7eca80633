#include "cli/common_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "base/report.h"
#include "base/terminal.h"
#include "base/time_zone.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

// A value of --to; false if it is no time. Throws as check_order() does.
bool take_to(const std::string& text, AskedRange* range) {
  const bool is_length = text.starts_with('+');
  const auto length = is_length ? parse_length(std::string_view(text).substr(1)) : std::nullopt;
  if (length && !range->from) throw CLI::ValidationError("--to", text + " counts from --from, which is not given");
  std::optional<TimeSpec> time = length ? range->from : TimeSpec::parse(text);
  if (!time) return false;
  if (length) time->text = text;
  if (length) time->more_ns = *length;
  range->to = std::move(time);
  check_order(*range);
  return true;
}

void add_filters(CLI::App& app, Selection* selection, Fields fields) {
  repeatable(
      app.add_option("-s,--stream", selection->streams, "include only streams with this name or #ID (may be repeated)"))
      ->type_name("GLOB");
  repeatable(app.add_option("--thread", selection->threads.threads,
                            "include only threads with this name, number or label, as tables print it\n"
                            "(may be repeated)"))
      ->type_name("GLOB");
  repeatable(app.add_option("--process", selection->threads.processes,
                            "include only processes with this name, number or label (may be repeated)"))
      ->type_name("GLOB");
  repeatable(app.add_option(fields == Fields::kNone ? "-e,--event,--type" : "-e,--event", selection->events,
                            "include only event types with this name (may be repeated)"))
      ->type_name("GLOB");
  if (fields == Fields::kNone) return;
  const auto add_conditions = [selection](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) throw_unless_ok("--where", selection->where.add(text));
  };
  repeatable(app.add_option_function<std::vector<std::string>>("-w,--where", add_conditions))
      ->description("include only events that match: 'depth>3 and not function=sum' (may be repeated: all must match)")
      ->type_name("CONDITION");
}

}  // namespace

CLI::Option* add_reading(CLI::App& app, Reading* reading) {
  return app.add_flag("--no-rings", reading->no_rings, "ignore the shared memory of running or killed programs");
}

void check_order(const AskedRange& range) {
  const auto& [from, to] = std::tie(range.from, range.to);
  // The one may be behind a midnight that the other is before; what counts from --from is behind it.
  const bool is_known = from && to && from->from == to->from && from->from != TimeSpec::From::kDay;
  if (!is_known || to->more_ns > 0 || from->ns <= to->ns) return;
  throw CLI::ValidationError("--to", fmt::format("{} is before --from {}", to->text, from->text));
}

void add_times(CLI::App& app, AskedRange* range) {
  add_parsed(
      app, "-f,--from", [range](const std::string& text) { return (range->from = TimeSpec::parse(text)).has_value(); },
      TimeSpec::kForms)
      ->description(
          "start at this time: since the start (1.5, 200ms, 5m, 2h), before the end (-2s),\n"
          "time of day (14:05, 14:05:09.5) or date (2026-11-21T22:48:09Z, or with +02:00)")
      ->type_name("TIME");
  // CLI11 takes options in the order in which they were added: the value of --from is known.
  add_parsed(
      app, "-t,--to", [range](const std::string& text) { return take_to(text, range); }, TimeSpec::kForms)
      ->description("end at this time; +1ms counts from --from")
      ->type_name("TIME");
}

void add_selection(CLI::App& app, Selection* selection, Fields fields) {
  add_times(app, selection);
  add_filters(app, selection, fields);
}

const std::vector<const char*>& options_of_events() {
  static const std::vector<const char*> names = {"--csv",   "--fields",   "--format", "--utc",
                                                 "--local", "--relative", "--delta"};
  return names;
}

void add_event_form(CLI::App& app, EventForm* form) {
  const auto flag = [&](const char* name, bool* out, const char* what) { return app.add_flag(name, *out, what); };
  const auto take_fields = [form](const std::string& text) {
    auto columns = parse_columns(text);
    throw_unless_ok("--fields", columns.status());
    form->fields = text;
    form->columns = *std::move(columns);
  };
  const auto take_format = [form](const std::string& text) {
    auto parsed = parse_line_format(text);
    throw_unless_ok("--format", parsed.status());
    form->format_text = text;
    form->format = *std::move(parsed);
  };
  const auto take_utc = [form](std::int64_t) {
    form->utc = true;
    throw_unless_ok("--utc", TimeZone::choose("UTC"));
  };
  const auto take_zone = [form](const std::string& name) {
    throw_unless_ok("--zone", TimeZone::choose(name));
    form->zone = name;
  };
  CLI::Option* const json = add_json_options(app, &form->json, &form->json_safe, "print one JSON object per event");
  CLI::Option* const csv =
      flag("--csv", &form->csv, "print CSV with a column per field; control characters become \\xHH");
  csv->excludes(json);
  CLI::Option* const fields =
      app.add_option_function<std::string>("--fields", take_fields)
          ->description(
              "print only these columns, as text, JSON or CSV: time, utc, local, delta, ns, stream, stream_id,\n"
              "thread, type, size, ordinal, fields (all), a field's name, role:ROLE; see below")
          ->type_name("NAME,...");
  CLI::Option* const format =
      app.add_option_function<std::string>("--format", take_format)
          ->description("print lines like '{time} {stream} {type} {fields}', with the names of --fields; {{ is a brace")
          ->type_name("TEXT");
  for (CLI::Option* const other : {json, csv, fields}) format->excludes(other);
  CLI::Option* const utc =
      app.add_flag_function("--utc", take_utc)->description("print UTC times instead of times since the start");
  CLI::Option* const local = flag("--local", &form->local, "print times in this machine's time zone");
  CLI::Option* const zone = app.add_option_function<std::string>("--zone", take_zone)
                                ->description("use this time zone, also for --from: Europe/Berlin, +02:00")
                                ->type_name("ZONE");
  utc->excludes(local)->excludes(zone);
  local->excludes(zone);
  CLI::Option* const relative = flag("--relative", &form->relative, "print times since the previous line");
  CLI::Option* const delta = flag("--delta", &form->delta, "add times since the previous line");
  for (CLI::Option* const other : {utc, local, zone, delta, json, csv}) relative->excludes(other);
  for (CLI::Option* const of_columns : {fields, format}) {
    for (CLI::Option* const other : {utc, local, relative, delta}) of_columns->excludes(other);
  }
  add_color(app);
}

void add_quiet(CLI::App& app) {
  app.add_flag_function(
      "-q,--quiet", [](std::int64_t) { Report::be_quiet(); },
      "suppress notes and progress; errors and exit status are unchanged");
}

CLI::Option* add_color(CLI::App& app) {
  return app.add_option_function<std::string>("--color", [](const std::string& when) { Terminal::set_color(when); })
      ->description("use colours: auto (the default: on a terminal), always or never")
      ->check(is_one_of({"auto", "always", "never"}))
      ->type_name("auto|always|never");
}

void add_wide(CLI::App& app) {
  app.add_flag_function(
      "--wide", [](std::int64_t) { Terminal::set_wide(); }, "do not truncate strings in tables to the terminal width");
}

void add_markdown(CLI::App& app) {
  CLI::Option* const option = app.add_flag_function(
      "--markdown", [](std::int64_t) { Terminal::set_markdown(); }, "print Markdown tables, for pull requests");
  for (const char* const other : {"--json", "--csv"}) option->excludes(app.get_option(other));
}

void add_printing(CLI::App& app) {
  add_wide(app);
  app.add_flag_function(
      "--no-pager", [](std::int64_t) { Terminal::set_no_pager(); }, "do not use a pager on a terminal");
}

CLI::Option* add_json_options(CLI::App& app, bool* json, bool* json_safe, const char* what) {
  CLI::Option* const option = app.add_flag("-j,--json", *json, what);
  app.add_flag("--json-safe", *json_safe,
               "with --json: print integers beyond 2^53 as strings, because other programs round them")
      ->needs(option);
  return option;
}

void throw_unless_ok(const std::string& option, const Status& status) {
  if (!status.ok()) throw CLI::ValidationError(option, status.message());
}

void refuse_if(bool is_wrong, const std::string& option, const std::string& sentence) {
  if (is_wrong) throw CLI::ValidationError(option, sentence);
}

CLI::Option* add_parsed(CLI::App& app, const std::string& names, std::function<bool(const std::string&)> take,
                        std::string expected) {
  const auto parse = [name = names.substr(names.find("--")), take = std::move(take),
                      expected = std::move(expected)](const std::string& text) {
    if (!take(text)) throw CLI::ValidationError(name, fmt::format("expected {}, found {}", expected, text));
  };
  return app.add_option_function<std::string>(names, parse);
}

CLI::Option* add_each_parsed(CLI::App& app, const std::string& name, std::function<bool(const std::string&)> take,
                             std::string expected) {
  const auto parse = [=](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      if (!take(text)) throw CLI::ValidationError(name, fmt::format("expected {}, found {}", expected, text));
    }
  };
  return repeatable(app.add_option_function<std::vector<std::string>>(name, parse));
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
    return std::ranges::find(names, text) != names.end() ? "" : none_of(names, text);
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
