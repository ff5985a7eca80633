// Metadata that readers need before events: session, clock, types, streams, strings. Kept whole, because a session
// repeats it.
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
  // Adds a clock that differs from the first only in these values; several calls add several. Pending like records.
  // False without memory.
  bool add_clock(std::uint16_t id, std::uint64_t start_ticks, std::int64_t start_ns);
  void take_back_clock();
  // Records; those appended since the last write are pending.
  Buffer& types() { return types_.records; }
  Buffer& strings() { return strings_.records; }
  // Only pending records: the writer knows what to repeat about streams.
  Buffer& streams() { return streams_.records; }

  // Only pending records, too.
  Buffer& facts() { return facts_.records; }

  // SESSION and CLOCK as the first blocks of a ring.
  void append_front(Buffer& out, std::uint64_t session_id) const;
  bool write_front(BlockOutput& out) const;
  // Writes pending records. Called before every EVENTS block, so that no row precedes the metadata it needs.
  bool write_pending(BlockOutput& out);
  // Writes pending records into the log of a ring, before any id of them is returned; false if the log is full.
  bool publish(Ring& ring, std::uint64_t session_id);
  // True if the last attempt failed for lack of memory: retrying at once is useless.
  bool lacks_memory() const { return lacks_memory_; }
  // Everything again, so that a reader may join here: collected under the lock, written without it. `streams` are the
  // records of live streams, `facts` the last ones of all.
  bool gather(Buffer& all, const Buffer& streams, const Buffer& facts);
  static bool write_collected(BlockOutput& out, const Buffer& all) {
    std::size_t written = 0;
    return write_collected(out, all, &written);
  }
  // As above from `*written` bytes on, which is updated to how far it came.
  static bool write_collected(BlockOutput& out, const Buffer& all, std::size_t* written);
  // Appends one block, and the size that it takes.
  static void collect(Buffer& all, std::uint16_t type, const void* payload, std::size_t size);
  static std::size_t collected_size(const Buffer& all, std::size_t at);
  // Called when nothing is written any more.
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
