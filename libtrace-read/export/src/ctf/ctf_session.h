// One session as a CTF trace.
#pragma once

#include <evt/export/ctf_trace.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "differences.h"
#include "event_class.h"
#include "libtrace-read/text/memo.h"
#include "stream_file.h"

namespace evt {

// Refers to the session, the files and the differences.
class CtfSession {
 public:
  // `folder`: prefix of the names of its files. `has_cpus`: it has events of the scheduler.
  CtfSession(const Session& session, std::string folder, bool has_cpus, CtfFiles& files, CtfDifferences& differences);

  const Session& session() const { return session_; }
  // False as CtfFiles::append().
  bool take(const Event& event);
  // Takes an event of the scheduler, whose fields are `fields`, in the file of a cpu; `event_class`: from
  // kernel_events.h.
  bool take(std::uint32_t cpu, std::uint32_t event_class, std::int64_t ns, std::string_view fields);
  bool end();

 private:
  // A stream is one file, plus others for events that are earlier than some before them.
  struct Stream {
    std::string name;  // its first file's
    std::string text;  // its own name
    std::vector<StreamFile*> files;
  };
  struct Classes {
    std::unique_ptr<EventClass> usual;
    std::map<EventForm, std::unique_ptr<EventClass>> others;
  };

  std::uint64_t time_of(std::int64_t ns);
  Stream& stream_of(const StreamInfo& stream);
  StreamFile& file_at(Stream& stream, std::uint64_t* time);
  void add_file(Stream& stream);
  StreamFile& add_file(const std::string& name, std::uint32_t stream_class, std::optional<std::uint32_t> cpu);
  Classes* classes_of(const EventType& type);  // null if there are too many
  const EventClass& other_class(Classes& classes, const Event& event);
  std::unique_ptr<EventClass> add_class(const EventType& type, const EventForm& form);
  bool write_if_full(StreamFile& file);
  bool take_loss(const Event& event);
  void append_metadata(TextBuffer& out) const;

  const Session& session_;
  std::string folder_;
  bool has_cpus_;
  CtfFiles& files_;
  CtfDifferences& differences_;
  std::int64_t origin_ns_;       // the session's: the clock's 0
  std::int64_t offset_ns_ = 0;   // the clock's, since 1970
  std::uint64_t most_time_ = 0;  // by the clock
  std::deque<StreamFile> all_files_;
  Memo<const StreamInfo*, std::unique_ptr<Stream>> streams_;
  std::map<std::uint32_t, StreamFile*> cpus_;
  Memo<const EventType*, std::unique_ptr<Classes>> declared_;
  std::map<std::uint32_t, std::unique_ptr<Classes>> undeclared_;  // by number
  std::uint32_t class_count_ = 0;
  std::string names_of_files_;  // in the environment
  std::string event_classes_;   // in TSDL
};

}  // namespace evt
