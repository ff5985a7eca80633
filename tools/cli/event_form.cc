#include "cli/event_form.h"

#include <evt/export/csv_lines.h>
#include <evt/export/pretty_printer.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/common_options.h"
#include "terminal.h"
#include "time_zone.h"

namespace evt::tools {
namespace {

void throw_unless_ok(const char* option, const Status& status) {
  if (!status.ok()) throw CLI::ValidationError(option, status.message());
}

}  // namespace

const std::vector<const char*>& EventForm::options_of_events() {
  static const std::vector<const char*> names = {"--csv",   "--fields",   "--format", "--utc",
                                                 "--local", "--relative", "--delta"};
  return names;
}

void EventForm::add_options(CLI::App& app) {
  const auto flag = [&](const char* name, bool* out, const char* what) { return app.add_flag(name, *out, what); };
  CLI::Option* const json = add_json_options(app, &json_, &json_safe_, "a JSON object for each event");
  CLI::Option* const csv = flag("--csv", &csv_,
                                "comma-separated values, a column for each field;\ncontrol characters in texts are "
                                "\\xHH");
  csv->excludes(json);
  CLI::Option* const fields =
      app.add_option_function<std::string>("--fields",
                                           [this](const std::string& text) {
                                             auto columns = parse_columns(text);
                                             throw_unless_ok("--fields", columns.status());
                                             fields_ = text;
                                             columns_ = *std::move(columns);
                                           })
          ->description(
              "these columns alone, as text, JSON or CSV: time, utc, local, delta, ns, stream, stream_id,\n"
              "thread, type, size, ordinal, fields (all), fields by name, role:ROLE by role; see below")
          ->type_name("NAME,...");
  CLI::Option* const format =
      app.add_option_function<std::string>("--format",
                                           [this](const std::string& text) {
                                             auto parsed = parse_line_format(text);
                                             throw_unless_ok("--format", parsed.status());
                                             format_text_ = text;
                                             format_ = *std::move(parsed);
                                           })
          ->description("lines like '{time} {stream} {type} {fields}', with the names of --fields; {{ is a brace")
          ->type_name("TEXT");
  for (CLI::Option* const other : {json, csv, fields}) format->excludes(other);
  CLI::Option* const utc = app.add_flag_function("--utc",
                                                 [this](std::int64_t) {
                                                   utc_ = true;
                                                   throw_unless_ok("--utc", TimeZone::choose("UTC"));
                                                 })
                               ->description("times of day instead of times since the start");
  CLI::Option* const local = flag("--local", &local_, "the same in this machine's time zone");
  CLI::Option* const zone =
      app.add_option_function<std::string>("--zone",
                                           [this](const std::string& name) {
                                             throw_unless_ok("--zone", TimeZone::choose(name));
                                             zone_ = name;
                                           })
          ->description("the same in another one: Europe/Berlin, +02:00; --from takes times of it")
          ->type_name("ZONE");
  utc->excludes(local)->excludes(zone);
  local->excludes(zone);
  CLI::Option* const relative = flag("--relative", &relative_, "times since the line before");
  CLI::Option* const delta = flag("--delta", &delta_, "these times too, behind the others");
  for (CLI::Option* const other : {utc, local, zone, delta, json, csv}) relative->excludes(other);
  for (CLI::Option* const of_columns : {fields, format}) {
    for (CLI::Option* const other : {utc, local, relative, delta}) of_columns->excludes(other);
  }
  add_color(app);
}

DataOptions EventForm::data_options(bool several_files) const { return {utc_, several_files, is_local(), delta_}; }

Result<std::unique_ptr<EventLines>> EventForm::make_lines(const std::vector<const Trace*>& traces, bool several_files,
                                                          const WantsTypeOf& wants_type, const Highlight& highlight) {
  if (format_) {
    const Status status = resolve_columns(&format_->columns, format_text_, traces, wants_type);
    if (!status.ok()) return Status(status.code(), "--format: " + status.message());
    note_names(format_->columns);
    return formatted_lines(*std::move(format_), !several_files);
  }
  if (columns_) {
    Status status = resolve_columns(&*columns_, fields_, traces, wants_type);
    if (status.ok()) status = check_distinct(*columns_, fields_);
    if (!status.ok()) return Status(status.code(), "--fields: " + status.message());
    note_names(*columns_);
    ColumnForm form;
    form.kind = json_ ? ColumnForm::Kind::kJson : csv_ ? ColumnForm::Kind::kCsv : ColumnForm::Kind::kText;
    form.several_files = several_files;
    form.several_sessions =
        std::any_of(traces.begin(), traces.end(), [](const Trace* trace) { return trace->sessions().size() > 1; });
    form.color = Terminal::colors_output();
    return column_lines(form, *std::move(columns_), wants_type);
  }
  return make_plain_lines(traces, several_files, wants_type, highlight);
}

void EventForm::note_names(const std::vector<PlacedColumn>& columns) {
  for (const PlacedColumn& each : columns) {
    if (!each.column.is_field()) of_each_event_.push_back(each.column.name());
  }
}

std::vector<std::string> EventForm::fields_declared_later(const std::vector<const Trace*>& traces,
                                                          const WantsTypeOf& wants_type) const {
  std::vector<std::string> sentences;
  for (const std::string& name : of_each_event_) {
    auto column = EventColumn::parse(name);
    if (!column || !column->resolve(traces, wants_type).empty() || !column->is_field()) continue;
    sentences.push_back(
        fmt::format("{0}: a field of this name was declared later: what is printed is the {0} of each event; "
                    "\"{0}\", in quotes, is the field",
                    name));
  }
  return sentences;
}

std::unique_ptr<EventLines> EventForm::make_plain_lines(const std::vector<const Trace*>& traces, bool several_files,
                                                        const WantsTypeOf& wants_type,
                                                        const Highlight& highlight) const {
  if (json_) return json_lines(data_options(several_files));
  if (csv_) return csv_lines(data_options(several_files), traces, wants_type);
  PeopleOptions people;
  people.time = utc_         ? TimeStyle::kUtc
                : is_local() ? TimeStyle::kLocal
                : relative_  ? TimeStyle::kSinceLast
                             : TimeStyle::kSinceStart;
  people.color = Terminal::colors_output();
  people.several = several_files;
  people.delta = delta_;
  people.highlight = highlight.texts;
  people.ignore_case = highlight.ignore_case;
  return pretty_printer(people);
}

}  // namespace evt::tools
