#include "automatic_snapshots.h"

#include <errno.h>
#include <evt/evt_copy.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "error_text.h"
#include "file_names.h"
#include "holding.h"
#include "numbered_files.h"

namespace evt {
namespace {

constexpr std::uint64_t kRearmNs = 60'000'000'000;
constexpr std::uint32_t kMost = 10;
constexpr std::uint32_t kMostPossible = 1000;  // each is a fact of the trace, and a notice
constexpr std::size_t kStack = 512 << 10;

bool misfit(evt_error* error, const char* sentence) {
  set_error(error, EVT_CODE_INVALID, "%s", sentence);
  return false;
}

bool fit(const evt_options& options, const char* trace, bool has_thread, evt_error* error) {
  const char* const when = options.snapshot_when;
  const bool has_rest = options.snapshot_after_ns != 0 || options.snapshot_rearm_ns != 0 || options.snapshot_most != 0;
  if (options.snapshot == nullptr)
    return misfit(error, "when, after, rearm and most need snapshot with them, such as snapshot=app.slow.%n.evt");
  if (*options.snapshot == '\0') return misfit(error, "snapshot: expected a path, such as app.slow.%n.evt, found none");
  if (when == nullptr && has_rest)
    return misfit(error, "after, rearm and most need when with them, such as when=app.slow_request");
  if (when != nullptr && *when == '\0')
    return misfit(error, "when: expected an event type, such as app.slow_request, found none");
  if (!has_thread) return misfit(error, "snapshot needs a thread that writes the trace, and there is none");
  char shown[kPathShown];
  show_path(options.snapshot, shown, sizeof shown);
  if (strcmp(options.snapshot, trace) == 0) {
    set_error(error, EVT_CODE_INVALID, "snapshot: expected another name than the trace's, found %s", shown);
  } else if (when != nullptr && options.snapshot_most > kMostPossible) {
    set_error(error, EVT_CODE_INVALID, "most: expected a number from 1 to %u, found %u", kMostPossible,
              options.snapshot_most);
  } else if (when != nullptr && options.snapshot_most != 1 && !NumberedFiles::is_numbered(options.snapshot)) {
    set_error(error, EVT_CODE_INVALID, "snapshot: several need several names: expected %%n, or most=1, found %s",
              shown);
  } else {
    return true;
  }
  return false;
}

// An absolute pattern: the program may go to another folder later. Null without memory, or if it is too long.
char* absolute(const char* pattern) {
  if (*pattern == '/') return strdup(pattern);
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof folder) == nullptr) return nullptr;
  auto* const path = static_cast<char*>(malloc(2 * strlen(folder) + strlen(pattern) + 2));
  char* to = path;
  for (const char* from = folder; path != nullptr && *from != '\0'; ++from) {
    if (*from == '%') *to++ = '%';
    *to++ = *from;
  }
  if (path != nullptr) sprintf(to, "/%s", pattern);
  return path;
}

// False, with the reason in `error`, if no file can be made there.
bool can_write(const char* pattern, evt_error* error) {
  char folder[PATH_MAX];
  if (NumberedFiles::is_numbered(pattern)) {
    NumberedFiles files;
    if (!files.open(pattern, error)) return false;
    snprintf(folder, sizeof folder, "%s", files.folder());
  } else if (expand_path(pattern, folder, sizeof folder)) {
    strrchr(folder, '/')[1] = '\0';
  } else {
    errno = ENAMETOOLONG;
    folder[0] = '\0';
  }
  if (folder[0] != '\0' && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0) return true;
  char shown[kPathShown];
  show_path(pattern, shown, sizeof shown);
  set_error(error, EVT_CODE_IO, "cannot write %s: %s", shown, strerror(errno));
  return false;
}

}  // namespace

bool AutomaticSnapshots::are_wanted(const evt_options& options) {
  return options.snapshot != nullptr || options.snapshot_when != nullptr || options.snapshot_after_ns != 0 ||
         options.snapshot_rearm_ns != 0 || options.snapshot_most != 0;
}

bool AutomaticSnapshots::choose(const evt_options& options, evt_writer* writer, Notices& notices, const char* trace,
                                bool has_thread, evt_error* error) {
  if (!are_wanted(options)) return true;
  if (!fit(options, trace, has_thread, error)) return false;
  writer_ = writer;
  notices_ = &notices;
  pattern_ = absolute(options.snapshot);
  after_ns_ = options.snapshot_after_ns;
  rearm_ns_ = options.snapshot_rearm_ns != 0 ? options.snapshot_rearm_ns : kRearmNs;
  most_ = options.snapshot_most != 0 ? options.snapshot_most : kMost;
  const bool is_kept =
      pattern_ != nullptr && (options.snapshot_when == nullptr || trigger_.watch(options.snapshot_when));
  if (!is_kept) set_error(error, EVT_CODE_MEMORY, "no memory for snapshots");
  trigger_.arm(true);
  recording_.types().watch(&trigger_);
  if (trigger_.glob() != nullptr) recording_.rows().watch(&trigger_);
  return is_kept && can_write(pattern_, error);
}

