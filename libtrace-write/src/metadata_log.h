// What readers need before events: session, clock, types, streams, strings. Kept whole, because a session repeats it.
#pragma once

#include <cstdint>

#include "block_output.h"
#include "format-spec/src/base/buffer.h"
#include "format-spec/src/session/metadata_records.h"
#include "ring.h"

namespace evt {

// Not thread-safe: only the thread that holds the writer's lock uses it.
class MetadataLog {
 public:
  // Fixed payloads, written first.
  Buffer& session() { return session_; }
  Buffer& clock() { return clock_; }
  // Another clock, like the first one but for this; of several calls each one. Pending as records are. False without
  // memory.
  bool add_clock(std::uint16_t id, std::uint64_t start_ticks, std::int64_t start_ns);
  void take_back_clock();
  // Records; what has been appended since the last write is pending.
  Buffer& types() { return types_.records; }
  Buffer& strings() { return strings_.records; }
  // Pending alone: what is repeated of streams, the writer knows.
  Buffer& streams() { return streams_.records; }

  // The same of facts.
  Buffer& facts() { return facts_.records; }

  // SESSION and CLOCK as the first blocks of a ring.
  void append_front(Buffer& out, std::uint64_t session_id) const;
  bool write_front(BlockOutput& out) const;
  // Writes what is pending. Called before every EVENTS block, so that no row precedes the words it needs.
  bool write_pending(BlockOutput& out);
  // The same into the log of a ring, before any id of it is given away; false when that is full.
  bool publish(Ring& ring, std::uint64_t session_id);
  // Why the last attempt failed, if it did: to try again at once is no use.
  bool lacks_memory() const { return lacks_memory_; }
  // Everything again, so that a reader may join here: collected under the lock, written without it. `streams` are the
  // records of those that live, `facts` the last ones of all.
  bool gather(Buffer& all, const Buffer& streams, const Buffer& facts);
  static bool write_collected(BlockOutput& out, const Buffer& all) {
    std::size_t written = 0;
    return write_collected(out, all, &written);
  }
  // The same from `*written` bytes on, which is how far it came.
  static bool write_collected(BlockOutput& out, const Buffer& all, std::size_t* written);
  // One block more, and the bytes that one takes.
  static void collect(Buffer& all, std::uint16_t type, const void* payload, std::size_t size);
  static std::size_t collected_size(const Buffer& all, std::size_t at);
  // When nothing is written any more.
  void release();

 private:
  struct Records {
    std::uint16_t block_type;
    Buffer records;
    std::size_t written = 0;
  };
  template <typename Write>
  bool write_records(const Records& list, std::size_t from, std::size_t* to, Write write);
  static void forget_written(Records& list);
  template <typename Write>
  bool write_clocks(std::size_t from, std::size_t* done, Write write) const;
  template <typename Write>
  bool write_new(Write write);

  Buffer session_;
  Buffer clock_;
  Buffer later_clocks_;  // payloads as large as that of the first
  std::size_t later_clocks_written_ = 0;
  Records types_{EVT_BLOCK_TYPES, {}, 0};
  Records streams_{EVT_BLOCK_STREAMS, {}, 0};
  Records strings_{EVT_BLOCK_STRINGS, {}, 0};
  Records facts_{EVT_BLOCK_FACTS, {}, 0};
  bool lacks_memory_ = false;
};

}  // namespace evt
