// Part of <evt/follow.h>. Each look opens a small trace: the blocks that were kept, those that are new in the file, and
// what the ring has that was not handed out.
#include <evt/follow.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <span>
#include <utility>

#include "followed_input.h"
#include "kept_blocks.h"
#include "libtrace-read/core/src/session/event_time.h"
#include "libtrace-read/core/src/session/handed_out.h"
#include "libtrace-read/core/src/trace/trace_data.h"
#include "watermark.h"

namespace evt {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(50);
// Looks take no more than a part of the time, so that a large description costs delay and no processor.
constexpr int kRestPerWork = 5;
constexpr std::size_t kMostKept = 64 << 20;
constexpr std::size_t kMostDamage = 1000;
constexpr std::size_t kMostAtOnce = 1 << 20;  // bytes passed on
// Blocks of the ring cost bytes besides those of the file.
constexpr std::chrono::milliseconds kBetweenRecoveries(500);
// The first block begins in the first MiB.
constexpr std::uint64_t kMostBeforeSession = EVT_FIRST_BLOCK_WITHIN + EVT_MAX_METADATA_PAYLOAD;
// A writer that is about to close may be found neither living nor closed.
constexpr int kLooksWithoutWriter = 2;

bool has_writer(const Trace& trace) {
  return std::ranges::any_of(trace.sessions(), [](const Session& session) { return session.ring == RingState::kLive; });
}

}  // namespace

struct Follow::State {
  State(std::unique_ptr<FollowedInput> from, FollowOptions opt)
      : input(std::move(from)), options(std::move(opt)), watermark(options.delay) {}

  Status look();
  const Event* next();
  bool wait();
  // The first blocks of a pipe may not be whole yet.
  bool may_become_a_trace() const {
    return input->files().empty() && !input->has_ended() && size_ < kMostBeforeSession;
  }

 private:
  struct Place {
    HandedOut::Stream* handed_out = nullptr;
    const ClockMap* clock = nullptr;  // that its time is from, if this look set it
  };

  void begin_session(std::uint64_t id);
  bool is_over();
  bool is_last(const Session& session) const { return &session == &trace->sessions().back(); }
  bool selects(const Event& event);
  bool wants(const Session& session, const StreamInfo& stream) const {
    return !options.events.stream || options.events.stream(session, stream);
  }
  void hand_out(const Event& event, std::int64_t ns);
  void settle();
  bool pass_blocks();
  bool pass_file();
  bool is_recovery_due() const;
  std::uint64_t place_of(std::uint64_t offset) const;
  void note_damage();
  bool goes_on_after_end() const { return options.blocks && has_passed_ && !input->has_ended(); }
  void take_all(const SessionData& session);
  std::uint64_t end_of_file() const;

 public:
  std::unique_ptr<FollowedInput> input;
  FollowOptions options;
  Watermark watermark;
  std::optional<Trace> trace;
  Status status;
  bool is_late = false;
  std::uint64_t late = 0;
  std::vector<Damage> damage;  // by offset

 private:
  std::optional<Events> events_;
  SharedBuffer kept_ = fresh_buffer(0);
  std::uint64_t kept_size_ = 0;                    // bytes kept for this look
  std::vector<KeptBlocks::Place> places_of_kept_;  // in the input
  std::uint64_t passed_ = 0;                       // bytes of the input, before this look
  std::uint64_t size_ = 0;                         // bytes that this look had
  HandedOut handed_out_;
  std::vector<Place> places_;  // by the stream's index in the session, of this look
  std::map<Session::Uuid, TimeRange> ranges_;
  Watermark::Clock::time_point looked_at_;
  Watermark::Clock::duration work_{};  // processor time of the look before
  std::clock_t processor_ = 0;
  std::int64_t due_ns_ = INT64_MIN;
  std::int64_t latest_ns_ = INT64_MIN;         // the latest event that was handed out
  std::int64_t latest_before_ns_ = INT64_MIN;  // the same, before this look
  int looks_without_writer_ = 0;
  bool goes_on_ = false;       // the file states that another one follows
  bool is_exhausted_ = false;  // every event of this look was handed out
  bool has_stopped_ = false;   // at one that is not due
  bool has_ended_ = false;     // nothing comes after this look

