#include <evt/analysis/counters.h>
#include <evt/export/timeline_export.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "libtrace-read/export/src/picture/instants.h"
#include "libtrace-read/export/src/picture/system_numbers.h"
#include "libtrace-read/text/counted_sentence.h"
#include "libtrace-read/text/format_number.h"
#include "variables.h"

namespace evt {
namespace {

constexpr auto kEnded = static_cast<std::uint64_t>(ThreadState::kEnded);

// A value change dump (IEEE 1364-2005, section 18). Variables are declared before all changes, so the items are read
// twice.
class Waveform : public TimelineExport {
 public:
  bool looks_first() const override { return true; }
  void look_at_session(Timeline& timeline) override { begin_walk(timeline); }
  void look(const TimelineItem& item) override { walk(nullptr, item); }

  void end_look() override {
    for (const auto& [thread, variable] : threads_) {
      variables_.name(variable, thread_name(static_cast<std::uint32_t>(thread)));
    }
  }

  void begin(TextBuffer& out, const Trace&) override {
    looks_ = false;
    next_ = 0;
    out +=
        "$version evtrace $end\n$timescale 1 ns $end\n"
        "$comment threads: 0 unknown, 1 runnable, 2 running, 3 waiting, 4 outside, z not there; cpus: the number of "
        "the thread, z idle $end\n";
    variables_.append_declarations(out);
    out += "$enddefinitions $end\n#0\n$dumpvars\n";
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      switch (variables_.type(i)) {
        case Variables::Type::kState:
        case Variables::Type::kNumber:
          out += "bz ";
          break;
        case Variables::Type::kReal:
          out += "r0 ";
          break;
        case Variables::Type::kBit:
          out += '0';
          break;
        case Variables::Type::kEvent:
          continue;
      }
      Variables::append_code(out, i);
      out += '\n';
    }
    out += "$end\n";
    written_ns_ = 0;
  }

  void begin_session(TextBuffer&, Timeline& timeline) override { begin_walk(timeline); }
  void take(TextBuffer& out, const TimelineItem& item) override { walk(&out, item); }

  // Known values last until then.
  void end_session(TextBuffer& out) override {
    const Session& session = timeline_->actors().session();
    const std::int64_t time = std::max(first_event_ns(session), timeline_->end_ns()) + offset_ns_ - base_ns_;
    if (is_left_out_ || time <= written_ns_.value_or(0)) return;
    out += '#';
    append_number(out, time);
    out += '\n';
    written_ns_ = time;
  }

  void end(TextBuffer&) override {}

  std::vector<std::string> left_out() const override {
    std::vector<std::string> sentences;
    add_counted(spans_, " span or call has no place in a waveform", " spans and calls have no place in a waveform",
                &sentences);
    add_counted(events_, " event without a state or counter has no place in a waveform",
                " events without a state or counter have no place in a waveform", &sentences);
    add_counted(not_finite_, " value of a counter that is not a finite number has no place in a waveform",
                " values of counters that are not finite numbers have no place in a waveform", &sentences);
    add_counted(variables_.left_out(), " thread, cpu or counter beyond the limit of a waveform is left out",
                " threads, cpus and counters beyond the limit of a waveform are left out", &sentences);
    add_counted(sessions_left_out_,
                " session begins before the previous one ends, and is left out: a waveform cannot step back in time",
                " sessions begin before the previous ones end, and are left out: a waveform cannot step back in time",
                &sentences);
    return sentences;
  }

 private:
  using Places = std::map<std::uint64_t, std::size_t>;  // variables, by their subject

  void begin_walk(Timeline& timeline) {
    timeline_ = &timeline;
    const Session& session = timeline.actors().session();
    counters_.emplace(session, timeline.names());
    offset_ns_ = session.start_utc_ns;
    for (Places* places : {&threads_, &cpus_, &counters_of_, &async_, &collectors_, &stops_, &losses_}) places->clear();
    drawn_async_.clear();
    open_async_.clear();
    running_on_.clear();
    runs_there_.clear();
    // Times of a waveform do not step back.
    const std::int64_t first_ns = offset_ns_ + std::min<std::int64_t>(timeline.first_ns(), 0);
    if (looks_) base_ns_ = std::min(base_ns_, first_ns);
    is_left_out_ = !looks_ && written_ns_ && first_ns - base_ns_ < *written_ns_;
    sessions_left_out_ += is_left_out_ ? 1 : 0;
  }

