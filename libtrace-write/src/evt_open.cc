// How sessions begin. How they end is in close.cc.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <new>

#include "old_run.h"
#include "recording.h"
#include "session_facts.h"

#pragma weak dladdr
#pragma weak dlopen

namespace evt {
namespace {

constexpr std::uint32_t kDefaultBuffer = 64 << 10;
constexpr std::uint32_t kSmallestBuffer = 4 << 10;
constexpr std::uint32_t kLargestBuffer = 8 << 20;
constexpr std::uint32_t kDefaultWaitMs = 10;
// A thread may fill eight slots while one is compacted, and twenty while the flusher waits for its turn.
constexpr std::uint32_t kKeptWhenCompacting = 4;

// All writers for ever: handles stay valid after close, and leak checkers see why.
evt_writer* all_writers = nullptr;
pthread_mutex_t all_writers_mutex = PTHREAD_MUTEX_INITIALIZER;

// A child must not keep up the locks by which others see that its parent lives, nor write where its parent does (which
// pages that are wiped see to, where the system knows them). It is alone: nothing is locked.
void leave_to_parent() {
  for (evt_writer* writer = all_writers; writer != nullptr; writer = writer->next_writer) {
    writer->ring.memory().let_go();
    writer->output.sink().let_go();
    writer->switch_off_streams();
  }
}

// A library that has threads of its own and handlers in its user's threads must not be unloaded under them. A static
// program has neither of the two functions, nor the need.
void pin() {
  if (dladdr == nullptr || dlopen == nullptr) return;
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&evt_close), &info) == 0 || info.dli_fname == nullptr) return;
  dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void remember(evt_writer* writer) {
  pthread_mutex_lock(&all_writers_mutex);
  if (all_writers == nullptr) {
    pin();
    pthread_atfork(nullptr, nullptr, leave_to_parent);
  }
  writer->next_writer = all_writers;
  all_writers = writer;
  pthread_mutex_unlock(&all_writers_mutex);
}

void set_options(evt_writer& writer, const evt_options& options) {
  std::uint32_t size = options.buffer_size == 0 ? kDefaultBuffer : options.buffer_size;
  size = size < kSmallestBuffer ? kSmallestBuffer : size > kLargestBuffer ? kLargestBuffer : size;
  writer.buffer_size = size / EVT_ALIGNMENT * EVT_ALIGNMENT;
  writer.drops = options.full == EVT_FULL_DROP;
  writer.wait_ms = options.full_wait_ms == 0 ? kDefaultWaitMs : options.full_wait_ms;
  if (options.full_wait_ms == EVT_WAIT_FOR_EVER) writer.wait_ms = UINT64_MAX;
  writer.pid = getpid();
  writer.on_error = options.on_error;
  writer.on_error_context = options.on_error_context;
  writer.clock.choose(options.clock);
}

struct Start {
  std::uint64_t ticks = 0;
  std::int64_t ns = 0;
  std::int64_t utc_ns = 0;
};

Start start_of(const Clock& clock) {
  if (!clock.can_sync()) return {clock.start_ticks(), 0, utc_ns()};
  const ClockReading now = clock.read_all();
  return {now.ticks, now.ns, now.utc_ns};
}

void describe(evt_writer& writer, const evt_session_info& info, const Start& start) {
  writer.metadata.session().clear();
  writer.metadata.clock().clear();
  append_session(writer.metadata.session(), info, start.ns);
  ClockFacts clock;
  clock.id = 1;
  clock.kind = writer.clock.kind();
  clock.hz = writer.clock.hz();
  clock.start_ticks = start.ticks;
  clock.start_ns = start.ns;
  clock.tolerance_ns = writer.clock.can_sync() ? 1000 : 0;
  append_clock(writer.metadata.clock(), clock, info);
}

bool open_ring(evt_writer& writer, const char* name, const evt_options& options) {
  Buffer front;
  writer.metadata.append_front(front, writer.output.session_id());
  if (!front.ok() || !writer.ring.open(name, front, writer.output.session_id(), options.ring_size)) return false;
  const Sink& sink = writer.output.sink();
  if (sink.is_regular()) writer.ring.set_output(sink.path(), sink.id().device, sink.id().inode);
  return true;
}

