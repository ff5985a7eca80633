// The writer, driven by the fuzzer's bytes, beside a model of what must be readable: after the end, and after a kill at
// any moment, at which all that was committed is there, in order, and nothing else. One producer; the flusher works as
// it likes.
#include <evt/compact.h>
#include <evt/emit.h>
#include <evt/evt_copy.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <deque>

#include "input.h"
#include "killed_copy.h"
#include "text_form.h"
#include "writer_model.h"

namespace {

using fuzz::MayMiss;

constexpr std::size_t kMaxOpenRows = 3;  // one inside the other
constexpr std::uint32_t kMaxSteps = 400;

struct Type {
  std::string name;
  const evt_type* handle;
};

struct Stream {
  std::uint32_t id;
  evt_stream* handle;
  bool busy = false;  // a row is open
  bool sealed = false;
  bool jumps = false;  // before its next event
};

class Machine {
 public:
  explicit Machine(Input& in) : in_(in) {
    static std::uint32_t sessions = 0;
    evt_store_u32(info_.uuid, ++sessions);
    evt_store_u32(info_.uuid + 4, static_cast<std::uint32_t>(getpid()));
    info_.uuid[15] = 1;
    info_.exact = 1;
    clock_.now = [](void* self) { return static_cast<Machine*>(self)->now_; };
    clock_.context = this;
    clock_.hz = 1'000'000'000;
    const std::uint8_t how = in_.u8();
    evt_options options = {};
    options.session = &info_;
    options.clock = &clock_;
    options.flush_inline = how & 1;
    options.buffer_size = 4096;
    options.ring_size = (how & 2) != 0 ? 1 : 0;  // the smallest that there is
    drops_ = (how & 4) != 0;
    options.full = drops_ ? EVT_FULL_DROP : EVT_FULL_WAIT;
    options.full_wait_ms = EVT_WAIT_FOR_EVER;
    options.compact = (how & 8) != 0 ? evt_columns() : nullptr;
    has_ring_ = options.flush_inline == 0;
    file_ = memfd_create("trace", MFD_CLOEXEC);
    evt_error error;
    writer_ = evt_open_fd(file_, &options, &error);
    FUZZ_CHECK(writer_ != nullptr);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() { close(file_); }

  void run() {
    for (std::uint32_t i = 0; i < kMaxSteps && !in_.empty(); ++i) step(0);
    const bool cut = in_.u8() % 2 == 1;
    evt_error error;
    FUZZ_CHECK((cut ? evt_close_truncated : evt_close)(writer_, &error) == EVT_OK);
    for (const Stream& stream : streams_) {
      if (!types_.empty()) FUZZ_CHECK(evt_begin(stream.handle, types_[0].handle).p == nullptr);
    }
    check(bytes_of_file(), cut ? evt::Code::kTruncated : evt::Code::kOk);
  }

 private:
  void step(std::size_t depth) {
    now_ += in_.u8();
    switch (in_.u8() % 16) {
      case 0:
        return declare();
      case 1:
        return open_stream();
      case 2:
        return intern();
      case 3:
        return flush();
      case 4:
        return seal();
      case 5:
        return jump();
      case 6:
        return lose();
      case 7:
        return switch_types();
      case 8:
        return look_as_if_killed();
      case 9:
        return look_at_the_living();
      default:
        return emit(depth);
    }
  }

  void declare() {
    static constexpr evt_field kFields[] = {EVT_FIELD_U32("n"), EVT_FIELD_TEXT("text"), EVT_FIELD_U64("time")};
    if (types_.size() == 100) return;
    const std::string name = "t" + std::to_string(types_.size());
    evt_event_type type = {};
    type.name = name.c_str();
    type.field_count = in_.u8() % 4U;
    type.fields = kFields;
    if (types_.size() % 4 == 3) type.number = 70000 + static_cast<std::uint32_t>(types_.size());
    evt_error error;
    types_.push_back({name, evt_declare(writer_, &type, &error)});
    FUZZ_CHECK(error.code == EVT_OK);
  }

  void open_stream() {
    if (streams_.size() == 20) return;
    evt_stream_info info = {};
    info.id = static_cast<std::uint32_t>(streams_.size() + 1);
    info.name = "s";
    evt_error error;
    streams_.push_back({info.id, evt_stream_open_as(writer_, &info, &error)});
    FUZZ_CHECK(error.code == EVT_OK);
    model_.stream(info.id);
  }

  void intern() {
    const std::string text = in_.bytes(in_.u8() % 16);
    const std::uint32_t id = evt_intern(writer_, text.data(), text.size());
    FUZZ_CHECK((id == 0) == text.empty());
    if (id != 0) model_.intern(id, text);
  }

  // What the writer reports as lost while `work` was done was lost by this stream.
  template <typename Work>
  bool loses(Stream& stream, Work work) {
    const evt_counts before = evt_writer_counts(writer_);
    work();
    const evt_counts after = evt_writer_counts(writer_);
    bool any = false;
    for (std::size_t cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
      model_.stream(stream.id).lost[cause] += after.lost[cause] - before.lost[cause];
      any |= after.lost[cause] != before.lost[cause];
    }
    return any;
  }

  void emit(std::size_t depth) {
    if (types_.empty() || streams_.empty()) return;
    Stream& stream = streams_[in_.u8() % streams_.size()];
    const Type& type = types_[in_.u8() % types_.size()];
    const std::uint8_t how = in_.u8();
    const std::uint64_t ticks = (how & 3) == 0 ? in_.u64() : now_;
    evt_row row;
    const bool lost = loses(stream, [&] {
      row = (how & 3) == 0   ? evt_begin_at(stream.handle, type.handle, ticks)
            : (how & 3) == 1 ? evt_begin_ordered(stream.handle, type.handle)
                             : evt_begin(stream.handle, type.handle);
    });
    const bool can_be_recorded = type.handle->number != 0 && !stream.sealed && !stream.busy;
    // Nothing is lost but what finds the ring full, or its own stream in the middle of an event.
    FUZZ_CHECK(lost || (row.p != nullptr) == can_be_recorded);
    FUZZ_CHECK(!lost || (drops_ && can_be_recorded) || (stream.busy && type.handle->number != 0));
    if (row.p == nullptr) return;
    stream.busy = true;
    const bool cancelled = (how & 4) != 0 && (how & 8) != 0;
    std::string payload;
    const bool lost_growing = loses(stream, [&] { payload = fill(&row, how); });
    if ((how & 16) != 0 && depth < kMaxOpenRows) step(depth + 1);
    const bool lost_late = loses(stream, [&] { cancelled ? evt_cancel(&row) : evt_commit(&row); });
    stream.busy = false;
    FUZZ_CHECK(drops_ || (!lost_growing && !lost_late));
    if (cancelled || lost_growing || lost_late) return;
    model_.stream(stream.id).events.push_back({type.name, ticks, payload, std::exchange(stream.jumps, false)});
  }

  // A payload, in one or two pieces: mostly small, sometimes as large as a slot and larger.
  std::string fill(evt_row* row, std::uint8_t how) {
    std::string payload = in_.bytes(in_.u8() % 32);
    evt_raw(row, payload.data(), payload.size());
    if ((how & 32) == 0) return payload;
    const std::size_t more = (how & 64) != 0 ? std::size_t{in_.u16()} * 8 : in_.u16() % 4096;
    const std::string second(more, static_cast<char>(more));
    evt_raw(row, second.data(), second.size());
    return payload + second;
  }

  Stream* a_stream() { return streams_.empty() ? nullptr : &streams_[in_.u8() % streams_.size()]; }

  void flush() {
    Stream* const stream = a_stream();
    if (stream != nullptr) evt_stream_flush(stream->handle);
  }
  void seal() {
    Stream* const stream = a_stream();
    if (stream == nullptr) return;
    evt_stream_seal(stream->handle);
    stream->sealed |= !stream->busy;
  }
  void jump() {
    Stream* const stream = a_stream();
    if (stream == nullptr) return;
    evt_stream_jump(stream->handle);
    stream->jumps |= !stream->busy && !stream->sealed;
  }
  void lose() {
    Stream* const stream = a_stream();
    if (stream == nullptr) return;
    const auto cause = static_cast<std::uint16_t>(1 + in_.u8() % (EVT_LOST_CAUSES - 1));
    const std::uint16_t count = in_.u16();
    const bool lost = loses(*stream, [&] { evt_stream_lost(stream->handle, cause, count, now_, now_); });
    FUZZ_CHECK(lost == (count > 0 && !stream->busy && !stream->sealed));
  }

  void switch_types() {
    static constexpr const char* kGlobs[] = {"*", "t0", "t?", "x*"};
    const std::uint8_t which = in_.u8();
    evt_switch_types(writer_, kGlobs[which % 4], which / 4 % 2);
  }

  std::string ring_path() const {
    char name[96];
    std::snprintf(name, sizeof name, "%s/%s%u-%016llx.ring", evt::ring::kFolder, evt::ring::kNamePrefix,
                  static_cast<unsigned>(geteuid()), static_cast<unsigned long long>(evt_session_id(info_.uuid)));
    return name;
  }
  bool has_shared_ring() const { return has_ring_ && access(ring_path().c_str(), R_OK) == 0; }

  std::string bytes_of_file() const {
    struct stat status;
    FUZZ_CHECK(fstat(file_, &status) == 0);
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    FUZZ_CHECK(pread(file_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    return bytes;
  }

  // What finds the ring full as it grows gets memory of its own, and no caller that would rather drop events waits.
  void check(const std::string& bytes, evt::Code code, MayMiss may_miss = MayMiss::kNothing) const {
    evt::ReadOptions options;
    options.rings = false;
    auto trace = evt::Trace::from_memory(fuzz::as_bytes(bytes), options);
    FUZZ_CHECK(trace.ok());
    model_.check(*trace, may_miss);
    const bool misses = trace->sessions().front().missing > 0;
    FUZZ_CHECK(!misses || !trace->status().ok());
    FUZZ_CHECK(misses || (trace->status().code() == code && trace->damage().empty()));
  }

  void look_as_if_killed() {
    if (!has_shared_ring()) return;
    fuzz::KilledCopy copy(ring_path());
    check(copy.recovered(bytes_of_file()), evt::Code::kOk, drops_ ? MayMiss::kThese : MayMiss::kNothing);
  }
  void look_at_the_living() {
    if (!has_shared_ring()) return;
    auto trace = evt::Trace::open(file_, "trace");
    FUZZ_CHECK(trace.ok());
    FUZZ_CHECK(trace->sessions().front().ring == evt::RingState::kLive);
    model_.check(*trace, drops_ ? MayMiss::kFromThese : MayMiss::kNothing);
  }

  Input& in_;
  evt_session_info info_ = {};
  evt_clock clock_ = {};
  std::uint64_t now_ = 1;
  bool drops_ = false;
  bool has_ring_ = false;
  int file_ = -1;
  evt_writer* writer_ = nullptr;
  std::deque<Type> types_;  // rows that are open refer to them
  std::deque<Stream> streams_;
  fuzz::SessionModel model_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  Machine(in).run();
  return 0;
}