  // What options.blocks got.
  bool has_passed_ = false;     // in this look, bytes of the file
  bool has_recovered_ = false;  // in this look, blocks of the ring
  bool is_partial_ = false;     // the ring's blocks lack what was passed since the latest bytes of the file
  Watermark::Clock::time_point recovered_at_;
};

void Follow::State::begin_session(std::uint64_t id) {
  if (handed_out_.session_id == id) return;
  handed_out_ = {};
  handed_out_.session_id = id;
  latest_ns_ = latest_before_ns_ = INT64_MIN;
  watermark = Watermark(options.delay);
}

// Nothing will come after what was read.
bool Follow::State::is_over() {
  if (input->has_ended()) return true;
  const Session& last = trace->sessions().back();
  goes_on_ |= last.goes_on;
  if (input->files().empty()) return false;  // a pipe has an end of its own
  if (last.closed || last.ring == RingState::kRecovered) return true;
  looks_without_writer_ = has_writer(*trace) ? 0 : looks_without_writer_ + 1;
  return looks_without_writer_ >= kLooksWithoutWriter;
}

Status Follow::State::look() {
  looked_at_ = Watermark::Clock::now();
  processor_ = std::clock();
  ReadOptions reading;
  reading.use_index = false;
  kept_size_ = kept_->size;
  auto source = input->behind(kept_);
  size_ = source->size();
  auto opened = TraceData::trace_of(open_trace(std::move(source), reading, &handed_out_));
  if (!opened) return opened.status();
  if ((*opened).sessions().empty()) return {Code::kTruncated, "the trace ends inside its first block"};
  trace = *std::move(opened);
  const TraceData& data = TraceData::of(*trace);
  begin_session(data.data.back().id);
  has_ended_ = is_over();
  if (trace->sessions().back().rows > 0) watermark.meet(trace->sessions().back().last_ns, looked_at_);
  due_ns_ = has_ended_ ? INT64_MAX : watermark.due_ns();
  latest_before_ns_ = latest_ns_;
  places_.assign(trace->sessions().back().streams.size(), {});
  is_exhausted_ = has_stopped_ = has_passed_ = has_recovered_ = false;
  if (options.blocks) return {};
  EventOptions all = options.events;
  all.range = {};
  all.ends = true;
  events_.emplace(trace->events(all));
  return {};
}

bool Follow::State::selects(const Event& event) {
  if (event.is_end() && !options.events.ends) return false;
  if (!options.events.range) return true;
  const auto [range, is_new] = ranges_.try_emplace(event.session().uuid);
  if (is_new) range->second = options.events.range(event.session());
  return range->second.contains(event.ns());
}

void Follow::State::hand_out(const Event& event, std::int64_t ns) {
  const auto index = static_cast<std::size_t>(&event.stream() - event.session().streams.data());
  Place& place = places_[index];
  if (place.handed_out == nullptr) place.handed_out = &handed_out_.streams[event.stream().id];
  HandedOut::Stream& stream = *place.handed_out;
  // Rows after a step back may come before others of their stream: what is handed out of it has no gaps.
  if (event.is_jump()) due_ns_ = INT64_MAX;
  if (event.is_jump() || ns >= stream.ns) {
    place.clock = &EventTime::clock_of(event);
    stream.ns = ns;
    stream.ticks = event.ticks();
  }
  if (!event.is_jump()) stream.next_ordinal = event.ordinal() + 1;
  stream.has_ended |= event.is_end();
  is_late = stream.ns < latest_before_ns_;
  latest_ns_ = std::max(latest_ns_, stream.ns);
}

const Event* Follow::State::next() {
  is_late = false;
  while (events_ && !has_stopped_) {
    const Event* const event = events_->next();
    if (event == nullptr) {
      is_exhausted_ = has_stopped_ = true;
      break;
    }
    const bool is_of_last = is_last(event->session());
    const std::int64_t ns = event->ns();
    if (is_of_last && ns > due_ns_) {
      has_stopped_ = true;
      break;
    }
    if (is_of_last) hand_out(*event, ns);
    if (!selects(*event)) continue;
    late += is_late ? 1 : 0;
    return event;
  }
  return nullptr;
}

