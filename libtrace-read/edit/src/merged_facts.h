// The facts of a session -> those of the session that it is merged into.
#pragma once

#include <unordered_set>

#include "merge_plan.h"

namespace evt {

// What is stated of the session itself is of its part in the merged one, whose program, pid, host, boot and start are
// facts, too; streams, types and clocks have their new numbers. So have the parts of a session that was merged before.
// Refers to its arguments while it lives.
class MergedFacts {
 public:
  MergedFacts(const MergedSession& planned, const Session& session, const IdRemap& changes);

  // Gives `put` the payloads of FACTS blocks, of part number `part`, or of the parts from there on; how many facts are
  // left out, as what they are about is not in the merged session: a session that was merged before, or what the
  // session does not describe.
  std::uint64_t put(std::uint64_t part, const SchemaUnion::Put& put) const;

 private:
  void add_who(std::uint64_t part, RecordList& records) const;
  void add(const Fact& fact, RecordList& records) const;
  bool renumber(Fact& fact, std::uint64_t part) const;

  const MergedSession& planned_;
  const Session& session_;
  const IdRemap& changes_;
  std::unordered_set<std::uint32_t> types_;  // that the session describes, by number
};

}  // namespace evt
