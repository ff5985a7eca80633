// Rows, as FORMAT.md has them for writers of this version: each one by itself, and what it refers to.
#pragma once

#include "breach_list.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/session/session_data.h"

namespace evt {

// Refers to its arguments while it lives. `session` has what blocks before this one describe.
class RowBreaches {
 public:
  RowBreaches(const Block& block, const SessionData& session, BreachList* breaches)
      : block_(block), session_(session), breaches_(breaches) {}

  void find(const Piece& piece, Bytes rows);

 private:
  void check_reserved(const RowView& row, bool may_jump);
  void check_event(const RowView& row);
  void say(std::string what) { breaches_->add(block_, std::move(what)); }

  const Block& block_;
  const SessionData& session_;
  BreachList* breaches_;
};

}  // namespace evt