// All its rows that this look has, of streams that are not wanted or of all.
void Follow::State::take_all(const SessionData& session) {
  for (const auto& [id, stream] : session.streams) {
    if (!is_exhausted_ && !options.blocks && wants(*session.session, *stream.info)) continue;
    HandedOut::Stream& to = handed_out_.streams[id];
    to.next_ordinal = std::max(to.next_ordinal, stream.next_ordinal);
  }
}

// Where the blocks of the file end in the trace of this look: the ring's follow, or one that is not whole.
std::uint64_t Follow::State::end_of_file() const {
  const TraceData& data = TraceData::of(*trace);
  if (!data.recovery.rings.empty()) return data.recovery.file_size;
  return data.blocks.status().code() == Code::kTruncated ? data.blocks.status().offset() : data.source->size();
}

void Follow::State::settle() {
  TraceData& data = TraceData::of(*trace);
  note_damage();
  if (!options.blocks || has_recovered_) take_all(data.data.back());
  for (const Place& place : places_) {
    if (place.clock == nullptr) continue;
    place.handed_out->has_time = true;
    place.handed_out->clock =
        std::ranges::find(data.data.back().clocks, place.clock, [](const auto& clock) { return &clock.second; })->first;
  }
  const std::uint64_t end = end_of_file();
  const std::uint64_t next_block_no = data.data.back().next_block_no;
  // If it would be much, as before the first event is wanted, the same bytes of the file are read again.
  const bool has_all = input->files().empty() || options.blocks;
  auto kept = kept_blocks(data, end, has_all ? SIZE_MAX : kMostKept, has_passed_ && !has_recovered_, &handed_out_);
  events_.reset();
  trace.reset();
  if (kept) {
    for (KeptBlocks::Place& place : kept->places) place.source = place_of(place.source);
    places_of_kept_ = std::move(kept->places);
    input->pass(end - kept_->size);
    passed_ += end - kept_->size;
    kept_ = std::move(kept->bytes);
    std::erase_if(handed_out_.streams, [](const auto& stream) {
      return stream.second.has_ended && stream.second.in_file >= stream.second.next_ordinal;
    });
  }
  if (kept && goes_on_ && input->go_on_with(handed_out_.session_id, next_block_no)) {
    goes_on_ = false;
    looks_without_writer_ = 0;
  }
  work_ = std::chrono::microseconds((std::clock() - processor_) * (std::micro::den / CLOCKS_PER_SEC));
}

// The place in the input of what was kept, or came in this look.
std::uint64_t Follow::State::place_of(std::uint64_t offset) const {
  if (offset >= kept_size_) return passed_ + (offset - kept_size_);
  const auto behind = std::ranges::upper_bound(places_of_kept_, offset, {}, &KeptBlocks::Place::kept);
  if (behind == places_of_kept_.begin()) return offset;
  return (behind - 1)->source + (offset - (behind - 1)->kept);
}

// Each look meets the kept blocks again. Damage at the end of one look may go on in the next.
void Follow::State::note_damage() {
  // A block that is still being written is not damaged.
  const Status& end = TraceData::of(*trace).blocks.status();
  const bool may_go_on = !has_ended_ && end.code() == Code::kTruncated;
  for (Damage met : trace->damage()) {
    if (may_go_on && met.offset >= end.offset()) continue;
    met.offset = place_of(met.offset);
    const auto at = std::ranges::lower_bound(damage, met.offset, {}, &Damage::offset);
    const bool is_known = at != damage.end() && at->offset == met.offset;
    const bool goes_on =
        at != damage.begin() && (at - 1)->length > 0 && (at - 1)->offset + (at - 1)->length >= met.offset;
    if (is_known) {
      at->length = std::max(at->length, met.length);
    } else if (goes_on) {
      (at - 1)->length = std::max((at - 1)->length, met.offset + met.length - (at - 1)->offset);
    } else if (damage.size() < kMostDamage) {
      damage.insert(at, std::move(met));
    }
  }
}

