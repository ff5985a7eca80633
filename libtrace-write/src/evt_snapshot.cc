// Part of <evt/evt.h>: a snapshot that a program takes of its own session.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "evt_writer.h"
#include "file_names.h"
#include "format-spec/src/block/block_header.h"
#include "numbered_files.h"
#include "process_info.h"
#include "session_copy.h"
#include "take_snapshot.h"

namespace evt {
namespace {

// The only snapshot at a time.
struct Turn {
  pthread_mutex_t mutex;
  const evt_writer* writer;  // null: nobody takes one
  char path[PATH_MAX];
} turn = {PTHREAD_MUTEX_INITIALIZER, nullptr, ""};

class MyTurn {
 public:
  MyTurn(const evt_writer* writer, const char* path) {
    pthread_mutex_lock(&turn.mutex);
    is_mine_ = turn.writer == nullptr;
    if (is_mine_) snprintf(turn.path, sizeof turn.path, "%s", path);
    if (is_mine_) turn.writer = writer;
    pthread_mutex_unlock(&turn.mutex);
  }
  MyTurn(const MyTurn&) = delete;
  MyTurn& operator=(const MyTurn&) = delete;
  ~MyTurn() {
    if (!is_mine_) return;
    pthread_mutex_lock(&turn.mutex);
    turn.writer = nullptr;
    pthread_mutex_unlock(&turn.mutex);
  }

  bool is_mine() const { return is_mine_; }
  // The path of the one that is at it.
  static void show_other(evt_error* error) {
    pthread_mutex_lock(&turn.mutex);
    char shown[kPathShown];
    show_path(turn.path, shown, sizeof shown);
    pthread_mutex_unlock(&turn.mutex);
    set_error(error, EVT_CODE_BUSY, "another snapshot is being taken: %s", shown);
  }

 private:
  bool is_mine_ = false;
};

struct OpenFile {
  std::uint64_t number;
  int fd;
};

// The files of a session, opened before any of them is copied: its writer may delete one.
class SessionFiles {
 public:
  explicit SessionFiles(evt_writer& writer) : writer_(writer), id_(writer.output().session_id()) {}
  SessionFiles(const SessionFiles&) = delete;
  SessionFiles& operator=(const SessionFiles&) = delete;
  ~SessionFiles() {
    for (std::size_t i = 0; i < count(); ++i) close(file(i).fd);
  }

  std::size_t count() const { return files_.size() / sizeof(OpenFile); }
  const OpenFile& file(std::size_t i) const { return reinterpret_cast<const OpenFile*>(files_.data())[i]; }
  void path_of(std::size_t i, char* path, std::size_t size) const {
    if (writer_.rotation() != nullptr) {
      writer_.rotation()->files().path_of(file(i).number, path, size);
    } else {
      snprintf(path, size, "%s", writer_.output().sink().path());
    }
  }

  // False without memory.
  bool open() {
    if (writer_.rotation() == nullptr) return add(writer_.output().sink().path(), 0);
    Buffer numbers;
    if (!writer_.rotation()->files().append_numbers(numbers)) return false;
    for (std::size_t i = 0; i < numbers.size() / sizeof(std::uint64_t); ++i) {
      const std::uint64_t number = reinterpret_cast<const std::uint64_t*>(numbers.data())[i];
      char path[PATH_MAX];
      if (writer_.rotation()->files().path_of(number, path, sizeof path) && !add(path, number)) return false;
    }
    return true;
  }
  // True, too, for the file that segments become when the session ends.
  bool has(const struct stat& other) const {
    struct stat status;
    if (stat(writer_.output().sink().path(), &status) == 0 && are_same(status, other)) return true;
    for (std::size_t i = 0; i < count(); ++i) {
      if (fstat(file(i).fd, &status) == 0 && are_same(status, other)) return true;
    }
    return false;
  }

 private:
  static bool are_same(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  }
  bool add(const char* path, std::uint64_t number) {
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return true;
    struct stat status;
    const bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
    const OpenFile file = {number, fd};
    // The file of a session may begin with others, that it was appended to.
    if (is_file && (writer_.rotation() == nullptr || begins_with_session(fd))) {
      files_.append(&file, sizeof file);
      if (files_.ok()) return true;
    }
    close(fd);
    return files_.ok();
  }
  bool begins_with_session(int fd) const {
    std::uint8_t front[EVT_BLOCK_HEADER_SIZE];
    BlockHeader header;
    return pread(fd, front, sizeof front, 0) == ssize_t{sizeof front} &&
           load_block_header(front, sizeof front, &header) == HeaderState::kGood && header.session_id == id_;
  }

