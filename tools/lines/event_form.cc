#include "event_form.h"

#include <evt/export/csv_lines.h>
#include <evt/export/pretty_printer.h>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/terminal.h"

namespace evt::tools {
DataOptions EventForm::data_options(bool several_files) const { return {utc, several_files, is_local(), delta}; }

Result<std::unique_ptr<EventLines>> EventForm::make_lines(const std::vector<const Trace*>& traces, bool several_files,
                                                          const WantsTypeOf& wants_type, const Highlight& highlight) {
  if (format) {
    const Status status = resolve_columns(&format->columns, format_text, traces, wants_type);
    if (!status.ok()) return Status(status.code(), "--format: " + status.message());
    note_names(format->columns);
    return formatted_lines(*std::move(format), !several_files);
  }
  if (columns) {
    Status status = resolve_columns(&*columns, fields, traces, wants_type);
    if (status.ok()) status = check_distinct(*columns, fields);
    if (!status.ok()) return Status(status.code(), "--fields: " + status.message());
    note_names(*columns);
    ColumnForm form;
    form.kind = json ? ColumnForm::Kind::kJson : csv ? ColumnForm::Kind::kCsv : ColumnForm::Kind::kText;
    form.several_files = several_files;
    form.several_sessions =
        std::ranges::any_of(traces, [](const Trace* trace) { return trace->sessions().size() > 1; });
    form.color = Terminal::colors_output();
    return column_lines(form, *std::move(columns), wants_type);
  }
  return make_plain_lines(traces, several_files, wants_type, highlight);
}

void EventForm::note_names(const std::vector<PlacedColumn>& named) {
  for (const PlacedColumn& each : named) {
    if (!each.column.is_field()) of_each_event_.push_back(each.column.name());
  }
}

std::vector<std::string> EventForm::fields_declared_later(const std::vector<const Trace*>& traces,
                                                          const WantsTypeOf& wants_type) const {
  std::vector<std::string> sentences;
  for (const std::string& name : of_each_event_) {
    auto column = EventColumn::parse(name);
    if (!column || !column->resolve(traces, wants_type).empty() || !column->is_field()) continue;
    sentences.push_back(fmt::format(
        "{0}: a field of this name was declared later: {0} prints that of each event; \"{0}\", in quotes, is the field",
        name));
  }
  return sentences;
}

std::unique_ptr<EventLines> EventForm::make_plain_lines(const std::vector<const Trace*>& traces, bool several_files,
                                                        const WantsTypeOf& wants_type,
                                                        const Highlight& highlight) const {
  if (json) return json_lines(data_options(several_files));
  if (csv) return csv_lines(data_options(several_files), traces, wants_type);
  PeopleOptions people;
  people.time = utc          ? TimeStyle::kUtc
                : is_local() ? TimeStyle::kLocal
                : relative   ? TimeStyle::kSinceLast
                             : TimeStyle::kSinceStart;
  people.color = Terminal::colors_output();
  people.several = several_files;
  people.delta = delta;
  people.highlight = highlight.texts;
  people.ignore_case = highlight.ignore_case;
  return pretty_printer(people);
}

}  // namespace evt::tools
