#include <evt/analysis/collections.h>

#include <algorithm>

#include "parts.h"

namespace evt {
namespace {

using Sparks = Collections::Sparks;

// Where an event or a field of counters is counted.
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

class Collections::Impl {
 public:
  explicit Impl(const Session& session) : session_(&session), streams_(session.streams.size()) {}

  void take(const RoleEvent& event);
  void restart(std::int64_t ns);
  std::vector<Capability> capabilities(std::int64_t ns) const;
  const Histogram& pauses() const { return pauses_; }
  const std::map<std::uint64_t, Histogram>& by_generation() const { return by_generation_; }
  bool has_threads() const { return has_threads_; }
  bool has_sparks() const;
  Doubts doubts() const;
  void close_collection();

 private:
  struct OfStream {
    Capability row;
    bool met = false;
    bool runs = false;  // a thread
    bool collects = false;
    bool counted = false;          // sparks by counters
    std::int64_t since = 0;        // it is as it is, counted from
    std::int64_t start = 0;        // of its collection, as recorded
    std::uint64_t pause = 0;       // how long that took
    std::uint64_t collection = 0;  // which it was
    Sparks before;                 // its counters when counting began
    Sparks latest;
  };
  // The one at hand, which ends when the next begins: what is recorded of it may come late.
  struct Collection {
    std::uint64_t number = 0;  // from 1 on
    OfStream* first = nullptr;
    OfStream* leader = nullptr;
    std::uint64_t generation = kNoGeneration;
  };

  OfStream& meet(const StreamInfo& stream, std::int64_t ns);
  void count(const OfStream& stream, std::int64_t ns, Capability* row) const;
  void begin(OfStream* stream, const RoleEvent& event);
  void lead(OfStream* stream, const RoleEvent& event);
  void end(OfStream* stream, const RoleEvent& event);
  void count_sparks(const RoleEvent& event);

