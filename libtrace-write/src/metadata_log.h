// What readers need before events: session, clock, types, streams, strings. Kept whole, because a session repeats it.
#pragma once

#include <cstdint>

#include "block_output.h"
#include "format-spec/src/buffer.h"
#include "format-spec/src/metadata_records.h"

namespace evt {

// Not thread-safe: whoever holds the writer's lock uses it.
class MetadataLog {
 public:
  // Fixed payloads, written first.
  Buffer& session() { return session_; }
  Buffer& clock() { return clock_; }
  // Records; what has been appended since the last write is pending.
  Buffer& types() { return types_.records; }
  Buffer& streams() { return streams_.records; }
  Buffer& strings() { return strings_.records; }

  // Writes what is pending. Called before every EVENTS block, so that no row stands before the words it needs.
  bool write_pending(BlockOutput& out);
  // Writes everything again, so that a reader may join here.
  bool write_all(BlockOutput& out);

 private:
  struct Records {
    std::uint16_t block_type;
    Buffer records;
    std::size_t written = 0;
  };
  static bool write_records(BlockOutput& out, Records& records);

  Buffer session_;
  Buffer clock_;
  bool begun_ = false;
  Records types_{EVT_BLOCK_TYPES, {}, 0};
  Records streams_{EVT_BLOCK_STREAMS, {}, 0};
  Records strings_{EVT_BLOCK_STRINGS, {}, 0};
};

}  // namespace evt
