// Part of <evt/evt.h>: a session between its opening and its end.
#include "evt_writer.h"

#include <dlfcn.h>
#include <errno.h>
#include <evt/evt_copy.h>
#include <stdlib.h>
#include <string.h>

#include "default_writer.h"
#include "format-spec/src/row/row_writer.h"
#include "take_snapshot.h"

#pragma weak dladdr
#pragma weak dlopen

namespace {

// All writers for ever, so that leak checkers see why they are kept.
evt_writer* all_writers = nullptr;
bool is_prepared = false;  // for sessions, with the first one
pthread_mutex_t all_writers_mutex = PTHREAD_MUTEX_INITIALIZER;

// A library with its own threads, and with handlers in its user's threads, must not be unloaded while they run. A
// static program has neither of the two functions, and does not need them.
void pin() {
  if (dladdr == nullptr || dlopen == nullptr) return;
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&evt_close), &info) == 0 || info.dli_fname == nullptr) return;
  dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool is_ours(const evt_writer* writer) { return writer != nullptr && writer->ours(); }

constexpr evt_type kOff = {0, nullptr};

const evt_type* declare(evt_writer* writer, const evt_event_type* type, evt::TypeTable::By by, evt_error* error) {
  const evt::Lock lock(*writer);
  if (writer->is_closed()) {
    evt::set_error(error, EVT_CODE_CLOSED, "event type %.64s: the session is closed", type->name);
    return &kOff;
  }
  const evt_type* const declared = writer->types().declare(*type, by, writer->metadata().types(), error);
  if (declared == nullptr) return &kOff;
  if (writer->backend().publish_metadata()) return declared;
  evt::set_error(error, EVT_CODE_MEMORY, "event type %.64s: no room in the ring for its description", type->name);
  return &kOff;
}

// Declares a type in the program's layout.
const evt_type* declare_given(evt_writer* writer, const evt_event_type* given, const evt_sizes_* sizes,
                              evt::TypeTable::By by, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  if (!is_ours(writer)) return &kOff;
  evt::GivenStructs structs(*sizes);
  const evt_event_type* const type = structs.type(given);
  if (structs.lacks_memory()) {
    evt::set_error(error, EVT_CODE_MEMORY, "no memory for the description of an event type");
    return &kOff;
  }
  const evt_type* const declared = declare(writer, type, by, error);
  writer->report(structs);
  return declared;
}

int state_fact(evt_writer* writer, const evt_fact_info& fact, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  if (!is_ours(writer)) return EVT_OK;
  {
    const evt::Lock lock(*writer);
    if (!writer->usable()) {
      evt::set_error(error, EVT_CODE_CLOSED, "a fact was stated of a session that has ended");
    } else if (writer->facts().leaves_out()) {
      writer->notices().add(EVT_NOTICE_FACTS, "the session is anonymous: its facts are left out");
    } else if (writer->facts().state(fact, writer->metadata().facts(), error) &&
               !writer->backend().publish_metadata()) {
      evt::set_error(error, EVT_CODE_MEMORY, "no room for a fact: what was stated before cannot be written");
    }
  }
  writer->notices().deliver();
  if (error->code != EVT_OK) writer->report_error();
  return error->code;
}

}  // namespace

const evt_site_handle_* evt::SiteHandles::find_or_add(const evt_site_handle_& wanted) {
  for (const Kept* kept = first_; kept != nullptr; kept = kept->next) {
    if (kept->handle.type == wanted.type && kept->handle.span_name == wanted.span_name) return &kept->handle;
  }
  auto* const kept = static_cast<Kept*>(calloc(1, sizeof(Kept)));
  if (kept == nullptr) return nullptr;
  *kept = {wanted, first_};
  first_ = kept;
  return &kept->handle;
}

bool evt_writer::use_ring(const char* folder, const char* name, std::uint64_t max_size, bool compacts) {
  const bool opened = ring_.open(folder, name, max_size, compacts);
  if (opened) use(ring_);
  return opened;
}

bool evt_writer::make_thread() {
  if (ring_.make_thread()) return true;
  const int reason = errno;
  ring_.release();
  use(inline_);
  errno = reason;
  return false;
}

// A child must not keep the locks by which others see that its parent lives, nor write where its parent does (pages
// that are wiped in a child prevent that, where the system supports them). It has one thread: nothing is locked.
void evt_writer::leave_to_parent() {
  pthread_mutex_init(&all_writers_mutex, nullptr);
  evt::forget_snapshot();
  for (evt_writer* writer = all_writers; writer != nullptr; writer = writer->next_) {
    if (writer->is_closed()) continue;  // makes no system call: the program may have restricted them
    if (writer->ours()) continue;       // opened by a handler of the program that ran before this one
    evt::end_default(writer);
    writer->ring_.leave_to_parent();
    if (writer->rotation() != nullptr) writer->rotation()->detach();
    writer->output().sink().detach();
    writer->streams().leave_to_parent();
    writer->note_closed();  // for children of this one
  }
}

