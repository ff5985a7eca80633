// Rows of other sessions -> EVENTS blocks of a new one, on their way to the callback that takes the bytes.
#pragma once

#include <evt/recode.h>

#include <memory>
#include <optional>

#include "format-spec/src/columns/frame.h"
#include "session_maker.h"
#include "source_blocks.h"

namespace evt {

// One session. Assigns ordinals, losses and numbers of blocks; streams have their new ids already. Refers to `take`
// while it lives. Errors stay in status().
class TraceOutput {
 public:
  // `form`: how rows are stored; without a value: unchanged.
  TraceOutput(const TakeBytes& take, std::uint64_t session_id, std::optional<Form> form);

  SessionMaker& session() { return session_; }
  // The first segments are left out, see SessionMaker: streams go on where these ended.
  void begin_later(const SegmentRecord& segment, std::span<const SegmentStream> streams);
  // TYPES help to make columns smaller.
  void add_metadata(std::uint16_t type, Bytes payload);

  // The copyable blocks of a session; it loses those that are damaged, which are noted.
  void put_copyable(TraceData& trace, SessionData& from);
  // Puts the rows of a block, all of them, in their stored form. `pieces`: its contents, by the new ids; on this clock.
  void put_stored(const SourceBlocks& from, std::span<const Piece> pieces, std::uint16_t clock);
  // Puts rows of one stream or several, one piece after another; `like` has their form.
  void put_rows(const Block& like, std::span<const Piece> pieces, Bytes rows, std::uint16_t clock);
  // `count` events of a stream are lost here.
  void put_lost(std::uint32_t stream, std::uint16_t clock, std::uint64_t first_ticks, std::uint64_t last_ticks,
                std::uint64_t count, std::uint16_t cause);
  // INDEX and TRAILER.
  void end();

  // Passes on what has been gathered. Returns false after a failure.
  bool flush();
  const Status& status() const { return status_; }

 private:
  struct Stream {
    std::uint64_t next_ordinal = 0;
    std::uint64_t lost = 0;
    std::uint32_t blocks = 0;
  };

  void number(std::span<const Piece> pieces, const RowCount& counted);
  EventsHeader header(const EventsHeader& like, std::uint16_t clock, std::size_t rows_size, std::uint32_t rows_crc);
  void put(const EventsHeader& events, StoredRows stored, Bytes payload);

  const TakeBytes& take_;
  std::vector<std::byte> out_;
  SessionMaker session_;
  std::optional<Form> form_;
  std::unique_ptr<ColumnFrame> frame_;
  std::unordered_map<std::uint32_t, Stream> streams_;
  RowCount counted_;
  std::vector<Piece> pieces_;  // for the block that is put
  std::vector<TypeCount> counts_;
  std::vector<std::byte> table_;
  Status status_;
};

}  // namespace evt
