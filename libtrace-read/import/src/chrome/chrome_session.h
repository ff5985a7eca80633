// What was read of a file of Chrome's format -> a trace.
#pragma once

#include <evt/recode.h>

#include "chrome_events.h"
#include "libtrace-read/edit/src/trace_output.h"
#include "libtrace-read/import/src/imported_rows.h"

namespace evt::chrome {

// One session: a stream for each thread, a part for each process if there are several. The same file always makes the
// same one.
class ChromeSession {
 public:
  ChromeSession(ByteSource& file, ChromeEvents& events) : file_(file), events_(events) {}

  // Hands its bytes to `take`; kIo if that fails, or if the events cannot be read again.
  Status write(const TakeBytes& take);

 private:
  void add_metadata(const Session::Uuid& uuid);
  void add_session(const Session::Uuid& uuid);
  void add_streams();
  void add_facts();
  void add_fact(evt_fact_scope scope, std::uint64_t id, std::string_view key, std::string_view value,
                RecordList* records);
  void put_rows();
  void add_row(const RowSort::Row& row, ImportedRows* rows);
  std::uint64_t ticks_of(std::int64_t ns) const;
  std::uint32_t stream_of(std::uint32_t thread) const { return events_.threads().threads()[thread].stream; }
  bool has_parts() const { return events_.threads().processes().size() > 1; }

  ByteSource& file_;
  ChromeEvents& events_;
  TraceOutput* out_ = nullptr;
};

}  // namespace evt::chrome