  void walk(TextBuffer* out, const TimelineItem& item) {
    if (is_left_out_) return;
    Actors& actors = timeline_->actors();
    switch (item.kind) {
      case ItemKind::kRow:
        return walk_counter(out, item);
      case ItemKind::kThread:
        return change_bits(out, item.ns, thread_variable(item.thread), 0);
      case ItemKind::kState:
        return item.is_open ? void() : walk_state(out, item);
      case ItemKind::kIdleThread:
        leave(out, item.thread, item.ns);
        return change_to_none(out, item.ns, thread_variable(item.thread));
      case ItemKind::kBegan:
        spans_ += looks_ && item.is_wanted ? 1 : 0;
        return;
      case ItemKind::kAsyncBegan:
      case ItemKind::kAsyncEnded:
        return item.is_open ? void() : walk_async(out, item);
      case ItemKind::kAsyncUnmatched:
        spans_ += looks_ && item.is_wanted && item.event->role == Role::kAsyncBegin ? 1 : 0;
        return;
      case ItemKind::kCollectorBegan:
      case ItemKind::kCollectorEnded: {
        const std::string scope = scope_of(actors.part_of(*item.stream));
        const std::size_t collects = bit(&collectors_, item.stream->id, scope, item.stream->name + "_collects");
        return change_bit(out, item.ns, collects, item.kind == ItemKind::kCollectorBegan ? '1' : '0');
      }
      case ItemKind::kStopBegan:
      case ItemKind::kStopEnded:
        if (item.depth > 0) return;
        return change_bit(out, item.ns, bit(&stops_, item.part, scope_of(item.part), "stopped"),
                          item.kind == ItemKind::kStopBegan ? '1' : '0');
      case ItemKind::kLost:
        return change_bit(out, item.ns,
                          variable(&losses_, 0, Variables::Type::kEvent, scope_of(Actor::kNone), "events_lost"), '1');
      case ItemKind::kFold:
        for (const std::uint32_t gone : item.event->fold->all()) {
          leave(out, gone, item.ns);
          forget(gone);
        }
        return;
      default:
        return;
    }
  }

  // Counts an event that gives no counter a value.
  void count_left_out(const TimelineItem& item) {
    const RoleEvent& event = *item.event;
    if (event.lost || event.jump || event.is_facet || !item.is_wanted) return;
    if (Counters::is_about(item)) {
      ++not_finite_;
    } else if (event.role != Role::kAsyncBegin && event.role != Role::kAsyncEnd && is_instant(event.role)) {
      ++events_;
    }
  }

  void walk_counter(TextBuffer* out, const TimelineItem& item) {
    const std::uint32_t which = counters_->take(item);
    if (which == Counters::kNone) {
      if (looks_) count_left_out(item);
      return;
    }
    if (!item.is_wanted) return;
    const Counters::Counter& counter = counters_->all()[which];
    const std::size_t place = variable(&counters_of_, which, Variables::Type::kReal,
                                       scope_of(timeline_->actors().part_of(*item.stream)), counter.name);
    change_real(out, item.ns, place, counter.value);
  }

  // Number of open ones with the name whose begin is wanted.
  void walk_async(TextBuffer* out, const TimelineItem& item) {
    const std::tuple span{item.stream, item.value, item.began_ns};
    const bool begins = item.kind == ItemKind::kAsyncBegan;
    const auto drawn = drawn_async_.find(span);
    if (begins ? !item.is_wanted : drawn == drawn_async_.end()) return;
    begins ? void(drawn_async_.insert(span)) : void(drawn_async_.erase(drawn));
    const std::uint32_t part = timeline_->actors().part_of(*item.stream);
    const std::uint64_t which = std::uint64_t{part} << 32 | item.name;
    std::uint64_t& open = open_async_[which];
    begins ? ++open : --open;
    const std::string name(timeline_->names().text(item.name));
    change_real(out, item.ns, variable(&async_, which, Variables::Type::kReal, scope_of(part), name + "_open"),
                static_cast<double>(open));
  }

  void walk_state(TextBuffer* out, const TimelineItem& item) {
    const std::size_t variable = thread_variable(item.thread);
    const auto state = static_cast<std::uint64_t>(item.state);
    leave(out, item.thread, item.ns);
    state == kEnded ? change_to_none(out, item.ns, variable) : change_bits(out, item.ns, variable, state);
    if (item.state != ThreadState::kRunning) return;
    running_on_[item.thread] = item.cpu;
    runs_there_[item.cpu] = item.thread;
    const std::uint64_t number =
        item.thread < Actor::kOthers ? timeline_->actors().threads()[item.thread].number : UINT64_MAX;
    change_bits(out, item.ns, cpu_variable(item.cpu), number);
  }

