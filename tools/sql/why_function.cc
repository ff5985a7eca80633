#include "sql/why_function.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "libtrace-read/report/shared/findings_columns.h"
#include "libtrace-read/report/shared/why_answers.h"
#include "sql/table_function.h"
#include "sql/vector_writer.h"

namespace evt::tools {
namespace {

using report::FindingsColumns;
using report::SessionFindings;
using report::WhyAsked;

constexpr const char* kParameters[] = {"span", "thread", "nth", "percentile", "at", "start", "stop"};
const std::vector<std::string> kWhy = {"why"};

struct WhyScan {
  std::unique_ptr<FindingsColumns> found;
  std::size_t at = 0;
};

TimeRange within(TimeRange range, const std::optional<TimeSpec>& start, const std::optional<TimeSpec>& stop,
                 const Session& session) {
  if (start) range.from_ns = std::max(range.from_ns, start->in(session));
  if (stop) range.to_ns = std::min(range.to_ns, stop->in(session));
  return range;
}

template <typename Number>
Status take_number(duckdb::BindInfo info, const char* name, std::optional<Number>* to) {
  const std::optional<std::string> text = argument(info, name);
  if (!text) return {};
  Number number{};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) {
    return {Code::kInvalid, fmt::format("{}: expected a number, found {}", name, *text)};
  }
  *to = number;
  return {};
}

Status take_times(duckdb::BindInfo info, const WhyFunction& function, WhyAsked* asked) {
  const auto at = moment(info, "at");
  const auto start = moment(info, "start");
  const auto stop = moment(info, "stop");
  for (const auto* const each : {&at, &start, &stop}) {
    if (!*each) return each->status();
  }
  if (*at) asked->at = [moment = **at](const Session& session) { return moment.in(session); };
  asked->range = [&function, start = *start, stop = *stop](const Session& session) {
    return within(function.range(session), start, stop, session);
  };
  return {};
}

Status take_arguments(duckdb::BindInfo info, const WhyFunction& function, WhyAsked* asked) {
  asked->name = argument(info, "span").value_or("");
  asked->thread = argument(info, "thread").value_or("");
  std::optional<std::uint64_t> nth;
  if (Status status = take_number(info, "nth", &nth); !status.ok()) return status;
  if (Status status = take_number(info, "percentile", &asked->percent); !status.ok()) return status;
  asked->nth = nth.value_or(1);
  if (Status status = take_times(info, function, asked); !status.ok()) return status;
  return asked->check();
}

void bind_why(duckdb::BindInfo info) {
  const auto bind_it = [&]() -> Status {
    auto asked = std::make_unique<WhyAsked>();
    const auto& function = *static_cast<const WhyFunction*>(calling->bind_get_extra_info(info));
    if (Status status = take_arguments(info, function, asked.get()); !status.ok()) return status;
    const auto columns = report::columns_of({}, kWhy, "why");
    if (!columns) return columns.status();
    for (const Column& column : (*columns)->table.columns) {
      duckdb::LogicalType type = logical_type_of(*calling, column);
      calling->bind_add_result_column(info, column.name.c_str(), type);
      calling->destroy_logical_type(&type);
    }
    calling->bind_set_bind_data(info, asked.release(), &release<WhyAsked>);
    return {};
  };
  guarded(bind_it, [&](const char* why) { calling->bind_set_error(info, why); });
}

Result<std::vector<SessionFindings>> sessions_of(const WhyFunction& function, const WhyAsked& asked) {
  const std::lock_guard lock(function.reading());
  std::vector<SessionFindings> all;
  Status status(Code::kInvalid, "there is no trace");
  for (Trace* const trace : function.traces()) {
    auto found = report::why(*trace, asked);
    if (found) std::move(found->sessions.begin(), found->sessions.end(), std::back_inserter(all));
    status = found.status();
    if (status.code() == Code::kIo) return status;
  }
  return all.empty() ? Result<std::vector<SessionFindings>>(status) : std::move(all);
}

void init_why(duckdb::InitInfo info) {
  const auto init_it = [&]() -> Status {
    const auto& function = *static_cast<const WhyFunction*>(calling->init_get_extra_info(info));
    const auto sessions = sessions_of(function, *static_cast<const WhyAsked*>(calling->init_get_bind_data(info)));
    if (!sessions) return sessions.status();
    auto columns = report::columns_of(*sessions, kWhy, "why");
    if (!columns) return columns.status();
    calling->init_set_init_data(info, new WhyScan{*std::move(columns)}, &release<WhyScan>);
    return {};
  };
  guarded(init_it, [&](const char* why) { calling->init_set_error(info, why); });
}

Status write_next(WhyScan* scan, duckdb::DataChunk chunk) {
  const FindingsColumns& found = *scan->found;
  const std::size_t rows = std::min<std::size_t>(calling->vector_size(), found.rows.rows() - scan->at);
  for (std::size_t i = 0; i < found.table.columns.size() && rows > 0; ++i) {
    write_rows(*calling, found.table.columns[i], found.rows.columns[i], scan->at, rows,
               calling->data_chunk_get_vector(chunk, i));
  }
  calling->data_chunk_set_size(chunk, rows);
  scan->at += rows;
  return {};
}

void write_why(duckdb::FunctionInfo info, duckdb::DataChunk chunk) {
  auto* const scan = static_cast<WhyScan*>(calling->function_get_init_data(info));
  guarded([&] { return write_next(scan, chunk); }, [&](const char* why) { calling->function_set_error(info, why); });
}

}  // namespace

Status WhyFunction::add_to(const Database& database) {
  calling = &database.api();
  return add_function(database, {"why", kParameters, this, false, &bind_why, &init_why, &write_why});
}

}  // namespace evt::tools
