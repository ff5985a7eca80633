// Finds where reading continues after damage: section 10 of FORMAT.md.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "header_reader.h"
#include "seen_blocks.h"

namespace evt {

// Refers to the headers, and to the blocks met, while it lives. The total cost of all searches of a file is bounded by
// the file's size.
class BlockSearch {
 public:
  // `salvage`: a session need not begin with a SESSION block.
  BlockSearch(HeaderReader& headers, const SeenBlocks& seen, bool salvage);

  // Describes the block before the damage.
  struct Session {
    std::uint64_t id = 0;
    bool has_ended = false;  // by a TRAILER
  };
  // The offset, at or after `from`, of the next block that reading may continue with; the size of the file if there is
  // none.
  std::uint64_t find(std::uint64_t from, const Session& interrupted);
  // Takes this many bytes from the budget of searching and checking. False: less was left, and nothing is now.
  bool spend(std::uint64_t bytes);
  // Blocks of another header generation were met.
  bool met_newer() const { return met_newer_; }

 private:
  using Places = std::unordered_map<std::uint64_t, std::uint64_t>;  // the last good header of each session

  bool is_candidate(const Block& block, const Session& interrupted) const;
  bool continues(const Session& session, const Block& block) const;
  bool may_go_on_behind(std::uint64_t offset, const Session& session) const;
  template <typename Fits>
  std::uint64_t search_for(std::uint64_t from, Fits fits, Places* met = nullptr);

  HeaderReader& headers_;
  const SeenBlocks& seen_;
  bool salvage_;
  bool met_newer_ = false;
  std::uint64_t work_left_;  // bytes of searching and checking
  Places last_of_session_;   // all sessions from searched_from_ to the end
  std::uint64_t searched_from_ = UINT64_MAX;
};

}  // namespace evt