  // The same order gives the same variables the second time.
  std::size_t variable(Places* places, std::uint64_t of, Variables::Type type, std::string_view scope,
                       std::string_view name) {
    const auto [known, is_new] = places->try_emplace(of, next_);
    if (!is_new) return known->second;
    ++next_;
    if (looks_) variables_.name(variables_.add(type, scope), name);
    return known->second;
  }

  std::size_t thread_variable(std::uint32_t thread) {
    const std::uint32_t part = thread < Actor::kOthers ? timeline_->actors().threads()[thread].part : Actor::kNone;
    return variable(&threads_, thread, Variables::Type::kState, scope_of(part), "");
  }

  std::size_t cpu_variable(std::uint32_t cpu) {
    if (cpu >= Actor::kOthers) {
      return variable(&cpus_, cpu, Variables::Type::kNumber, scope_of(Actor::kNone), "other_cpus");
    }
    const Actor& actor = timeline_->actors().cpus()[cpu];
    return variable(&cpus_, cpu, Variables::Type::kNumber, scope_of(actor.part), "cpu_" + std::to_string(actor.number));
  }

  std::size_t bit(Places* places, std::uint32_t of, std::string_view scope, std::string_view name) {
    return variable(places, of, Variables::Type::kBit, scope, name);
  }

  std::string scope_of(std::uint32_t part) const { return part_name(timeline_->actors().session(), part); }

  std::string thread_name(std::uint32_t thread) const {
    return thread < Actor::kOthers ? timeline_->actors().threads()[thread].name_or_number("thread") : "others";
  }

  // Its name when it was forgotten.
  void forget(std::uint32_t thread) {
    const auto known = threads_.find(thread);
    if (known == threads_.end()) return;
    if (looks_) variables_.name(known->second, thread_name(thread));
    threads_.erase(known);
  }

  void leave(TextBuffer* out, std::uint32_t thread, std::int64_t ns) {
    const auto on = running_on_.find(thread);
    if (on == running_on_.end()) return;
    const auto there = runs_there_.find(on->second);
    if (there != runs_there_.end() && there->second == thread) {
      change_to_none(out, ns, cpu_variable(on->second));
      runs_there_.erase(there);
    }
    running_on_.erase(on);
  }

  // A variable changes at this time; false if there is none, or none is written.
  bool at(TextBuffer* out, std::int64_t ns, std::size_t variable) {
    if (out == nullptr || variable >= variables_.size()) return false;
    const std::int64_t time = ns + offset_ns_ - base_ns_;
    if (written_ns_ != time) {
      *out += '#';
      append_number(*out, time);
      *out += '\n';
      written_ns_ = time;
    }
    return true;
  }

  void change_bits(TextBuffer* out, std::int64_t ns, std::size_t variable, std::uint64_t value) {
    if (!at(out, ns, variable)) return;
    *out += 'b';
    int bit = 63;
    while (bit > 0 && (value >> bit & 1) == 0) --bit;
    for (; bit >= 0; --bit) *out += (value >> bit & 1) != 0 ? '1' : '0';
    *out += ' ';
    Variables::append_code(*out, variable);
    *out += '\n';
  }

  void change_real(TextBuffer* out, std::int64_t ns, std::size_t variable, double value) {
    if (!at(out, ns, variable)) return;
    *out += 'r';
    append_float(*out, value);
    *out += ' ';
    Variables::append_code(*out, variable);
    *out += '\n';
  }

  void change_to_none(TextBuffer* out, std::int64_t ns, std::size_t variable) {
    if (!at(out, ns, variable)) return;
    *out += "bz ";
    Variables::append_code(*out, variable);
    *out += '\n';
  }

  void change_bit(TextBuffer* out, std::int64_t ns, std::size_t variable, char value) {
    if (!at(out, ns, variable)) return;
    *out += value;
    Variables::append_code(*out, variable);
    *out += '\n';
  }

  Variables variables_;
  bool looks_ = true;
  std::size_t next_ = 0;              // first unused variable
  std::int64_t base_ns_ = INT64_MAX;  // when the earliest session began, UTC, or its earliest item
  std::optional<std::int64_t> written_ns_;
  std::uint64_t spans_ = 0;       // left out
  std::uint64_t events_ = 0;      // left out
  std::uint64_t not_finite_ = 0;  // values left out
  std::uint64_t sessions_left_out_ = 0;
  // The session's.
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
  std::map<std::uint64_t, std::uint64_t> open_async_;  // their number, by part and name
  std::map<std::uint32_t, std::uint32_t> running_on_;  // cpu, by thread
  std::map<std::uint32_t, std::uint32_t> runs_there_;  // thread, by cpu
};

}  // namespace

std::unique_ptr<TimelineExport> waveform() { return std::make_unique<Waveform>(); }

}  // namespace evt
