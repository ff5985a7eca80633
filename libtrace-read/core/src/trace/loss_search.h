// Why events of a session were lost: from its index, else from its LOST rows. Only blocks with such rows are decoded.
#pragma once

#include <evt/trace.h>

#include <map>
#include <vector>

#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/block/indexed_block_verifier.h"
#include "libtrace-read/core/src/session/session_data.h"

namespace evt {

// Refers to both while it lives. Leaves damage to the code that reads it: notes nothing.
class LossSearch {
 public:
  LossSearch(const BlockReader& blocks, const SessionData& session)
      : session_(session), blocks_(blocks.anew(ledger_)), verifier_(blocks_, ledger_), decoder_(blocks_) {}

  std::vector<Loss> find();
  std::uint64_t bytes_read() const { return blocks_.bytes_read(); }

 private:
  struct Stream {
    std::uint64_t lost = 0;  // so far, from the headers
    std::map<std::uint16_t, std::uint64_t> causes;
  };

  void read();
  void read(std::uint32_t number);
  bool has_losses(const Piece& piece);
  OrdinalRange rows_to_read(const StreamSpan& span) const;
  void count(Bytes rows, const Piece& piece, OrdinalRange wanted);

  const SessionData& session_;
  Ledger ledger_;
  BlockReader blocks_;
  IndexedBlockVerifier verifier_;
  BlockDecoder decoder_;
  std::map<std::uint32_t, Stream> streams_;      // streams that lost events
  std::map<StreamSpan, OrdinalRange> extracts_;  // for a session in segments: the rows to read from each part
  std::vector<std::byte> rows_;
  std::vector<Piece> pieces_;
  std::size_t noted_ = 0;
};

}  // namespace evt
