#include <evt/analysis/collections.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "archive.h"
#include "first_few.h"
#include "mutator_utilization.h"
#include "parts.h"

namespace evt {
namespace {

using Sparks = Collections::Sparks;

// Which member an event or a field of counters adds to.
struct SparkKind {
  Role role;
  const char* field;
  std::uint64_t Sparks::*count;
};
constexpr SparkKind kSparks[] = {{Role::kSparkCreate, "created", &Sparks::created},
                                 {Role::kSparkDud, "dud", &Sparks::dud},
                                 {Role::kSparkOverflow, "overflowed", &Sparks::overflowed},
                                 {Role::kSparkRun, "converted", &Sparks::converted},
                                 {Role::kSparkSteal, "", &Sparks::converted},
                                 {Role::kSparkCollect, "collected", &Sparks::collected},
                                 {Role::kSparkFizzle, "fizzled", &Sparks::fizzled}};

}  // namespace

// Total time that is in any of many stretches, which come nearly in the order of their ends; and the windows that have
// most of it, if these are wanted.
class CoveredTime {
 public:
  explicit CoveredTime(std::optional<MutatorUtilization> windows = std::nullopt) : windows_(std::move(windows)) {}

  void add(std::int64_t from_ns, std::int64_t to_ns) {
    constexpr std::size_t kMax = 4096;
    const auto begin = std::ranges::find_if(latest_, [&](const Stretch& other) { return other.to_ns >= from_ns; });
    auto end = begin;
    for (; end != latest_.end() && end->from_ns <= to_ns; ++end) {
      from_ns = std::min(from_ns, end->from_ns);
      to_ns = std::max(to_ns, end->to_ns);
    }
    latest_.insert(latest_.erase(begin, end), {from_ns, to_ns});
    if (latest_.size() < kMax) return;
    for (std::size_t i = 0; i < kMax / 2; ++i) {
      before_ns_ += length(latest_[i].from_ns, latest_[i].to_ns);
      if (windows_) windows_->add(latest_[i].from_ns, latest_[i].to_ns);
    }
    latest_.erase(latest_.begin(), latest_.begin() + kMax / 2);
  }

  std::uint64_t ns() const {
    std::uint64_t ns = before_ns_;
    for (const Stretch& each : latest_) ns += length(each.from_ns, each.to_ns);
    return ns;
  }
  // REQUIRES: the windows are wanted.
  void begin(std::int64_t ns) { windows_->begin(ns); }
  std::vector<std::optional<std::uint64_t>> most_covered(std::int64_t to_ns) const {
    MutatorUtilization windows = *windows_;
    for (const Stretch& each : latest_) windows.add(each.from_ns, each.to_ns);
    return windows.most_stopped(to_ns);
  }

 private:
  struct Stretch {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
  };

  std::uint64_t before_ns_ = 0;  // without:
  std::vector<Stretch> latest_;  // in order, without overlaps
  std::optional<MutatorUtilization> windows_;
};

class Collections::Impl {
 public:
  explicit Impl(const Session& session)
      : session_(&session), streams_(session.streams.size()), parts_(session.parts.size() + 1) {
    for (std::uint32_t i = 0; i < session.parts.size(); ++i) {
      for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
        if (session.parts[i].has_stream(session.streams[stream].id)) streams_[stream].part = i;
      }
    }
  }

  void take(const TimelineItem& item) {
    switch (item.kind) {
      case ItemKind::kRow:
        return take_row(item);
      case ItemKind::kCollectorBegan: {
        OfStream& stream = meet(*item.stream, item.ns);
        count(stream, item.ns, &stream.row);
        stream.collects = true;
        stream.is_wanted = item.is_wanted;
        stream.row.collections += item.is_wanted ? 1 : 0;
        std::vector<Request>& requests = parts_[stream.part + std::uint32_t{1}].requests;
        // Where a range begins, requests know whether it began before them.
        if (item.event != nullptr && !requests.empty() && !requests.back().begun_ns)
          requests.back().begun_ns = item.began_ns;
        break;
      }
      case ItemKind::kCollectorPhase: {
        const std::int64_t from = std::max(item.began_ns, since_);
        std::uint64_t& phase = meet(*item.stream, item.ns).phases[static_cast<std::size_t>(item.phase_before)];
        phase += item.ended_ns > from ? length(from, item.ended_ns) : 0;
        break;
      }
      case ItemKind::kCollectorEnded:
        return end(item);
      case ItemKind::kCollection:
        return pause(item);
      case ItemKind::kUnmatchedEnd:
        if (item.event->role == Role::kGcEnd && item.is_wanted) ++doubts_.unmatched_ends;
        break;
      case ItemKind::kLost:
        doubts_.lost_in += meet(*item.stream, item.ns).collects ? 1 : 0;
        break;
      case ItemKind::kSpark:
        if (item.is_wanted) count_sparks(*item.event);
        break;
      default:
        break;
    }
  }

