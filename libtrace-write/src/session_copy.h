// Files of a session -> a session of its own, which is closed: what a snapshot from inside the program is made by.
#pragma once

#include <evt/evt.h>

#include <cstdint>

#include "format-spec/src/base/buffer.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/session/session_encoder.h"
#include "hash_index.h"
#include "session_front.h"

namespace evt {

// Blocks of events are copied as they are stored. One thread at a time.
class SessionCopy {
 public:
  // `session`: the payload of its SESSION block, of `session_size` bytes; `copied_id`: the session that is copied. Both
  // must outlive this. Writes to `out`, which stays the caller's.
  SessionCopy(const std::uint8_t* session, std::size_t session_size, std::uint64_t copied_id, int out);

  // Leaves out the blocks before the first one with rows of this time on this clock. Then look() is called for each
  // file, before add().
  void begin_at(std::uint16_t clock_id, std::uint64_t ticks) { start_.end_at(clock_id, ticks); }
  bool look(int fd, evt_error* error);
  // Adds the blocks of a file, in the order of the segments. A block that its writer has not finished ends the last
  // file. Returns false, with the reason in `error`, after a failure; nothing can be added then.
  bool add(int fd, const char* path, bool is_last, evt_error* error);
  // States a fact of the new session. Called before finish().
  void state(const char* key, const char* value, std::int64_t ns);
  // Adds INDEX and TRAILER.
  bool finish(evt_error* error);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t rows_before() const { return rows_before_; }

 private:
  struct StreamLoss {
    std::uint32_t stream;
    std::uint64_t lost;
  };
  enum class Loaded : std::uint8_t { kYes, kEnd, kDamaged, kFailed };

  static bool put(void* self, const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count);
  bool append(const void* bytes, std::size_t size);
  bool flush();
  Loaded load(int fd, std::uint64_t at, std::uint64_t size);
  bool copy();
  template <typename Visit>
  Loaded each_block(int fd, std::uint64_t* at, std::uint64_t* size, Visit visit);
  bool look_at_block();
  bool copy_sync();
  bool read_pieces(const EventsHeader& events);
  bool begin();
  bool add_segment();
  bool begin_later(const SegmentRecord& segment, const Buffer& payload);
  bool add_events();
  bool add_rows(const Piece& piece);
  bool note_lost(std::uint32_t stream, std::uint64_t lost, bool is_before);
  bool repeat_metadata(int fd);
  bool write(std::uint16_t type, const Buffer& payload) { return encoder_.write(type, payload.data(), payload.size()); }
  bool write_facts() { return facts_.size() == 0 || write(EVT_BLOCK_FACTS, facts_); }
  bool is_ok(evt_error* error) const;

  SessionEncoder encoder_;
  const std::uint8_t* session_;
  std::size_t session_size_;
  std::uint64_t copied_id_;
  int out_;
  SessionFront start_;  // left out
  int last_fd_ = -1;    // the last file that was added
  int error_number_ = 0;
  bool has_begun_ = false;
  bool awaits_segment_ = false;  // SESSION said that rows before are left out
  std::uint64_t rows_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t rows_before_ = 0;
  Buffer losses_;  // StreamLoss elements
  HashIndex by_stream_;
  Buffer facts_;     // the payload of FACTS: of the new session alone
  Buffer gathered_;  // to be written

  // The current block.
  BlockHeader header_;
  std::uint8_t head_[EVT_EVENTS_HEADER_SIZE] = {};
  Buffer payload_;
  Buffer pieces_;  // Piece elements
};

}  // namespace evt
