// The structure of a trace: from its indexes if they are correct, else header by header, each once.
#pragma once

#include <memory>
#include <optional>

#include "index_check.h"
#include "trace_data.h"

namespace evt {

// First read(), then extend() whenever more of the file is known, then finish(). One thread at a time.
class Opening {
 public:
  Opening(std::unique_ptr<ByteSource> source, const ReadOptions& options, const HandedOut* handed_out = nullptr);

  // Reads the headers of all blocks, and metadata.
  void read();
  // Continues with a source that has more after what was read. If earlier parts may have to be read differently,
  // because they are damaged or the file is another one, all of it is read again.
  void extend(std::unique_ptr<ByteSource> source);
  // Contents of the blocks read so far; totals are known only after finish().
  TraceData& data() { return *data_; }

  // Looks for rows that `ring` has and the file's blocks cannot give, though their headers have them: these are missing
  // then. Later blocks count only if they can be read.
  void find_unreadable(SessionData& session, const RingRecovery& ring);

  // The opening is of no use afterwards.
  std::unique_ptr<TraceData> finish();

 private:
  void begin(std::unique_ptr<ByteSource> source);
  bool read_by_indexes();
  void feed();
  void build();
  void build_in_order();
  void begin_thoroughly();
  void start_again();

  const ReadOptions options_;
  const HandedOut* const handed_out_;
  std::unique_ptr<TraceData> data_;
  std::optional<SessionBuilder> builder_;
  std::optional<IndexCheck> check_;
  std::optional<Damage> contradiction_;  // where an index contradicts the blocks
  bool is_indexed_ = false;              // its indexes describe all blocks: nothing can follow
  bool is_thorough_ = false;             // all rows are read when their blocks are met
};

}  // namespace evt
