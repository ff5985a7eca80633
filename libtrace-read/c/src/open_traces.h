// The state of evtr_open(): traces, with their sessions numbered across all of them.
#pragma once

#include <evt/export/tables.h>
#include <evt/reader.h>
#include <evt/trace.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace evt::reader {

class OpenTraces {
 public:
  // `paths`: one for each trace.
  OpenTraces(std::vector<std::string> paths, std::deque<Trace> traces);
  OpenTraces(const OpenTraces&) = delete;
  OpenTraces& operator=(const OpenTraces&) = delete;

  std::deque<Trace>& traces() { return traces_; }
  const std::string& path(std::size_t trace) const { return paths_[trace]; }
  std::size_t session_count() const { return sessions_.size(); }
  // Null: there is none with this index.
  const Session* session(std::size_t place) const { return place < sessions_.size() ? sessions_[place] : nullptr; }
  std::uint32_t trace_of(std::size_t session) const { return trace_of_[session]; }
  std::uint32_t place_of(const Session& session) const { return places_.at(&session); }
  const Tables& tables() const { return *tables_; }

  // Sentences about what cannot be read, as far as known.
  std::vector<Status> problems() const;

 private:
  std::vector<std::string> paths_;
  std::deque<Trace> traces_;
  std::vector<const Session*> sessions_;
  std::vector<std::uint32_t> trace_of_;
  std::unordered_map<const Session*, std::uint32_t> places_;
  std::optional<Tables> tables_;
};

std::function<TimeRange(const Session&)> range_in(const evtr_range& range);

}  // namespace evt::reader

struct evtr_trace {
  std::shared_ptr<evt::reader::OpenTraces> open;
  std::vector<evt::Status> problems;  // as of the first request
};