  const Session* session_;
  std::vector<OfStream> streams_;
  std::uint32_t collecting_ = 0;  // streams
  Collection collection_;
  bool has_threads_ = false;
  Histogram pauses_;
  std::map<std::uint64_t, Histogram> by_generation_;
  Doubts doubts_;
};

Collections::Impl::OfStream& Collections::Impl::meet(const StreamInfo& stream, std::int64_t ns) {
  OfStream& s = streams_[static_cast<std::size_t>(&stream - session_->streams.data())];
  if (!s.met) {
    s.met = true;
    s.row.stream = &stream;
    s.since = ns;
  }
  return s;
}

// Time of the collector is counted when it ends, as recorded.
void Collections::Impl::count(const OfStream& stream, std::int64_t ns, Capability* row) const {
  if (stream.collects) {
    row->collector_ns += ns > stream.start ? length(stream.start, ns) : 0;
  } else if (stream.runs) {
    row->mutator_ns += length(stream.since, ns);
  }
}

void Collections::Impl::take(const RoleEvent& event) {
  switch (event.role) {
    case Role::kThreadRun:
    case Role::kThreadStop: {
      OfStream& stream = meet(*event.stream, event.ns);
      has_threads_ = true;
      if (!stream.collects) {
        count(stream, event.ns, &stream.row);
        stream.since = event.ns;
      }
      stream.runs = event.role == Role::kThreadRun;
      break;
    }
    case Role::kGcStart:
      begin(&meet(*event.stream, event.ns), event);
      break;
    case Role::kGcSync:
    case Role::kGcStatistics:
      lead(&meet(*event.stream, event.ns), event);
      break;
    case Role::kGcEnd:
      end(&meet(*event.stream, event.ns), event);
      break;
    default:
      if (event.lost && meet(*event.stream, event.ns).collects) ++doubts_.lost_in;
      if (event.role >= Role::kSparkCreate && event.role <= Role::kSparkCounters) count_sparks(event);
      break;
  }
}

void Collections::Impl::begin(OfStream* stream, const RoleEvent& event) {
  if (stream->collects) {
    ++doubts_.unended;
    --collecting_;
  } else {
    count(*stream, event.ns, &stream->row);
  }
  if (collecting_ == 0) {
    close_collection();
    collection_ = {collection_.number + 1, stream, nullptr, kNoGeneration};
  }
  ++collecting_;
  stream->collects = true;
  stream->collection = collection_.number;
  stream->start = event.recorded_ns;
  stream->row.collections += 1;
  if (const auto generation = event.event->number(Role::kGeneration)) collection_.generation = *generation;
}

void Collections::Impl::lead(OfStream* stream, const RoleEvent& event) {
  if (stream->collection != collection_.number) return;
  collection_.leader = stream;
  if (const auto generation = event.event->number(Role::kGeneration)) collection_.generation = *generation;
}

void Collections::Impl::end(OfStream* stream, const RoleEvent& event) {
  if (!stream->collects) {
    ++doubts_.unmatched_ends;
    return;
  }
  count(*stream, event.recorded_ns, &stream->row);
  stream->collects = false;
  stream->since = event.ns;
  stream->pause = event.recorded_ns > stream->start ? length(stream->start, event.recorded_ns) : 0;
  --collecting_;
}

void Collections::Impl::close_collection() {
  const OfStream* const stream = collection_.leader != nullptr ? collection_.leader : collection_.first;
  if (stream == nullptr || stream->collects || stream->collection != collection_.number) return;
  pauses_.add(stream->pause);
  by_generation_[collection_.generation].add(stream->pause);
  collection_.first = collection_.leader = nullptr;
}

// Counters say all that was so far, and are right where single events are not recorded too.
void Collections::Impl::count_sparks(const RoleEvent& event) {
  OfStream& stream = meet(*event.stream, event.ns);
  for (const SparkKind& kind : kSparks) {
    if (event.role == kind.role && !stream.counted) ++(stream.row.sparks.*kind.count);
    if (event.role != Role::kSparkCounters || *kind.field == 0) continue;
    const auto value = event.event->value(kind.field);
    if (value && !value->is_sequence()) stream.latest.*kind.count = value->as_unsigned();
  }
  stream.counted |= event.role == Role::kSparkCounters;
}

void Collections::Impl::restart(std::int64_t ns) {
  for (OfStream& stream : streams_) {
    if (!stream.met) continue;
    const StreamInfo* const info = stream.row.stream;
    stream.row = Capability();
    stream.row.stream = info;
    stream.row.collections = stream.collects ? 1 : 0;
    stream.since = ns;
    stream.start = std::max(stream.start, ns);
    stream.before = stream.latest;
  }
  if (collecting_ == 0) close_collection();
  pauses_ = Histogram();
  by_generation_.clear();
  doubts_ = Doubts();
}

std::vector<Collections::Capability> Collections::Impl::capabilities(std::int64_t ns) const {
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

bool Collections::Impl::has_sparks() const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const OfStream& s) { return s.latest.all() > 0 || s.row.sparks.all() > 0; });
}

Collections::Doubts Collections::Impl::doubts() const {
  Doubts doubts = doubts_;
  doubts.unfinished = collecting_;
  return doubts;
}

Collections::Collections(const Session& session) : impl_(std::make_unique<Impl>(session)) {}
Collections::~Collections() = default;

void Collections::take(const RoleEvent& event) { impl_->take(event); }
void Collections::restart(std::int64_t ns) { impl_->restart(ns); }
void Collections::finish() { impl_->close_collection(); }
std::vector<Collections::Capability> Collections::capabilities(std::int64_t ns) const {
  return impl_->capabilities(ns);
}
const Histogram& Collections::pauses() const { return impl_->pauses(); }
const std::map<std::uint64_t, Histogram>& Collections::by_generation() const { return impl_->by_generation(); }
bool Collections::has_threads() const { return impl_->has_threads(); }
bool Collections::has_sparks() const { return impl_->has_sparks(); }
Collections::Doubts Collections::doubts() const { return impl_->doubts(); }

}  // namespace evt
