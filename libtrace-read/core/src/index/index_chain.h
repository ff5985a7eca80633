// The indexes of a file, found from its end (FORMAT.md, section 6.6).
//
// 1. The file ends with a TRAILER, whose session begins where it states. Everything before it ends with a TRAILER too,
//    and so on to the start of the file. At least one session has an index.
// 2. From TRAILER back to the session's start, each INDEX block describes everything between it and the one before.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "index_payload.h"

namespace evt {

// What indexes state about rows.
struct IndexedRows {
  std::uint64_t rows = 0;
  bool counted = true;                            // the types of all rows are known
  std::map<std::uint32_t, std::uint64_t> counts;  // rows by type

  void count(const IndexPayload& index);
  // Adds those of another segment of the session.
  void add(const IndexedRows& more);
  // Counts of events; empty if not all are known.
  std::vector<TypeCount> event_counts() const;
};

// A session, or a segment of one, that ends with a TRAILER, and what its indexes state.
struct IndexedSession : IndexedRows {
  std::uint64_t id = 0;
  std::uint64_t begin = 0;
  std::uint64_t first_block_no = 0;  // 0 in the session's first segment
  std::uint64_t end_block_no = 0;
  std::uint64_t trailer_at = 0;
  std::uint64_t end = 0;
  TrailerClaims claims;
  std::vector<IndexPayload> indexes;  // in the order of the file; empty: it has none
};

// Refers to the blocks while it lives.
class IndexChain {
 public:
  explicit IndexChain(BlockReader& blocks) : blocks_(blocks) {}

  // Returns true if the whole file could be described this way.
  bool find();
  // In the order of the file.
  std::vector<IndexedSession>& sessions() { return sessions_; }
  // Where an index is wrong, and how. A missing index is not an error.
  const std::optional<Damage>& contradiction() const { return contradiction_; }

 private:
  bool find_session(std::uint64_t end);
  bool find_indexes(IndexedSession& session);
  bool add_index(IndexedSession& session, std::uint64_t at, std::uint64_t end);
  bool contradict(std::uint64_t at, std::string why);

  BlockReader& blocks_;
  std::vector<IndexedSession> sessions_;
  std::optional<Damage> contradiction_;
};

}  // namespace evt
