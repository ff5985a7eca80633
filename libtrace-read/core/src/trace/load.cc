// The structure of a trace: by its indexes where they hold what they promise, else header by header.
#include <evt/capped.h>

#include <algorithm>

#include "index_check.h"
#include "libtrace-read/core/src/index/indexed_blocks.h"
#include "libtrace-read/core/src/session/index_totals.h"
#include "row_check.h"
#include "trace_data.h"

namespace evt {
namespace {

SessionBuilder builder_of(TraceData& data) { return {data.blocks, data.sessions, data.data, data.ledger}; }

// Reads every header and all metadata.
void read_all(TraceData& data, IndexCheck* check = nullptr) {
  SessionBuilder builder = builder_of(data);
  while (const Block* block = data.blocks.next()) {
    Block here = *block;  // reading on may need the reader's
    builder.add(here);
    if (check != nullptr) check->add(here, builder.pieces());
  }
  data.structure = builder.finish();
}

std::uint64_t missing_rows(const TraceData& data) {
  std::uint64_t missing = 0;
  for (const Session& session : data.sessions) add_capped(&missing, session.missing);
  return missing;
}

// Whether the trace was read by its indexes; else `lie` says what an index said that the blocks do not, if one did.
// Whatever else is not as it should be, headers tell better.
bool read_by_indexes(TraceData& data, std::optional<Damage>* lie) {
  IndexChain chain(data.blocks);
  const bool found = chain.find();
  *lie = chain.contradiction();
  if (!found) return false;
  IndexedBlocks blocks(data.blocks, chain.sessions());
  SessionBuilder builder = builder_of(data);
  while (const Block* block = blocks.next()) {
    Block here = *block;
    builder.add(here, blocks.pieces());
  }
  data.structure = builder.finish();
  *lie = blocks.contradiction();
  if (!blocks.ok()) return false;
  if (!data.ledger.damage().empty()) {
    const Damage& first = data.ledger.damage().front();
    *lie = Damage{first.offset, 0, "the index is not used: by it there are " + first.reason};
    return false;
  }
  *lie = add_what_indexes_say(chain.sessions(), data.data);
  return !*lie && missing_rows(data) == 0;
}

// What the headers say too is no lie of the index.
bool is_told(const TraceData& data, const Damage& lie) {
  if (data.blocks.met_disorder()) return true;  // it describes the order in which they were written
  const std::vector<Damage>& all = data.ledger.damage();
  return data.blocks.met_newer() || std::any_of(all.begin(), all.end(), [&](const Damage& damage) {
           return lie.offset >= damage.offset && lie.offset <= damage.offset + damage.length;
         });
}

void start_again(TraceData& data) {
  data.data.clear();
  data.sessions.clear();
  data.ledger.reset_missing();
}

// All that depends on the order of blocks is right only in the order in which they were written.
void build_in_order(TraceData& data) {
  start_again(data);
  data.blocks.sort();
  read_all(data);
  data.ledger.sort_damage();
}

}  // namespace

namespace {

std::unique_ptr<TraceData> load_trace(std::unique_ptr<ByteSource> source, const ReadOptions& options) {
  auto data = std::make_unique<TraceData>(std::move(source), options);
  std::optional<Damage> lie;
  if (options.use_index && !options.check_index && !options.strict) {
    if (read_by_indexes(*data, &lie)) return data;
    start_again(*data);
    data->ledger.reset();
  }
  if (options.check_index) {
    IndexCheck check(data->blocks, data->ledger);
    read_all(*data, &check);
    if (data->blocks.met_disorder()) {
      build_in_order(*data);
    } else {
      check.finish(data->data);
    }
    RowCheck rows(data->blocks, data->ledger);
    for (const SessionData& session : data->data) rows.check(session);
  } else {
    read_all(*data);
    if (data->blocks.met_disorder()) build_in_order(*data);
  }
  if (lie && !is_told(*data, *lie)) data->ledger.add(std::move(*lie));
  return data;
}

}  // namespace

std::unique_ptr<TraceData> load(std::unique_ptr<ByteSource> source, const ReadOptions& options) {
  auto data = load_trace(std::move(source), options);
  data->ledger.add_first(data->source->damage());
  return data;
}

}  // namespace evt
