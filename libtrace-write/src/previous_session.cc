#include "previous_session.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include "error_text.h"
#include "file_names.h"
#include "format-spec/src/ring/ring_folders.h"
#include "glob.h"
#include "numbered_files.h"
#include "old_ring.h"
#include "proc_file.h"
#include "segment_join.h"

namespace evt {
namespace {

constexpr int kMaxGenerations = 64;

// 0: none, or unknown.
pid_t parent_of(pid_t process) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(process));
  char text[512];
  read_proc_file(path, text);
  // After the program's name, which may contain anything: a state, then the number.
  const char* const name_end = strrchr(text, ')');
  return name_end == nullptr || strlen(name_end) < 4 ? 0 : static_cast<pid_t>(strtol(name_end + 4, nullptr, 10));
}

// The process that holds the lock of a file that another session has, from /proc/locks; 0 if that does not tell.
//   1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF
pid_t lock_holder(const FileId& file) {
  char locks[32 << 10];
  read_proc_file("/proc/locks", locks);
  pid_t holder = 0;
  for (const char* line = locks; line != nullptr && holder == 0; line = strchr(line, '\n')) {
    if (*line == '\n') ++line;
    int process = 0;
    unsigned major_number = 0;
    unsigned minor_number = 0;
    unsigned long long inode = 0;
    const int found = sscanf(line, "%*s FLOCK %*s %*s %d %x:%x:%llu", &process, &major_number, &minor_number, &inode);
    if (found == 4 && inode == file.inode && makedev(major_number, minor_number) == file.device) holder = process;
  }
  return holder;
}

// True if this process descends from that one: by fork, or by programs that it and its children started.
bool is_ancestor(pid_t process) {
  pid_t each = getppid();
  for (int i = 0; i < kMaxGenerations && each > 1; ++i, each = parent_of(each)) {
    if (each == process) return true;
  }
  return false;
}