  evt_writer& writer_;
  std::uint64_t id_;
  Buffer files_;  // OpenFile elements
};

// The file that a snapshot is written to, and its name. Gone if it is not kept.
class SnapshotFile {
 public:
  SnapshotFile() = default;
  SnapshotFile(const SnapshotFile&) = delete;
  SnapshotFile& operator=(const SnapshotFile&) = delete;
  ~SnapshotFile() {
    if (fd_ >= 0) close(fd_);
    if (part_[0] != '\0') unlink(part_);
    if (has_number_) unlink(path_);
  }

  bool open(const char* pattern, evt_error* error) {
    const bool is_named = NumberedFiles::is_numbered(pattern) ? take_number(pattern, error) : expand(pattern, error);
    if (!is_named) return false;
    if (!has_number_ && is_something_else()) return fails(EVT_CODE_INVALID, "expected a file or no such name", error);
    char word[32];
    snprintf(word, sizeof word, "%d.part", static_cast<int>(getpid()));
    char part[PATH_MAX];
    if (!insert_word(path_, word, part, sizeof part)) return cannot(ENAMETOOLONG, error);
    unlink(part);  // a killed process may have left one
    fd_ = ::open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd_ < 0) return cannot(errno, error);
    memcpy(part_, part, sizeof part_);
    return true;
  }
  bool keep(evt_error* error) {
    const int fd = fd_;
    fd_ = -1;
    if (close(fd) != 0 || rename(part_, path_) != 0) return cannot(errno, error);
    part_[0] = '\0';
    has_number_ = false;
    return true;
  }
  int descriptor() const { return fd_; }
  const char* path() const { return path_; }