  void restart(std::int64_t ns) {
    for (OfStream& stream : streams_) {
      if (!stream.met) continue;
      const StreamInfo* const info = stream.row.stream;
      stream.row = Capability();
      stream.row.stream = info;
      stream.row.collections = stream.collects && stream.is_wanted ? 1 : 0;
      stream.since = ns;
      std::ranges::fill(stream.phases, std::uint64_t{0});
      stream.before = stream.latest;
    }
    since_ = ns;
    paused_ = concurrent_ = CoveredTime();
    stopped_ = CoveredTime(MutatorUtilization());
    stopped_.begin(ns);
    longest_.clear();
    pauses_ = Histogram();
    by_generation_.clear();
    by_reason_.clear();
    doubts_ = Doubts();
  }

  // Everything that survives a restart.
  void archive(Archive& archive) {
    archive.list(streams_, session_->streams.size(), [&](OfStream& stream) {
      archive.place(stream.row.stream, session_->streams);
      archive.index(stream.part, session_->parts.size());
      archive.numbers(stream.met, stream.runs, stream.collects, stream.is_wanted, stream.counted, stream.since);
      archive.require(!stream.met || stream.row.stream != nullptr);
      for (const SparkKind& kind : kSparks) archive.numbers(stream.latest.*kind.count);
    });
    archive.list(parts_, session_->parts.size() + 1, [&](OfPart& part) {
      archive.optional(part.paused);
      archive.optional(part.concurrent);
      archive.list(part.requests, Archive::kMost, [&](Request& request) {
        archive.numbers(request.ns);
        archive.optional(request.begun_ns);
      });
    });
    archive.require(streams_.size() == session_->streams.size() && parts_.size() == session_->parts.size() + 1);
    archive.numbers(has_threads_);
  }

  std::vector<Collections::Capability> capabilities(std::int64_t ns) const {
    std::vector<Capability> all;
    for (const OfStream& stream : streams_) {
      if (!stream.met) continue;
      Capability row = stream.row;
      count(stream, ns, &row);
      for (const SparkKind& kind : kSparks) {
        if (stream.counted) row.sparks.*kind.count = stream.latest.*kind.count - stream.before.*kind.count;
      }
      const bool says_something = row.collections > 0 || row.sparks.all() > 0 || row.mutator_ns > 0;
      if (says_something) all.push_back(row);
    }
    return all;
  }

  // Also by what goes on at this moment.
  CoveredTime stopped(std::int64_t ns) const {
    CoveredTime all = stopped_;
    for (const OfPart& part : parts_) {
      if (part.paused && *part.paused < ns) all.add(std::max(*part.paused, since_), ns);
      for (const Request& each : part.requests) add_request(each, each.begun_ns.value_or(ns), &all);
    }
    return all;
  }

  std::vector<std::optional<std::uint64_t>> utilization(std::int64_t ns) const {
    std::vector<std::optional<std::uint64_t>> of_windows = stopped(ns).most_covered(ns);
    for (std::size_t i = 0; i < of_windows.size(); ++i) {
      if (of_windows[i]) of_windows[i] = static_cast<std::uint64_t>(windows()[i]) - *of_windows[i];
    }
    return of_windows;
  }

  static bool is_longer(const Pause& a, const Pause& b) {
    const std::uint64_t of_a = length(a.began_ns, a.ended_ns);
    const std::uint64_t of_b = length(b.began_ns, b.ended_ns);
    return of_a != of_b ? of_a > of_b : a.began_ns < b.began_ns;
  }

  std::uint64_t concurrent_ns(std::int64_t ns) const {
    CoveredTime all = concurrent_;
    for (const OfPart& part : parts_) {
      if (part.concurrent && *part.concurrent < ns) all.add(std::max(*part.concurrent, since_), ns);
    }
    return all.ns();
  }

  bool has_sparks() const {
    return std::ranges::any_of(streams_,
                               [](const OfStream& s) { return s.latest.all() > 0 || s.row.sparks.all() > 0; });
  }