bool rename_old(const char* path, const TraceFile& trace, char* renamed, std::size_t size) {
  char start[32];
  format_utc(trace.start_utc_ns() / 1'000'000'000, start, sizeof start);
  for (int i = 1; i < 100; ++i) {
    char word[48];
    snprintf(word, sizeof word, i == 1 ? "%s" : "%s-%d", start, i);
    if (!insert_word(path, word, renamed, size)) return false;
    if (rename_to_free(path, renamed)) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

// app.evt -> app.<pid>.evt, or the first free app.<pid>-N.evt: this program may have other sessions.
bool take_other_name(char* path, std::size_t size) {
  char other[PATH_MAX];
  for (int i = 1; i < 10'000; ++i) {
    char word[48];
    snprintf(word, sizeof word, i == 1 ? "%d" : "%d-%d", static_cast<int>(getpid()), i);
    struct stat existing;
    if (!insert_word(path, word, other, sizeof other) || strlen(other) >= size) return false;
    if (lstat(other, &existing) == 0 || errno != ENOENT) continue;
    memcpy(path, other, strlen(other) + 1);
    return true;
  }
  return false;
}

Way give_way(char* path, std::size_t size, const FileId& found, evt_error* notice) {
  char asked[kPathOfTwoShown];
  char given[kPathOfTwoShown];
  show_path(path, asked, sizeof asked);
  if (!take_other_name(path, size)) {
    set_error(notice, EVT_CODE_IO, "cannot write %s: another program does", asked);
    return Way::kNone;
  }
  show_path(path, given, sizeof given);
  const pid_t holder = lock_holder(found);
  if (holder == getpid()) {
    set_error(notice, EVT_OK, "%s is being written by this program already: this session writes %s", asked, given);
    return Way::kFree;
  }
  set_error(notice, EVT_OK, "%s is being written by another program: this one writes %s", asked, given);
  return holder != 0 && is_ancestor(holder) ? Way::kOfParent : Way::kFree;
}

// The first folder with a ring of this name; the first of all if there is none.
const char* folder_of_ring(const RingFolders& folders, const char* name) {
  for (const char* const folder : folders) {
    const OldRing ring(folder, name, OldRing::Wait::kNo);
    if (ring.there()) return folder;
  }
  return *folders.begin();
}

// True if certainly nobody writes to the trace any more: the holder of its lock recovers it or puts it away.
bool has_dead_ring(const char* path, const TraceFile& trace) {
  char name[ring::kMaxName];
  ring::name_of(trace.session_id(), name);
  const RingFolders folders(path);
  const OldRing ring(folder_of_ring(folders, name), name, OldRing::Wait::kNo);
  return ring.there() && !ring.live();
}

// The first so many characters of the path.
DIR* open_folder(const char* path, std::size_t length) {
  char folder[PATH_MAX] = ".";
  if (length > 0) snprintf(folder, sizeof folder, "%.*s", static_cast<int>(length), path);
  return opendir(folder);
}

// A program that was killed when it gave a session's segments the name of the first one left them under another name.
// REQUIRES: all of them are in the file at the path, which is locked.
void remove_left_copies(const char* path, std::uint64_t session_id) {
  char glob[PATH_MAX];
  const char* const slash = strrchr(path, '/');
  const std::size_t folder = slash == nullptr ? 0 : static_cast<std::size_t>(slash - path) + 1;
  DIR* const entries =
      insert_word(path, SegmentJoin::kOwnNames, glob, sizeof glob) ? open_folder(path, folder) : nullptr;
  if (entries == nullptr) return;
  while (const dirent* const entry = readdir(entries)) {
    char copy[PATH_MAX];
    if (!matches(glob + folder, entry->d_name) || folder + strlen(entry->d_name) >= sizeof copy) continue;
    snprintf(copy, sizeof copy, "%.*s%s", static_cast<int>(folder), path, entry->d_name);
    TraceFile trace;
    const bool is_left =
        trace.open(copy) && trace.session_id() == session_id && trace.is_of_this_user() && trace.lock();
    if (is_left) unlink(copy);
  }
  closedir(entries);
}

// The segments of a dead writer's session that are beside rings, and its ring there.
class LeftRecorder {
 public:
  LeftRecorder(const TraceFile& trace, const char* ring_folder, const char* ring_name) {
    char ring[PATH_MAX];
    snprintf(ring, sizeof ring, "%s/%s", ring_folder, ring_name);
    if (files_.open_beside(ring)) files_.list_session(trace.session_id());
    // Some may be in the trace: another program was killed while it removed them.
    while (before_ < files_.count() && files_.first_block_no(before_) < trace.next_block_no()) ++before_;
  }

  bool is_there() const { return files_.count() > 0; }
  bool is_in_trace() const { return before_ == files_.count(); }
  const char* folder() const { return files_.folder(); }

  // Puts all into the trace's file, and removes what is beside the ring; false if that failed. REQUIRES: the trace is
  // locked. The file at its path is another one then, which is locked while this lives.
  bool put_into(const char* path, TraceFile& trace, OldRing& ring) {
    const std::size_t count = files_.count();
    if (ring.there() && before_ < count && !save(trace, ring)) return false;
    bool joined = before_ == count || (all_.begin(path) && all_.add(trace.descriptor()));
    for (std::size_t i = before_; joined && i < count; ++i) joined = all_.add(files_.path(i));
    if (joined && before_ < count) joined = all_.take_place(trace.id());
    if (!joined) return false;
    if (ring.there()) ring.remove();
    while (!files_.empty()) files_.delete_oldest();
    remove_left_copies(path, trace.session_id());
    return true;
  }

 private:
  // Into the segment that the ring names: its writer may have begun one more.
  bool save(TraceFile& trace, OldRing& ring) {
    OldRing::Saved saved = ring.save_into(trace);
    for (std::size_t i = files_.count(); i > 0 && saved == OldRing::Saved::kNotThisTrace; --i) {
      TraceFile segment;
      if (segment.open(files_.path(i - 1)) && segment.lock()) saved = ring.save_into(segment);
    }
    return saved == OldRing::Saved::kAll;
  }

  NumberedFiles files_;
  std::size_t before_ = 0;
  SegmentJoin all_;
};

// Puts away the trace of a dead writer.
Way put_away(char* path, std::size_t size, bool append, TraceFile& trace, evt_error* notice) {
  char name[ring::kMaxName];
  ring::name_of(trace.session_id(), name);
  const RingFolders folders(path);
  const char* const folder = folder_of_ring(folders, name);
  OldRing ring(folder, name, OldRing::Wait::kInTime);
  if (ring.there() && ring.live()) return give_way(path, size, trace.id(), notice);
  LeftRecorder recorder(trace, folder, name);
  const bool stays_beside = recorder.is_there() && !recorder.put_into(path, trace, ring);
  const bool saved = !recorder.is_there() && ring.there() && ring.save_into(trace) == OldRing::Saved::kAll;
  char renamed[PATH_MAX];
  if (!append && !rename_old(path, trace, renamed, sizeof renamed)) return give_way(path, size, trace.id(), notice);
  if (saved) ring.remove();
  if (append) return Way::kStays;
  char asked[kPathOfTwoShown];
  char given[kPathOfTwoShown];
  show_path(path, asked, sizeof asked);
  show_path(renamed, given, sizeof given);
  set_error(notice, EVT_OK, "%s was not finished by the program that wrote it: it is now %s", asked, given);
  if (stays_beside) add_notice(notice, "its events stay in %s, where readers of it find them", recorder.folder());
  return Way::kFree;
}

// The writer of a trace was killed when it had put all segments into it.
void remove_segments(const char* path, TraceFile& trace) {
  char name[ring::kMaxName];
  ring::name_of(trace.session_id(), name);
  const RingFolders folders(path);
  const char* const folder = folder_of_ring(folders, name);
  OldRing ring(folder, name, OldRing::Wait::kNo);
  LeftRecorder recorder(trace, folder, name);
  const bool is_left = recorder.is_there() && recorder.is_in_trace() && !(ring.there() && ring.live());
  if (is_left) recorder.put_into(path, trace, ring);
}

// Locks the trace. Its writer holds the lock as long as it lives, others for a while: this waits a second for them, and
// then for their remaining work once the ring is removed.
bool lock_or_wait(const char* path, TraceFile& trace, bool is_trace) {
  bool is_locked = trace.lock();
  for (int i = 0; i < 100 && !is_locked && is_trace && has_dead_ring(path, trace); ++i) is_locked = trace.lock();
  return is_locked || trace.lock();
}

}  // namespace

Way displace_existing(char* path, std::size_t size, bool append, const FileId& found, PutAside& aside,
                      evt_error* notice) {
  TraceFile trace;
  const bool is_trace = trace.open(path);
  const bool opened = trace.descriptor() >= 0;
  // It has just lost its name, which it may get back: then it must not be removed without its lock.
  if (!opened && (errno == ENOENT || errno == ELOOP)) return Way::kChanged;
  if (opened && trace.id() != found) return Way::kChanged;
  // Its writer holds the lock of the file, or of its ring if files cannot be locked.
  if (opened && !lock_or_wait(path, trace, is_trace)) return give_way(path, size, found, notice);
  // While this waited for the lock, another program may have made way, and begun a trace here.
  if (!name_leads_to(path, found)) return Way::kChanged;
  const bool is_unfinished = is_trace && trace.reread() && !trace.finished();
  if (trace.lacks_memory()) {
    char name[kPathShown];
    show_path(path, name, sizeof name);
    set_error(notice, EVT_CODE_MEMORY, "no memory to see what is in %s, which another program did not finish", name);
    return Way::kNone;
  }
  if (is_unfinished) return put_away(path, size, append, trace, notice);
  if (is_trace && trace.has_segments()) remove_segments(path, trace);
  if (append) return Way::kStays;
  const PutAside::Taken taken = aside.take(path, found);
  if (taken != PutAside::Taken::kNo) return taken == PutAside::Taken::kYes ? Way::kFree : Way::kChanged;
  char name[kPathShown];
  show_path(path, name, sizeof name);
  set_error(notice, EVT_CODE_IO, "cannot replace %s: %s", name, strerror(errno));
  return Way::kNone;
}

}  // namespace evt
