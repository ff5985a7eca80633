// CTF traces -> rows in order of time, with their types and streams.
#pragma once

#include <evt/session.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ctf_folder.h"
#include "event_type.h"
#include "libtrace-read/import/src/row_sort.h"
#include "stream_reader.h"

namespace evt::ctf {

// Precedes the fields of each row.
struct RowFront {
  std::uint32_t stream = 0;  // its id
  std::uint32_t type = 0;    // 0: a loss, whose count and duration are the fields
  std::uint32_t cause = 0;   // for a loss
  Running running;
};

// The origin of the traces: from the first of them that has an event.
struct TraceOrigin {
  std::string program;
  std::string host;
  std::uint64_t pid = 0;
  std::optional<std::int64_t> start_ns;  // as stated by evt convert
};

// Reads the files one after another, each once.
class CtfEvents : private StreamTaker {
 public:
  // `called`: name of the folder or the file in messages. Errors: kNotATrace, if nothing in it can be read; kIo.
  static Result<std::unique_ptr<CtfEvents>> read(const std::vector<TraceFiles>& traces, const std::string& called);

  RowSort& rows() { return rows_; }
  const Surroundings& surroundings() const { return surroundings_; }
  const std::vector<std::string>& streams() const { return streams_; }  // their names; the first has id 1
  const TraceOrigin& origin() const { return origin_; }
  std::int64_t first_ns() const { return first_ns_ == INT64_MAX ? 0 : first_ns_; }
  std::uint64_t size() const { return size_; }  // bytes of all files
  const std::vector<Damage>& damage() const { return damage_; }
  std::vector<std::string> notes() const;

 private:
  static constexpr std::size_t kInMemory = 12 << 20;
  static constexpr std::size_t kMaxDamage = 10'000;

  struct PendingLoss {
    std::uint32_t stream;
    std::uint64_t count;
    evt_lost_cause cause;
  };
  struct Trace {
    const TraceFiles* files = nullptr;
    Metadata metadata;
    bool has_clock = false;
  };

  CtfEvents() = default;
  Status read_all(const std::vector<TraceFiles>& traces, const std::string& called);
  Result<Metadata> metadata_of(const TraceFiles& files);
  void set_origin(const Metadata& metadata);
  Status read_stream(const std::string& path);
  void begin_stream(const std::string& file);
  std::uint32_t add_stream(const std::string& name);
  void end_stream();
  Status finish(const std::string& called);

  bool event(const StreamClass& stream, const EventClass& event, std::optional<std::int64_t> ns,
             FieldReader* reader) override;
  void discarded(std::uint64_t count, std::optional<std::int64_t> first_ns,
                 std::optional<std::int64_t> last_ns) override;
  void missing(std::uint64_t offset, std::uint64_t first, std::uint64_t last, std::optional<std::int64_t> ns) override;
  void zeros(std::uint64_t size) override;
  void damage(std::uint64_t offset, std::uint64_t size, const std::string& why) override;

  void note(Damage damage);
  void lose(std::uint64_t count, evt_lost_cause cause, std::optional<std::int64_t> first_ns,
            std::optional<std::int64_t> last_ns);
  void put(std::int64_t ns, std::uint64_t rank);

  Surroundings surroundings_;
  RowSort rows_{kInMemory};
  std::vector<std::byte> row_;
  std::vector<std::string> streams_;
  std::unordered_map<std::string, std::uint32_t> own_streams_;  // ids, by trace and name
  std::unordered_map<const EventClass*, std::unique_ptr<EventType>> types_;
  std::vector<PendingLoss> pending_;
  TraceOrigin origin_;
  bool has_origin_ = false;
  std::int64_t first_ns_ = INT64_MAX;
  std::uint64_t size_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t rows_size_ = 0;
  bool is_bomb_ = false;
  std::vector<Damage> damage_;
  std::vector<std::string> notes_;
  bool has_room_ = true;
  // The current trace and stream.
  const Metadata* metadata_ = nullptr;
  std::string trace_;
  std::string file_;
  std::uint32_t stream_ = 0;  // 0: it has no event yet
  std::optional<std::int64_t> last_ns_;
  std::uint64_t without_time_ = 0;
  std::uint64_t earlier_ = 0;
};

}  // namespace evt::ctf