bool Follow::State::pass_file() {
  ByteSource& source = *TraceData::of(*trace).source;
  std::vector<std::byte> bytes;
  const std::uint64_t end = end_of_file();
  for (std::uint64_t at = kept_size_; at < end; at += bytes.size()) {
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(end - at, kMostAtOnce)));
    bytes.resize(source.read_at(at, bytes.data(), bytes.size()));
    if (bytes.empty() || !options.blocks(bytes)) return false;
    has_passed_ = true;
  }
  return true;
}

// A dead writer's ring comes once, when all else was passed.
bool Follow::State::is_recovery_due() const {
  if (is_partial_ && has_passed_) return false;
  const TraceData& data = TraceData::of(*trace);
  if (has_ended_) return !has_passed_ && !data.recovery.blocks.empty();
  return trace->sessions().back().ring_rows > 0 && looked_at_ - recovered_at_ >= kBetweenRecoveries;
}

bool Follow::State::pass_blocks() {
  if (!pass_file()) return false;
  if (is_recovery_due()) {
    recovered_at_ = looked_at_;
    has_recovered_ = true;
    if (!options.blocks(TraceData::of(*trace).recovery.blocks)) return false;
  }
  is_partial_ = has_recovered_ || (is_partial_ && !has_passed_);
  return true;
}

bool Follow::State::wait() {
  if (!status.ok() || (options.blocks && !pass_blocks())) return false;
  if (has_ended_ && !goes_on_after_end()) {
    note_damage();
    return false;
  }
  settle();
  const auto at = std::clamp(watermark.next(), looked_at_ + kRestPerWork * work_,
                             looked_at_ + std::max<Watermark::Clock::duration>(kBetweenLooks, kRestPerWork * work_));
  input->wait(at - Watermark::Clock::now());
  status = look();
  return status.ok();
}

Follow::Follow(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<Follow> Follow::of(std::unique_ptr<State> state) {
  Status status = state->look();
  for (; !status.ok() && state->may_become_a_trace(); status = state->look()) state->input->wait(kBetweenLooks);
  if (!status.ok()) return status;
  return Follow(std::move(state));
}

Result<Follow> Follow::open(const std::string& path, const FollowOptions& options) {
  auto input = FollowedInput::open(path, options.keeps_pipe);
  if (!input) return input.status();
  return of(std::make_unique<State>(*std::move(input), options));
}

Result<Follow> Follow::open(int descriptor, const std::string& name, const FollowOptions& options) {
  auto input = FollowedInput::open(descriptor, name, options.keeps_pipe);
  if (!input) return input.status();
  return of(std::make_unique<State>(*std::move(input), options));
}

const Event* Follow::next() { return state_->next(); }
bool Follow::is_late() const { return state_->is_late; }
std::uint64_t Follow::late() const { return state_->late; }
std::vector<Damage> Follow::damage() const { return state_->damage; }
bool Follow::wait() { return state_->wait(); }
const Status& Follow::status() const { return state_->status; }
Trace& Follow::trace() { return *state_->trace; }

std::vector<std::string> Follow::files() const {
  std::vector<std::string> there = state_->input->files();
  std::erase_if(there, [](const std::string& name) { return ::access(name.c_str(), F_OK) != 0; });
  return there;
}

Result<Trace> Follow::whole() const {
  const std::vector<std::string> all = state_->input->files();
  if (all.empty()) {
    if (Status kept = state_->input->kept(); !kept.ok()) return kept;
    auto kept = state_->input->present();
    if (kept == nullptr) return Status(Code::kInvalid, "a pipe is read once");
    return TraceData::trace_of(open_trace(std::move(kept), {.rings = false}));
  }
  const std::vector<std::string> there = files();
  if (there.size() > 1) return Trace::open(there);
  // A flight recorder puts all into its first file in the end.
  if (all.size() > 1 && !there.empty()) return Trace::open(there.front());
  auto file = state_->input->present();
  if (file == nullptr) return Trace::open(all.front());
  return TraceData::trace_of(open_trace(std::move(file), {}));
}

}  // namespace evt
