// The index of a session whose blocks are rewritten in another form.
#pragma once

#include <vector>

#include "libtrace-read/core/src/index/index_payload.h"

namespace evt {

class IndexRecoder {
 public:
  // A block other than INDEX was written, with padding of this size.
  void wrote(const BlockHeader& header, const EventsHeader& events, std::uint64_t size);
  // A block was left out: the index entries no longer match the blocks that were written.
  void left_out() { whole_ = false; }

  // Makes the payload of an INDEX block describe what was written; false if that is impossible.
  bool recode(const Block& block, std::vector<std::byte>* payload);
  // Notes that this INDEX block was written.
  void wrote_index(std::uint64_t size);

  // From the start of the last INDEX block to here; 0 if there is none directly before.
  std::uint64_t distance() const { return written_.empty() && whole_ ? index_size_ : 0; }

 private:
  struct Written {
    std::uint16_t type;
    std::uint8_t layout;
    std::uint8_t codec;
    std::uint64_t size;
  };

  std::vector<Written> written_;  // after the latest INDEX block
  std::uint64_t index_size_ = 0;  // the latest INDEX block's
  bool whole_ = true;
};

}  // namespace evt