// The SESSION block says which ring there is, and the ring begins with the SESSION block.
void describe_with_ring(evt_writer& writer, SessionFacts& facts, const char* name, const Start& start,
                        const evt_options& options) {
  facts.info.ring_kind = EVT_RING_SHARED;
  facts.info.ring_name = name;
  describe(writer, facts.info, start);
  if (options.compact != nullptr) writer.ring.keep_more_free(kKeptWhenCompacting);
  writer.with_flusher = open_ring(writer, name, options);
  if (writer.with_flusher) return;
  facts.info.ring_kind = EVT_RING_PRIVATE;
  facts.info.ring_name = nullptr;
  describe(writer, facts.info, start);
  writer.with_flusher = open_ring(writer, nullptr, options);
  if (writer.with_flusher) return;
  facts.info.ring_kind = EVT_RING_NONE;
  describe(writer, facts.info, start);
}

void begin(evt_writer& writer, const evt_options& options) {
  SessionFacts facts(options.session);
  const Start start = start_of(writer.clock);
  if (facts.info.start_utc_ns == 0 && facts.info.exact == 0) facts.info.start_utc_ns = start.utc_ns;
  writer.output.begin(evt_load_u64(facts.info.uuid));
  if (options.flush_inline != 0) {
    describe(writer, facts.info, start);
  } else {
    tidy_rings();
    char name[64];
    RingMemory::name_of(writer.output.session_id(), name, sizeof name);
    describe_with_ring(writer, facts, name, start, options);
  }
  writer.synced_at_ns = monotonic_ns();  // CLOCK pairs the clocks as a SYNC does
}

using OpenSink = bool (*)(Sink& sink, const void* where, const evt_options& options, evt_error* error);

evt_writer* open_session(OpenSink open_sink, const void* where, const evt_options* given, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  static constexpr evt_options kDefaults = {};
  const evt_options& options = given != nullptr ? *given : kDefaults;
  void* const memory = calloc(1, sizeof(evt_writer));
  if (memory == nullptr) {
    set_error(error, EVT_CODE_MEMORY, "no memory for a session");
    return nullptr;
  }
  auto* const writer = new (memory) evt_writer;
  if (!open_sink(writer->output.sink(), where, options, error)) {
    free(memory);
    return nullptr;
  }
  if (options.compact != nullptr && !writer->output.use_compactor(options.compact)) {
    set_error(error, EVT_CODE_MEMORY, "no memory for compacting");
    writer->output.close(nullptr);
    free(memory);
    return nullptr;
  }
  set_options(*writer, options);
  writer->has_thread_stream = pthread_key_create(&writer->thread_stream, seal_thread_stream) == 0;
  remember(writer);
  begin(*writer, options);

  // SESSION goes out before anything, so that a file is never without its first line; an unwritable sink shows here.
  if (writer->metadata.write_front(writer->output)) {
    if (!writer->has_flusher()) return writer;
    writer->output.try_again(true);
    if (writer->flusher.start(writer)) return writer;
    evt_error no_thread;
    set_error(&no_thread, EVT_CODE_MEMORY, "no thread for the flusher");
    writer->output.fail(no_thread);
  }
  *error = writer->output.first_error();
  writer->told = true;  // by this
  const Lock lock(*writer);
  if (writer->has_flusher()) release_ring(*writer, true, false);
  end_session(*writer, nullptr);
  return nullptr;
}

}  // namespace
}  // namespace evt

evt_writer* evt_open(const char* path, const evt_options* options, evt_error* error) {
  const auto open = [](evt::Sink& sink, const void* where, const evt_options& o, evt_error* e) {
    return sink.open_path(static_cast<const char*>(where), o.append != 0, e);
  };
  return evt::open_session(open, path, options, error);
}

evt_writer* evt_open_fd(int fd, const evt_options* options, evt_error* error) {
  const auto open = [](evt::Sink& sink, const void* where, const evt_options&, evt_error*) {
    sink.use_descriptor(*static_cast<const int*>(where));
    return true;
  };
  return evt::open_session(open, &fd, options, error);
}

namespace {
struct Function {
  evt_sink sink;
  void* context;
};
}  // namespace

evt_writer* evt_open_sink(evt_sink sink, void* context, const evt_options* options, evt_error* error) {
  const auto open = [](evt::Sink& out, const void* where, const evt_options&, evt_error*) {
    const auto& function = *static_cast<const Function*>(where);
    out.use_function(function.sink, function.context);
    return true;
  };
  const Function function = {sink, context};
  return evt::open_session(open, &function, options, error);
}
