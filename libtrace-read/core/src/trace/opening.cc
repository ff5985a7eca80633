#include "opening.h"

#include <evt/saturating_add.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/core/src/index/indexed_blocks.h"
#include "libtrace-read/core/src/session/index_totals.h"
#include "row_check.h"

namespace evt {
namespace {

std::uint64_t missing_rows(const TraceData& data) {
  std::uint64_t missing = 0;
  for (const Session& session : data.sessions) saturating_add(&missing, session.missing);
  return missing;
}

bool has_duplicates(const TraceData& data) {
  return std::any_of(data.sessions.begin(), data.sessions.end(), [](const Session& s) { return s.duplicate_rows > 0; });
}

// What the headers show too is no contradiction.
bool is_known(const TraceData& data, const Damage& contradiction) {
  if (data.blocks.met_disorder()) return true;  // the index describes the order in which blocks were written
  const std::vector<Damage>& all = data.ledger.damage();
  return data.blocks.met_newer() || std::any_of(all.begin(), all.end(), [&](const Damage& damage) {
           return contradiction.offset >= damage.offset && contradiction.offset <= damage.offset + damage.length;
         });
}

}  // namespace

Opening::Opening(std::unique_ptr<ByteSource> source, const ReadOptions& options) : options_(options) {
  begin(std::move(source));
}

void Opening::begin(std::unique_ptr<ByteSource> source) {
  check_.reset();
  builder_.reset();
  contradiction_.reset();
  data_ = std::make_unique<TraceData>(std::move(source), options_);
  builder_.emplace(data_->blocks, data_->sessions, data_->data, data_->ledger);
  if (options_.check_index) check_.emplace(data_->blocks, data_->ledger);
}

void Opening::start_again() {
  builder_.reset();
  data_->data.clear();
  data_->sessions.clear();
  data_->ledger.reset_missing();
  builder_.emplace(data_->blocks, data_->sessions, data_->data, data_->ledger);
}

void Opening::read() {
  if (options_.use_index && !options_.check_index && !options_.strict) {
    is_indexed_ = read_by_indexes();
    if (is_indexed_) return;
    start_again();
    data_->ledger.reset();
  }
  feed();
}

// False where the headers show better what is wrong.
bool Opening::read_by_indexes() {
  IndexChain chain(data_->blocks);
  const bool is_found = chain.find();
  contradiction_ = chain.contradiction();
  if (!is_found) return false;
  IndexedBlocks blocks(data_->blocks, chain.sessions());
  while (const Block* block = blocks.next()) {
    Block here = *block;
    builder_->add(here, blocks.pieces());
  }
  data_->structure = builder_->finish();
  contradiction_ = blocks.contradiction();
  if (!blocks.ok()) return false;
  if (!data_->ledger.damage().empty()) {
    const Damage& first = data_->ledger.damage().front();
    contradiction_ = Damage{first.offset, 0, "the index is not used: by it there are " + first.reason};
    return false;
  }
  contradiction_ = add_what_indexes_say(chain.sessions(), data_->data);
  return !contradiction_ && missing_rows(*data_) == 0 && !has_duplicates(*data_);
}

void Opening::feed() {
  while (const Block* block = data_->blocks.next()) {
    Block here = *block;  // reading on may need the reader's
    builder_->add(here);
    if (check_) check_->add(here, builder_->pieces());
  }
}

void Opening::extend(std::unique_ptr<ByteSource> source) {
  ByteSource& more = *source;
  // The reader refers to the source before until it goes on.
  const std::unique_ptr<ByteSource> before = std::exchange(data_->source, std::move(source));
  if (!is_indexed_ && data_->blocks.go_on(more)) {
    data_->options = fitting(options_, more.size());
    return feed();
  }
  begin(std::move(data_->source));
  read();
}

// All that depends on the order of blocks is right only in the order in which they were written.
void Opening::build_in_order() {
  start_again();
  data_->blocks.sort();
  check_.reset();
  feed();
  data_->structure = builder_->finish();
  data_->ledger.sort_damage();
}

std::unique_ptr<TraceData> Opening::finish() {
  TraceData& data = *data_;
  if (!is_indexed_) {
    data.structure = builder_->finish();
    if (data.blocks.met_disorder()) {
      build_in_order();
    } else if (check_) {
      check_->finish(data.data);
    }
    if (options_.check_index) {
      RowCheck rows(data.blocks, data.ledger);
      for (const SessionData& session : data.data) rows.check(session);
    }
    if (contradiction_ && !is_known(data, *contradiction_)) data.ledger.add(std::move(*contradiction_));
  }
  data.ledger.add_first(data.source->damage());
  return std::move(data_);
}

}  // namespace evt
