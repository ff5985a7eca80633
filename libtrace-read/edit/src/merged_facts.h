// The facts of a session -> those of the session that it is merged into.
#pragma once

#include <unordered_set>

#include "merge_plan.h"

namespace evt {

// Facts about the session itself become facts about its part in the merged one; the part's program, pid, host, boot and
// start are facts, too; streams, types and clocks get their new numbers, and so do the parts of a session that was
// merged before. Refers to its arguments while it lives.
class MergedFacts {
 public:
  MergedFacts(const MergedSession& planned, const Session& session, const IdRemap& changes);

  // Passes the payloads of FACTS blocks to `put`, for part number `part`, or for the parts from there on. Returns the
  // number of facts that are left out because their subject is not in the merged session: a session that was merged
  // before, or something that the session does not describe.
  std::uint64_t put(std::uint64_t part, const SchemaUnion::Put& put) const;

 private:
  void add_who(std::uint64_t part, RecordList& records) const;
  void add(const Fact& fact, RecordList& records) const;
  bool renumber(Fact& fact, std::uint64_t part) const;

  const MergedSession& planned_;
  const Session& session_;
  const IdRemap& changes_;
  std::unordered_set<std::uint32_t> types_;  // described by the session, by number
};

}  // namespace evt