 private:
  bool expand(const char* pattern, evt_error* error) {
    return expand_path(pattern, path_, sizeof path_) || cannot(ENAMETOOLONG, error);
  }
  bool take_number(const char* pattern, evt_error* error) {
    NumberedFiles files;
    if (!files.open(pattern, error)) return false;
    int fd = -1;
    do {
      snprintf(path_, sizeof path_, "%s", files.next_path());
      fd = ::open(path_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    } while (fd < 0 && errno == EEXIST);
    if (fd < 0) return cannot(errno, error);
    close(fd);
    return has_number_ = true;
  }
  // A file is replaced, and so is a link. A device or a pipe is not what the caller wants to be without.
  bool is_something_else() const {
    struct stat there;
    return lstat(path_, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode) && !S_ISDIR(there.st_mode);
  }
  bool cannot(int reason, evt_error* error) const { return fails(EVT_CODE_IO, strerror(reason), error); }
  bool fails(int code, const char* why, evt_error* error) const {
    char shown[kPathShown];
    show_path(path_, shown, sizeof shown);
    set_error(error, code, "cannot write %s: %s", shown, why);
    return false;
  }

  char path_[PATH_MAX] = "";
  char part_[PATH_MAX] = "";
  bool has_number_ = false;  // an empty file holds the name
  int fd_ = -1;
};

// False if the session is closed meanwhile.
bool wait_for(evt_writer& writer, std::uint64_t ns) {
  constexpr std::uint64_t kStep = 10'000'000;
  const std::uint64_t begin = monotonic_ns();
  const auto is_ending = [&] { return writer.is_closing() || writer.snapshots().is_ending(); };
  for (std::uint64_t passed = 0; passed < ns; passed = monotonic_ns() - begin) {
    if (is_ending()) return false;
    const timespec pause = {0, static_cast<long>(ns - passed < kStep ? ns - passed : kStep)};
    nanosleep(&pause, nullptr);
  }
  return !writer.is_closing();
}

// Leaves out what is older.
void begin_before(SessionCopy& copy, evt_writer& writer, std::uint64_t ns) {
  const std::uint64_t span = writer.clock().ticks_in(ns);
  const std::uint64_t now = writer.clock().now();
  copy.begin_at(writer.epochs().current(), now > span ? now - span : 0);
}

bool may_copy(evt_writer* writer, evt_error* error) {
  if (writer == nullptr || !writer->ours() || writer->is_closing()) {
    set_error(error, EVT_CODE_CLOSED, "the session is closed, or another process's");
  } else if (!writer->output().sink().is_regular() || writer->output().sink().path()[0] == '\0') {
    set_error(error, EVT_CODE_INVALID, "the session is not written to a file of a known path: there is none to copy");
  } else {
    return true;
  }
  return false;
}

// The payload of SESSION, with a uuid of its own.
bool make_session(evt_writer& writer, Buffer& session) {
  const Buffer& like = writer.session_of_snapshots();
  session.append(like.data(), like.size());
  const void* const newline = session.ok() && like.ok() ? memchr(session.data(), '\n', session.size()) : nullptr;
  if (newline == nullptr) return false;
  const std::size_t line = static_cast<std::size_t>(static_cast<const std::uint8_t*>(newline) - session.data()) + 1;
  make_uuid(session.data() + line + padding_after(line) + 24);
  return true;
}

bool take(evt_writer& writer, const char* path, const evt_snapshot_options& options, const SnapshotReason* reason,
          evt_error* error) {
  if (!wait_for(writer, options.after_ns)) {
    set_error(error, EVT_CODE_CLOSED, "the session was closed before the snapshot was taken");
    return false;
  }
  evt_flush(&writer);
  if (writer.output().failed() || writer.output().stalled()) {
    set_error(error, EVT_CODE_IO, "not all that was recorded could be written: %.180s",
              writer.output().first_error().message);
    return false;
  }
  Buffer session;
  SessionFiles files(writer);
  if (!make_session(writer, session) || !files.open()) {
    set_error(error, EVT_CODE_MEMORY, "there is no memory for a snapshot");
    return false;
  }
  SnapshotFile snapshot;
  if (!snapshot.open(path, error)) return false;
  struct stat status;
  if (stat(snapshot.path(), &status) == 0 && files.has(status)) {
    set_error(error, EVT_CODE_INVALID, "the snapshot would replace the trace itself");
    return false;
  }
  SessionCopy copy(session.data(), session.size(), writer.output().session_id(), snapshot.descriptor());
  if (reason != nullptr) copy.state(EVT_FACT_SNAPSHOT_REASON, reason->text, reason->ns);
  if (options.before_ns != 0) begin_before(copy, writer, options.before_ns);
  for (std::size_t i = 0; i < files.count() && options.before_ns != 0; ++i) {
    if (!copy.look(files.file(i).fd, error)) return false;
  }
  for (std::size_t i = 0; i < files.count(); ++i) {
    char from[PATH_MAX] = "";
    files.path_of(i, from, sizeof from);
    if (!copy.add(files.file(i).fd, from, i + 1 == files.count(), error)) return false;
  }
  if (!copy.finish(error) || !snapshot.keep(error)) return false;
  if (options.path_size > 0) snprintf(options.path, options.path_size, "%s", snapshot.path());
  return true;
}

}  // namespace

int take_snapshot(evt_writer* writer, const char* path, const evt_snapshot_options& options,
                  const SnapshotReason* reason, evt_error* error) {
  *error = {EVT_OK, ""};
  const MyTurn my_turn(writer, path);
  // Asked with the turn: from then on a close waits.
  if (!may_copy(writer, error)) return error->code;
  if (!my_turn.is_mine()) {
    MyTurn::show_other(error);
  } else {
    take(*writer, path, options, reason, error);
  }
  return error->code;
}

void wait_for_snapshot(const evt_writer* writer) {
  for (bool is_taken = true; is_taken;) {
    pthread_mutex_lock(&turn.mutex);
    is_taken = turn.writer == writer;
    pthread_mutex_unlock(&turn.mutex);
    const timespec pause = {0, 1'000'000};
    if (is_taken) nanosleep(&pause, nullptr);
  }
}

void forget_snapshot() {
  pthread_mutex_init(&turn.mutex, nullptr);
  turn.writer = nullptr;
}

}  // namespace evt

int evt_snapshot(evt_writer* writer, const char* path, const evt_snapshot_options* options, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  evt::GivenStructs structs(*evt_sizes_of_this_());
  static constexpr evt_snapshot_options kDefaults = {};
  const evt_snapshot_options* const known = options != nullptr ? structs.snapshot_options(options) : &kDefaults;
  if (structs.lacks_memory()) {
    evt::set_error(error, EVT_CODE_MEMORY, "no memory for the options of a snapshot");
    return error->code;
  }
  const int code = evt::take_snapshot(writer, path, *known, nullptr, error);
  if (code == EVT_OK) writer->report(structs);
  return code;
}

int evt_snapshot_soon(evt_writer* writer) {
  const int saved = errno;
  int code = EVT_CODE_CLOSED;
  if (writer != nullptr && writer->ours() && !writer->is_closing()) {
    code = writer->request_snapshot() ? EVT_OK : EVT_CODE_INVALID;
  }
  errno = saved;
  return code;
}