void AutomaticSnapshots::release() {
  trigger_.release();
  free(pattern_);
  pattern_ = nullptr;
}

bool AutomaticSnapshots::request() {
  if (pattern_ == nullptr) return false;
  __atomic_store_n(&is_requested_, true, __ATOMIC_RELEASE);
  return true;
}

// A clock of the program is not read here: it need not be fit for another thread.
std::int64_t AutomaticSnapshots::ns_of(const SnapshotTrigger::Met& met) const {
  const Clock& clock = recording_.clock();
  ClockReading known;
  known.ticks = clock.start_ticks();
  if (clock.can_sync()) known = clock.read_once();
  if (clock.can_sync() && met.clock != recording_.epochs().current()) return known.ns;
  const auto ticks = static_cast<double>(static_cast<std::int64_t>(met.ticks - known.ticks));
  return known.ns + static_cast<std::int64_t>(ticks * 1e9 * clock.hz_denominator() / static_cast<double>(clock.hz()));
}

void AutomaticSnapshots::note_events() {
  if (trigger_.glob() == nullptr) return;
  const Holding holding(mutex_);
  SnapshotTrigger::Met met;
  std::uint64_t rows = trigger_.take(&met);
  if (met.type != 0 && !has_event_ && !is_ending_) {
    event_ = {met, ns_of(met)};
    has_event_ = true;
    due_ns_ = monotonic_ns() + after_ns_;
    rows -= 1;
  }
  passed_over_ += rows;
  trigger_.arm(!has_event_ && !(is_taking_ && is_by_event_) && taken_ < most_ && monotonic_ns() >= armed_at_ns_);
}

void AutomaticSnapshots::go_on() {
  if (pattern_ == nullptr) return;
  note_events();
  const Holding holding(mutex_);
  if (__atomic_exchange_n(&is_requested_, false, __ATOMIC_ACQ_REL)) wants_one_ = true;
  if (!is_ending_ && !is_taking_ && choose_next(monotonic_ns()) && !start()) is_taking_ = false;
}

// Decides what is taken now, if anything is due.
bool AutomaticSnapshots::choose_next(std::uint64_t now) {
  is_by_event_ = !wants_one_;
  is_taking_ = wants_one_ || (has_event_ && now >= due_ns_);
  return is_taking_;
}

// Without a thread it is tried again.
bool AutomaticSnapshots::start() {
  if (has_thread_) pthread_join(thread_, nullptr);
  has_thread_ = false;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, kStack);
  has_thread_ = pthread_create(&thread_, &attributes, run, this) == 0;
  pthread_attr_destroy(&attributes);
  return has_thread_;
}

void* AutomaticSnapshots::run(void* self) {
  static_cast<AutomaticSnapshots*>(self)->take();
  return nullptr;
}

// What asked for the snapshot that is taken.
void AutomaticSnapshots::describe(SnapshotReason* reason) {
  Event event = {};
  {
    const Holding holding(mutex_);
    if (is_by_event_) event = event_;
  }
  const bool is_by_event = event.met.type != 0;
  const bool has_time = is_by_event || recording_.clock().can_sync();
  if (!is_by_event && has_time) event.ns = recording_.clock().session_ns();
  reason->ns = event.ns;
  const std::int64_t us = (event.ns - recording_.start_ns()) / 1000;
  char time[48] = "";
  if (has_time) {
    snprintf(time, sizeof time, " at %lld.%06lld s", static_cast<long long>(us / 1'000'000),
             static_cast<long long>(us % 1'000'000));
  }
  if (!is_by_event) {
    snprintf(reason->text, sizeof reason->text, "evt_snapshot_soon%s", time);
    return;
  }
  const Lock lock(recording_);
  snprintf(reason->text, sizeof reason->text, "%s%s, row %llu of stream %u", recording_.types().name_of(event.met.type),
           time, static_cast<unsigned long long>(event.met.row), event.met.stream);
}