  struct OfStream {
    Capability row;
    std::uint32_t part = Actor::kNone;
    bool met = false;
    bool runs = false;  // a thread
    bool collects = false;
    bool is_wanted = false;        // its collecting is wanted
    bool counted = false;          // sparks by counters
    std::int64_t since = 0;        // start of the present state, or of counting
    std::uint64_t phases[4] = {};  // for the collection in progress, by CollectorPhase
    Sparks before;                 // its counters when counting began
    Sparks latest;
  };
  // For a collection, until its leader begins, which is known only when that is over.
  struct Request {
    std::int64_t ns = 0;
    std::optional<std::int64_t> begun_ns{};  // when a stream did so first
  };
  // What happens between the collections of a process, and since when.
  struct OfPart {
    std::vector<Request> requests;  // for collections that are not over, the earliest first
    std::optional<std::int64_t> paused;
    std::optional<std::int64_t> concurrent;
  };

  OfStream& meet(const StreamInfo& stream, std::int64_t ns) {
    OfStream& s = streams_[static_cast<std::size_t>(&stream - session_->streams.data())];
    if (!s.met) {
      s.met = true;
      s.row.stream = &stream;
      s.since = ns;
    }
    return s;
  }

  // Collector time is counted when it ends, as recorded.
  void count(const OfStream& stream, std::int64_t ns, Capability* row) const {
    if (stream.runs && !stream.collects) row->mutator_ns += length(stream.since, ns);
  }

  void take_row(const TimelineItem& item) {
    const Role role = item.event->role;
    if (role >= Role::kGcRequest && role <= Role::kGcConcurrentEnd)
      return take_phase(item, meet(*item.stream, item.ns));
    if (role != Role::kThreadRun && role != Role::kThreadStop) return;
    OfStream& stream = meet(*item.stream, item.ns);
    has_threads_ = true;
    if (!stream.collects) {
      count(stream, item.ns, &stream.row);
      stream.since = item.ns;
    }
    stream.runs = role == Role::kThreadRun;
  }

  void end(const TimelineItem& item) {
    OfStream& stream = meet(*item.stream, item.ns);
    std::uint64_t phases[4] = {};
    std::swap(stream.phases, phases);
    stream.collects = false;
    stream.since = item.ns;
    if (item.is_cut) {
      ++doubts_.unended;
      return;
    }
    doubts_.unfinished += item.is_open && item.is_wanted ? 1 : 0;
    if (item.is_wanted) {
      const std::uint64_t work = phases[static_cast<std::size_t>(CollectorPhase::kWork)];
      const std::uint64_t idle = phases[static_cast<std::size_t>(CollectorPhase::kIdle)];
      const std::uint64_t sync = phases[static_cast<std::size_t>(CollectorPhase::kSync)];
      stream.row.work_ns += work;
      stream.row.idle_ns += idle;
      stream.row.sync_ns += sync;
      stream.row.collector_ns += work + idle + sync;
    }
  }

  void pause(const TimelineItem& item) {
    std::vector<Request>& requests = parts_[meet(*item.stream, item.ns).part + std::uint32_t{1}].requests;
    for (; !requests.empty() && requests.front().ns <= item.began_ns; requests.erase(requests.begin())) {
      add_request(requests.front(), item.began_ns, &stopped_);
    }
    const bool was_before = item.ended_ns <= since_ && item.began_ns < since_;
    if (item.is_cut || !item.is_wanted || was_before) return;
    const std::int64_t began_ns = std::max(item.began_ns, since_);
    paused_.add(began_ns, item.ended_ns);
    stopped_.add(began_ns, item.ended_ns);
    // The length of one in progress is not known yet.
    if (item.is_open) return;
    const std::uint64_t ns = length(began_ns, item.ended_ns);
    pauses_.add(ns);
    by_generation_[item.value].add(ns);
    by_reason_[item.name].add(ns);
    longest_.add({item.stream, began_ns, item.ended_ns, item.value, item.name});
  }

  // Between collections: threads stop for one, or for a concurrent collector.
  void take_phase(const TimelineItem& item, OfStream& stream) {
    OfPart& part = parts_[stream.part + std::uint32_t{1}];
    const auto begin = [&](std::optional<std::int64_t>* since) {
      if (item.is_wanted && !*since) *since = item.began_ns;
    };
    const auto end = [&](std::optional<std::int64_t>* since, CoveredTime* to) {
      if (*since) to->add(std::max(**since, since_), std::max({**since, since_, item.began_ns}));
      since->reset();
    };
    switch (item.event->role) {
      case Role::kGcRequest:
        // A request by a stream that collects is not for another collection; nor is a further one.
        if (!stream.collects && item.is_wanted && (part.requests.empty() || part.requests.back().begun_ns))
          part.requests.push_back({item.began_ns, std::nullopt});
        break;
      case Role::kGcPauseBegin:
        return begin(&part.paused);
      case Role::kGcPauseEnd:
        return end(&part.paused, &stopped_);
      case Role::kGcConcurrentBegin:
        return begin(&part.concurrent);
      case Role::kGcConcurrentEnd:
        return end(&part.concurrent, &concurrent_);
      default:
        break;
    }
  }

