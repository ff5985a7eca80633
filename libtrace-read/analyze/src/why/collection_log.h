// Which streams collected garbage and when, who led them, and who asked for it.
#pragma once

#include <evt/timeline.h>

#include <vector>

namespace evt {

class CollectionLog {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  // The part of a stream in a collection.
  struct Entry {
    std::int64_t from_ns = 0;  // since it was asked for, if that is known, and the stream ran a thread last
    std::int64_t began_ns = 0;
    std::int64_t to_ns = INT64_MAX;
    std::uint32_t asker = kNone;  // in Actors
    bool leads = false;
  };
  using Entries = std::vector<Entry>;

  // Forgets what is over before `from_ns`.
  CollectionLog(Actors& actors, std::int64_t from_ns);

  // kCollectorBegan and kCollectorEnded.
  void take(const TimelineItem& item);
  // `asker`: the thread for which the stream asks, if it is known.
  void ask(const StreamInfo& stream, std::uint32_t asker, std::int64_t ns);
  // A request ends without a collection if the stream that asked runs a thread.
  void run_on(std::uint32_t cpu, std::int64_t ns);
  void lead(const StreamInfo& stream);
  void fold(const FoldedActors& gone);

  std::uint32_t index_of(const StreamInfo& stream) const;
  // The index of the stream that is this cpu; kNone if it is not a stream.
  std::uint32_t stream_of_cpu(std::uint32_t cpu) const;
  // In the order of time.
  const Entries& of(std::uint32_t stream) const { return streams_[stream].entries; }
  // The index of the stream that led; kNone if no event says so.
  std::uint32_t leader_of(std::uint32_t stream, const Entry& entry) const;

 private:
  struct Stream {
    std::uint32_t part = kNone;
    bool collects = false;
    std::int64_t ran_ns = INT64_MIN;  // when it last began to run a thread
    Entries entries;
  };
  struct Request {
    std::uint32_t stream = kNone;  // kNone: there is none
    std::uint32_t asker = kNone;
    std::int64_t ns = 0;
    bool has_begun = false;
  };
  struct Part {
    std::uint32_t collecting = 0;
    Request request;
  };

  Part& part_of(const Stream& stream) { return parts_[stream.part + std::uint32_t{1}]; }
  void begin_first(const Stream& of, std::int64_t ns);
  void begin(Stream* stream, std::int64_t ns);
  void end(Stream* stream, std::int64_t ns);

  Actors* actors_;
  std::int64_t from_ns_;
  std::vector<Stream> streams_;  // by index
  std::vector<Part> parts_;      // the first for sessions that have none
};

}  // namespace evt