void AutomaticSnapshots::take() {
  SnapshotReason reason;
  describe(&reason);
  char path[PATH_MAX] = "";
  evt_snapshot_options options = {};
  options.size = sizeof options;
  options.path = path;
  options.path_size = sizeof path;
  evt_error error;
  const SnapshotReason* const stated = recording_.facts().leaves_out() ? nullptr : &reason;
  // The program may be taking one itself, of another session, too: the end of this one does not wait for it for long.
  constexpr int kMostPausesAtEnd = 200;
  for (int pauses = 0; take_snapshot(writer_, pattern_, options, stated, &error) == EVT_CODE_BUSY;) {
    if (is_ending() && ++pauses > kMostPausesAtEnd) break;
    const timespec pause = {0, 10'000'000};
    nanosleep(&pause, nullptr);
  }
  report(path, reason, error);
  const Holding holding(mutex_);
  if (is_by_event_) {
    has_event_ = false;
    armed_at_ns_ = monotonic_ns() + rearm_ns_;
    __atomic_fetch_add(&taken_, 1, __ATOMIC_RELAXED);
  } else {
    wants_one_ = false;
  }
  is_taking_ = false;
}

// As a fact of the trace, which never ages out, and as a notice.
void AutomaticSnapshots::report(const char* path, const SnapshotReason& reason, const evt_error& error) {
  evt_error sentence;
  char shown[kPathShown];
  show_path(path, shown, sizeof shown);
  if (error.code == EVT_OK) {
    set_error(&sentence, EVT_OK, "snapshot %s: %.100s", shown, reason.text);
  } else {
    set_error(&sentence, EVT_OK, "no snapshot of %.80s: %.140s", reason.text, error.message);
  }
  if (numbers_ < kMostPossible) notices_->add(EVT_NOTICE_SNAPSHOT, sentence.message, error.code == EVT_OK);
  notices_->deliver();
  char key[40];
  char value[PATH_MAX + sizeof reason.text + 16];
  snprintf(key, sizeof key, EVT_FACT_SNAPSHOT "%u", numbers_++ % kMostPossible);
  if (error.code == EVT_OK) {
    snprintf(value, sizeof value, "%s: %s", path, reason.text);
  } else {
    snprintf(value, sizeof value, "not written: %s: %s", reason.text, error.message);
  }
  state(key, value, reason.ns);
  state_passed_over(reason.ns);
}

void AutomaticSnapshots::state(const char* key, const char* value, std::int64_t ns) {
  if (recording_.facts().leaves_out()) return;
  const evt_fact_info fact = fact_of_session(key, value, ns);
  evt_fact_as_1(writer_, &fact, evt_sizes_of_this_(), nullptr);
}

void AutomaticSnapshots::state_passed_over(std::int64_t ns) {
  const std::uint64_t passed_over = this->passed_over();
  char count[24];
  snprintf(count, sizeof count, "%llu", static_cast<unsigned long long>(passed_over));
  if (passed_over > 0) state(EVT_FACT_SNAPSHOTS_PASSED_OVER, count, ns);
}

bool AutomaticSnapshots::finish() {
  if (pattern_ == nullptr) return true;
  evt_flush(writer_);
  {
    const Holding holding(mutex_);
    if (is_ending_) return false;
    // A notice of that thread may close the session.
    if (has_thread_ && pthread_equal(thread_, pthread_self()) != 0) return true;
    __atomic_store_n(&is_ending_, true, __ATOMIC_RELEASE);
  }
  if (has_thread_) pthread_join(thread_, nullptr);
  for (int i = 0; i < 2; ++i) {
    {
      const Holding holding(mutex_);
      if (__atomic_exchange_n(&is_requested_, false, __ATOMIC_ACQ_REL)) wants_one_ = true;
      if (!choose_next(UINT64_MAX)) break;
    }
    take();
  }
  state_passed_over(recording_.clock().session_ns());
  evt_error sentence = {EVT_OK, ""};
  const std::uint64_t passed_over = this->passed_over();
  if (passed_over > 0) {
    set_error(&sentence, EVT_OK, "no snapshot was taken at %llu more event%s of %.100s",
              static_cast<unsigned long long>(passed_over), passed_over == 1 ? "" : "s", trigger_.glob());
  }
  notices_->add(EVT_NOTICE_SNAPSHOT, sentence.message, true);
  report_unmatched();
  return true;
}

std::uint64_t AutomaticSnapshots::passed_over() {
  const Holding holding(mutex_);
  return passed_over_;
}

// A misspelled name is never met.
void AutomaticSnapshots::report_unmatched() {
  evt_error sentence;
  {
    const Lock lock(recording_);
    if (trigger_.glob() == nullptr || trigger_.has_matched()) return;
    set_error(&sentence, EVT_OK, "when=%.100s: none of the %u event types that were declared has such a name",
              trigger_.glob(), recording_.types().size());
  }
  notices_->add(EVT_NOTICE_TYPES, sentence.message);
}

}  // namespace evt