bool evt_writer::request_snapshot() {
  if (!snapshots().request()) return false;
  ring_.flusher().wake(true);
  return true;
}

bool evt_writer::begin_segment(const char* path) { return &backend() == &ring_ && ring_.begin_segment(path); }

void evt_writer::remember() {
  pthread_mutex_lock(&all_writers_mutex);
  if (!is_prepared) {
    is_prepared = true;
    pin();
    pthread_atfork(nullptr, nullptr, leave_to_parent);
  }
  next_ = all_writers;
  all_writers = this;
  pthread_mutex_unlock(&all_writers_mutex);
}

void evt_writer::forget() {
  pthread_mutex_lock(&all_writers_mutex);
  evt_writer** place = &all_writers;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
  pthread_mutex_unlock(&all_writers_mutex);
}

void evt_set_default(evt_writer* writer) {
  evt::make_default(writer);
  if (writer != nullptr && writer->is_closing()) evt::end_default(writer);
}

const evt_type* evt_declare_1(evt_writer* writer, const evt_event_type* type, const evt_sizes_* sizes,
                              evt_error* error) {
  return declare_given(writer, type, sizes, evt::TypeTable::By::kName, error);
}

const evt_type* evt_declare_as_1(evt_writer* writer, const evt_event_type* type, const evt_sizes_* sizes,
                                 evt_error* error) {
  return declare_given(writer, type, sizes, evt::TypeTable::By::kNumber, error);
}

uint32_t evt_switch_types(evt_writer* writer, const char* glob, int on) {
  if (!is_ours(writer)) return 0;
  const evt::Lock lock(*writer);
  return writer->types().switch_types(glob, on != 0);
}

uint32_t evt_intern_as(evt_writer* writer, uint32_t id, const char* text, size_t size) {
  if (!is_ours(writer)) return 0;
  const evt::Lock lock(*writer);
  if (!writer->usable()) return 0;
  const std::uint32_t known = writer->strings().intern(text, size, id, writer->metadata().strings());
  return writer->backend().publish_metadata() ? known : 0;
}

uint32_t evt_intern(evt_writer* writer, const char* text, size_t size) { return evt_intern_as(writer, 0, text, size); }

uint32_t evt_intern_row(evt_writer* writer, const evt_type* type, const void* fields, size_t size) {
  const std::uint32_t number = type == nullptr ? 0 : __atomic_load_n(&type->number, __ATOMIC_RELAXED);
  if (number == 0 || size > EVT_MAX_STRING - evt::RowWriter::kMaxEventFront) return 0;
  evt::Buffer row;
  std::uint8_t* const place = row.extend(evt::RowWriter::size_of_event(number, size));
  if (place == nullptr) return 0;
  std::uint8_t* const at = evt::RowWriter(place).event(EVT_DELTA_IN_STRING, number, size);
  if (size > 0) memcpy(at, fields, size);
  return evt_intern(writer, reinterpret_cast<const char*>(row.data()), row.size());
}

int evt_fact_as_1(evt_writer* writer, const evt_fact_info* fact, const evt_sizes_* sizes, evt_error* error) {
  evt::GivenStructs structs(*sizes);
  const evt_fact_info* const known = structs.fact(fact);
  if (structs.lacks_memory()) {
    evt::set_error(error, EVT_CODE_MEMORY, "no memory for a fact");
    return EVT_CODE_MEMORY;
  }
  const int code = state_fact(writer, *known, error);
  if (is_ours(writer)) writer->report(structs);
  return code;
}

int evt_fact(evt_writer* writer, uint16_t scope, uint64_t id, const char* key, const char* value, evt_error* error) {
  evt_fact_info fact = {};
  fact.scope = scope;
  fact.id = id;
  fact.ns = writer == nullptr ? 0 : writer->clock().session_ns();
  fact.key = key;
  fact.key_size = key == nullptr ? 0 : strlen(key);
  fact.value = value;
  fact.value_size = value == nullptr ? 0 : strlen(value);
  return state_fact(writer, fact, error);
}

uint64_t evt_writer_now(const evt_writer* writer) { return writer == nullptr ? 0 : writer->clock().now(); }

void evt_flush(evt_writer* writer) {
  if (is_ours(writer)) writer->backend().flush_all();
}

void evt_writer_counts_1(evt_writer* writer, evt_counts* counts, size_t size) {
  evt_counts all = {};
  if (is_ours(writer)) {
    all = writer->counts();
    all.lost[EVT_LOST_REENTERED] += writer->unplaced_losses().total();
  }
  evt::give_counts(all, counts, size);
}

size_t evt_writer_notices(evt_writer* writer, char* out, size_t size) {
  if (is_ours(writer)) return writer->notices().copy(out, size);
  if (size > 0) *out = '\0';
  return 0;
}

const char* evt_writer_path(const evt_writer* writer) {
  return writer == nullptr ? "" : const_cast<evt_writer*>(writer)->output().sink().path();
}

const char* evt_version() { return EVT_VERSION; }