  void add_request(const Request& request, std::int64_t to_ns, CoveredTime* to) const {
    const std::int64_t from_ns = std::max(request.ns, since_);
    if (to_ns > from_ns) to->add(from_ns, to_ns);
  }

  // Counters state the totals so far, and are right even if single events are not recorded.
  void count_sparks(const RoleEvent& event) {
    OfStream& stream = meet(*event.stream, event.ns);
    for (const SparkKind& kind : kSparks) {
      if (event.role == kind.role && !stream.counted) ++(stream.row.sparks.*kind.count);
      if (event.role != Role::kSparkCounters || *kind.field == 0) continue;
      const auto value = event.event->value(kind.field);
      if (value && !value->is_sequence()) stream.latest.*kind.count = value->as_unsigned();
    }
    stream.counted |= event.role == Role::kSparkCounters;
  }

  const Session* session_;
  std::vector<OfStream> streams_;
  std::int64_t since_ = INT64_MIN;
  bool has_threads_ = false;
  Histogram pauses_;
  std::map<std::uint64_t, Histogram> by_generation_;
  std::map<std::uint32_t, Histogram> by_reason_;
  std::vector<OfPart> parts_;                  // the first for streams without one
  CoveredTime paused_;                         // by collections
  CoveredTime stopped_{MutatorUtilization()};  // by those, and between them
  FirstFew<Pause, is_longer> longest_;
  CoveredTime concurrent_;
  Doubts doubts_;
};

Collections::Collections(const Session& session) : impl_(std::make_unique<Impl>(session)) {}

ItemKinds Collections::items() {
  return {ItemKind::kRow,        ItemKind::kCollectorBegan, ItemKind::kCollectorPhase, ItemKind::kCollectorEnded,
          ItemKind::kCollection, ItemKind::kUnmatchedEnd,   ItemKind::kLost,           ItemKind::kSpark};
}
const std::vector<std::int64_t>& Collections::windows() {
  static const std::vector<std::int64_t> all = [] {
    std::vector<std::int64_t> windows;
    for (std::int64_t ns = 1'000'000; ns < 1'000'000'000; ns *= 10) {
      for (const std::int64_t times : {1, 2, 5}) windows.push_back(times * ns);
    }
    windows.push_back(1'000'000'000);
    return windows;
  }();
  return all;
}
void Collections::keep_longest(std::size_t count) { impl_->longest_ = FirstFew<Pause, Impl::is_longer>(count); }
void Collections::begin(std::int64_t ns) { impl_->stopped_.begin(ns); }
void Collections::take(const TimelineItem& item) { impl_->take(item); }
void Collections::restart(std::int64_t ns) { impl_->restart(ns); }
void Collections::archive(Archive& archive) { impl_->archive(archive); }
std::vector<Collections::Capability> Collections::capabilities(std::int64_t ns) const {
  return impl_->capabilities(ns);
}
const Histogram& Collections::pauses() const { return impl_->pauses_; }
std::uint64_t Collections::paused_ns() const { return impl_->paused_.ns(); }
std::uint64_t Collections::stopping_ns(std::int64_t ns) const { return impl_->stopped(ns).ns() - impl_->paused_.ns(); }
std::vector<std::optional<std::uint64_t>> Collections::utilization(std::int64_t ns) const {
  return impl_->utilization(ns);
}
std::vector<Collections::Pause> Collections::longest() const { return impl_->longest_.in_order(); }
std::uint64_t Collections::concurrent_ns(std::int64_t ns) const { return impl_->concurrent_ns(ns); }
const std::map<std::uint64_t, Histogram>& Collections::by_generation() const { return impl_->by_generation_; }
const std::map<std::uint32_t, Histogram>& Collections::by_reason() const { return impl_->by_reason_; }
bool Collections::has_threads() const { return impl_->has_threads_; }
bool Collections::has_sparks() const { return impl_->has_sparks(); }
Collections::Doubts Collections::doubts() const { return impl_->doubts_; }

}  // namespace evt
