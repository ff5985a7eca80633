// A value change dump (IEEE 1364-2005, section 18).
#pragma once

#include <evt/analysis/counters.h>
#include <evt/export/timeline_export.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "variables.h"

namespace evt {

// Variables are declared in front of all changes, so the items are looked at once before.
class Waveform : public TimelineExport {
 public:
  bool looks_first() const override { return true; }
  void look_at_session(Timeline& timeline) override { begin_walk(timeline); }
  void look(const TimelineItem& item) override { walk(nullptr, item); }
  void end_look() override;
  void begin(TextBuffer& out, const Trace& trace) override;
  void begin_session(TextBuffer&, Timeline& timeline) override { begin_walk(timeline); }
  void take(TextBuffer& out, const TimelineItem& item) override { walk(&out, item); }
  void end_session(TextBuffer& out) override;
  void end(TextBuffer&) override {}
  std::vector<std::string> left_out() const override;

 private:
  using Places = std::map<std::uint64_t, std::size_t>;  // variables, by what they are of

  void begin_walk(Timeline& timeline);
  void walk(TextBuffer* out, const TimelineItem& item);
  void count_left_out(const TimelineItem& item);
  void walk_counter(TextBuffer* out, const TimelineItem& item);
  void walk_async(TextBuffer* out, const TimelineItem& item);
  void walk_state(TextBuffer* out, const TimelineItem& item);
  std::size_t variable(Places* places, std::uint64_t of, Variables::Type type, std::string_view scope,
                       std::string_view name);
  std::size_t thread_variable(std::uint32_t thread);
  std::size_t cpu_variable(std::uint32_t cpu);
  std::size_t bit(Places* places, std::uint32_t of, std::string_view scope, std::string_view name);
  std::string scope_of(std::uint32_t part) const;
  std::string thread_name(std::uint32_t thread) const;
  void forget(std::uint32_t thread);
  void leave(TextBuffer* out, std::uint32_t thread, std::int64_t ns);
  bool at(TextBuffer* out, std::int64_t ns, std::size_t variable);
  void change_bits(TextBuffer* out, std::int64_t ns, std::size_t variable, std::uint64_t value);
  void change_real(TextBuffer* out, std::int64_t ns, std::size_t variable, double value);
  void change_to_none(TextBuffer* out, std::int64_t ns, std::size_t variable);
  void change_bit(TextBuffer* out, std::int64_t ns, std::size_t variable, char value);

  Variables variables_;
  bool looks_ = true;
  std::size_t next_ = 0;              // variable that is not of anything yet
  std::int64_t base_ns_ = INT64_MAX;  // when the earliest session began, UTC, or what was before
  std::optional<std::int64_t> written_ns_;
  std::uint64_t spans_ = 0;       // that are left out
  std::uint64_t events_ = 0;      // the same
  std::uint64_t not_finite_ = 0;  // the same, of values
  std::uint64_t sessions_left_out_ = 0;
  // Of the session.
  Timeline* timeline_ = nullptr;
  std::optional<Counters> counters_;
  std::int64_t offset_ns_ = 0;
  bool is_left_out_ = false;
  Places threads_;
  Places cpus_;
  Places counters_of_;
  Places async_;  // by part and name
  Places collectors_;
  Places stops_;
  Places losses_;
  std::multiset<std::tuple<const StreamInfo*, std::uint64_t, std::int64_t>> drawn_async_;  // stream, id, begin
  std::map<std::uint64_t, std::uint64_t> open_async_;                                      // how many, by part and name
  std::map<std::uint32_t, std::uint32_t> running_on_;                                      // cpu, by thread
  std::map<std::uint32_t, std::uint32_t> runs_there_;                                      // thread, by cpu
};

}  // namespace evt
