#include "numbered_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "error_text.h"
#include "file_names.h"
#include "format-spec/src/base/numbered_name.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/ring/ring_folders.h"
#include "old_ring.h"

namespace evt {
namespace {

constexpr std::size_t kMaxLine = 640;     // the first line of a trace
constexpr std::size_t kMaxDeleted = 256;  // kept in the list

// The first %n of a pattern in which %% is a per cent sign.
const char* number_sign(const char* pattern) {
  for (const char* p = pattern; *p != '\0'; ++p) {
    if (*p != '%') continue;
    if (p[1] == 'n') return p;
    if (p[1] != '\0') ++p;
  }
  return nullptr;
}

std::int64_t written_at(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

// The program that wrote the session, from its first line: "evtrace trace, format 1.0, written by PROGRAM; described in
// FORMAT.md".
void program_of(const char* line, char* program) {
  static constexpr char kBefore[] = "written by ";
  const char* const begin = strstr(line, kBefore);
  const char* const end = strrchr(line, ';');
  *program = '\0';
  if (begin == nullptr || end == nullptr || end < begin + strlen(kBefore)) return;
  const auto length = static_cast<std::size_t>(end - begin) - strlen(kBefore);
  memcpy(program, begin + strlen(kBefore), length);
  program[length] = '\0';
}

bool has_living_ring(const RingFolders& folders, std::uint64_t session_id) {
  char name[ring::kMaxName];
  ring::name_of(session_id, name);
  for (const char* const folder : folders) {
    const OldRing ring(folder, name, OldRing::Wait::kNo);
    if (ring.there() && ring.live()) return true;
  }
  return false;
}

}  // namespace

bool NumberedFiles::is_numbered(const char* pattern) { return number_sign(pattern) != nullptr; }

bool NumberedFiles::open(const char* pattern, evt_error* error) {
  const char* const sign = number_sign(pattern);
  char shown[kPathShown];
  show_path(pattern, shown, sizeof shown);
  if (number_sign(sign + 2) != nullptr || strchr(sign, '/') != nullptr) {
    set_error(error, EVT_CODE_INVALID,
              "expected %%n once, in the name of a file and not in that of its folder, found %s", shown);
    return false;
  }
  char before[PATH_MAX];
  char after[PATH_MAX];
  const int length = snprintf(path_, sizeof path_, "%.*s", static_cast<int>(sign - pattern), pattern);
  const bool fits = static_cast<std::size_t>(length) < sizeof path_ && expand_path(path_, before, sizeof before) &&
                    expand_path(sign + 2, after, sizeof after);
  char* const slash = fits ? strrchr(before, '/') : nullptr;
  const char* const name = slash != nullptr ? slash + 1 : before;
  if (!fits || strlen(name) + strlen(after) + 20 > NAME_MAX) {
    set_error(error, EVT_CODE_IO, "cannot write %s: %s", shown, strerror(ENAMETOOLONG));
    return false;
  }
  memcpy(front_, name, strlen(name) + 1);
  memcpy(back_, after, strlen(after) + 1);
  if (slash != nullptr) slash[slash == before ? 1 : 0] = '\0';
  if (realpath(slash != nullptr ? before : ".", folder_) == nullptr) {
    set_error(error, EVT_CODE_IO, "cannot write %s: %s", shown, strerror(errno));
    return false;
  }
  for_each_name([this](std::uint64_t number) {
    if (!has_last_ || number > last_) last_ = number;
    has_last_ = true;
  });
  return true;
}

bool NumberedFiles::open_beside(const char* ring_path) {
  const char* const slash = strrchr(ring_path, '/');
  const std::size_t length = strlen(ring_path);
  constexpr std::size_t kEnd = sizeof ring::kNameEnd - 2;  // a dot stays
  if (slash == nullptr || slash == ring_path || length >= sizeof folder_) return false;
  const auto folder = static_cast<std::size_t>(slash - ring_path);
  const std::size_t front = length - folder - 1 - kEnd;
  if (length - folder - 1 <= kEnd || front >= sizeof front_) return false;
  memcpy(folder_, ring_path, folder);
  folder_[folder] = '\0';
  memcpy(front_, slash + 1, front);
  front_[front] = '\0';
  memcpy(back_, ring::kSegmentEnd, sizeof ring::kSegmentEnd);
  has_last_ = true;
  return true;
}

template <typename Visit>
void NumberedFiles::for_each_name(Visit visit) const {
  DIR* const folder = opendir(folder_);
  if (folder == nullptr) return;
  while (const dirent* const entry = readdir(folder)) {
    std::uint64_t number = 0;
    if (number_in_name(entry->d_name, front_, back_, &number)) visit(number);
  }
  closedir(folder);
}

const char* NumberedFiles::path_of(std::uint64_t number) {
  if (!path_of(number, path_, sizeof path_)) path_[0] = '\0';  // no file has this name
  return path_;
}

bool NumberedFiles::path_of(std::uint64_t number, char* path, std::size_t size) const {
  const int length = snprintf(path, size, "%s/%s%06llu%s", folder_[1] == '\0' ? "" : folder_, front_,
                              static_cast<unsigned long long>(number), back_);
  return static_cast<std::size_t>(length) < size;
}

void NumberedFiles::find_number(const char* path, std::uint32_t* at, std::uint32_t* digits) const {
  const char* const name = strrchr(path, '/') + 1;
  *at = static_cast<std::uint32_t>(name - path + static_cast<std::ptrdiff_t>(strlen(front_)));
  *digits = static_cast<std::uint32_t>(strlen(path) - strlen(back_)) - *at;
}

bool NumberedFiles::append_numbers(Buffer& numbers) const {
  for_each_name([&numbers](std::uint64_t number) { numbers.append(&number, sizeof number); });
  const auto in_order = [](const void* a, const void* b) {
    const std::uint64_t x = *static_cast<const std::uint64_t*>(a);
    const std::uint64_t y = *static_cast<const std::uint64_t*>(b);
    return x < y ? -1 : x > y ? 1 : 0;
  };
  if (numbers.size() > 0)
    qsort(numbers.data(), numbers.size() / sizeof(std::uint64_t), sizeof(std::uint64_t), in_order);
  return numbers.ok();
}

const char* NumberedFiles::next_path() {
  last_ = has_last_ ? last_ + 1 : 0;
  has_last_ = true;
  return path_of(last_);
}

// `program`: as long as a first line. Returns false if there is no trace of this user.
bool NumberedFiles::look_at(const char* path, File* file, char* program) const {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return false;
  struct stat status;
  std::uint8_t front[EVT_BLOCK_HEADER_MAX + kMaxLine];
  const bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
  const ssize_t got = is_file ? pread(fd, front, sizeof front, 0) : 0;
  file->is_locked = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  BlockHeader header;
  if (got <= 0 || load_block_header(front, static_cast<std::size_t>(got), &header) != HeaderState::kGood ||
      header.type != EVT_BLOCK_SESSION) {
    return false;
  }
  char line[kMaxLine] = "";
  const std::uint8_t* const begin = front + header.header_size;
  const auto left = static_cast<std::size_t>(front + got - begin);
  const void* const end = memchr(begin, '\n', left < sizeof line ? left : sizeof line);
  if (end != nullptr) memcpy(line, begin, static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - begin));
  program_of(line, program);
  file->size = static_cast<std::uint64_t>(status.st_size);
  file->written_utc_ns = written_at(status);
  file->first_block_no = header.block_no;
  file->session_id = header.session_id;
  file->id = id_of(status);
  file->mode = status.st_mode & 07777;
  return true;
}

// Its writer was killed before it wrote.
bool NumberedFiles::is_empty(const char* path, File* file) {
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) return false;
  *file = {};
  file->first_block_no = UINT64_MAX;
  file->id = id_of(status);
  file->mode = status.st_mode & 07777;
  return status.st_size == 0;
}

void NumberedFiles::list(const char* own_path, std::uint64_t session_id) {
  char program[kMaxLine];
  File own;
  if (!look_at(own_path, &own, program)) return;
  for_each_name([&](std::uint64_t number) {
    char its_program[kMaxLine];
    File file = {};
    if (!look_at(path_of(number), &file, its_program)) return;
    file.number = number;
    const bool is_ours = strcmp(program, its_program) == 0;
    if (is_ours && file.session_id != session_id) files_.append(&file, sizeof file);
  });
  forget_living();
  const std::size_t count = files_.size() / sizeof(File);
  if (count > 1) qsort(files_.data(), count, sizeof(File), by_number);
  for (std::size_t i = 0; i < count; ++i) bytes_ += reinterpret_cast<const File*>(files_.data())[i].size;
}

void NumberedFiles::list_session(std::uint64_t session_id) {
  for_each_name([&](std::uint64_t number) {
    char program[kMaxLine];
    File file = {};
    if (!look_at(path_of(number), &file, program) && !is_empty(path_of(number), &file)) return;
    const bool is_of_session = file.size == 0 || file.session_id == session_id;
    if (!is_of_session || file.mode != 0600) return;
    file.number = number;
    files_.append(&file, sizeof file);
  });
  const std::size_t found = files_.size() / sizeof(File);
  if (found > 1) qsort(files_.data(), found, sizeof(File), by_number);
  for (std::size_t i = 0; i < found; ++i) bytes_ += file(i).size;
}

// A session whose writer lives has one locked file, and a ring, unless it is in private memory.
void NumberedFiles::forget_living() {
  auto* const files = reinterpret_cast<File*>(files_.data());
  const std::size_t count = files_.size() / sizeof(File);
  const RingFolders folders(path_);
  std::uint64_t known_id = 0;
  bool known_lives = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || files[i].session_id != known_id) {
      known_id = files[i].session_id;
      known_lives = has_living_ring(folders, known_id);
      for (std::size_t j = 0; j < count && !known_lives; ++j) {
        known_lives = files[j].session_id == known_id && files[j].is_locked;
      }
    }
    files[i].is_locked |= known_lives;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!files[i].is_locked) files[kept++] = files[i];
  }
  files_.truncate(kept * sizeof(File));
}

int NumberedFiles::by_number(const void* a, const void* b) {
  const std::uint64_t x = static_cast<const File*>(a)->number;
  const std::uint64_t y = static_cast<const File*>(b)->number;
  return x < y ? -1 : x > y ? 1 : 0;
}

void NumberedFiles::add(std::uint64_t number) {
  struct stat status;
  File file = {};
  if (lstat(path_of(number), &status) != 0) return;
  file.number = number;
  file.size = static_cast<std::uint64_t>(status.st_size);
  file.written_utc_ns = written_at(status);
  file.added_at_ns = monotonic_ns();
  file.id = id_of(status);
  if (next_ >= kMaxDeleted) forget_deleted();
  const std::size_t before = files_.size();
  files_.append(&file, sizeof file);
  if (files_.size() > before) bytes_ += file.size;
}

bool NumberedFiles::is_oldest_older_than(std::uint64_t ns) const {
  if (oldest().added_at_ns != 0) return monotonic_ns() - oldest().added_at_ns > ns;
  const std::int64_t now = utc_ns();
  const std::int64_t then = oldest().written_utc_ns;
  return now > then && static_cast<std::uint64_t>(now - then) > ns;
}

void NumberedFiles::forget_deleted() {
  const std::size_t gone = next_ * sizeof(File);
  memmove(files_.data(), files_.data() + gone, files_.size() - gone);
  files_.truncate(files_.size() - gone);
  next_ = 0;
}

bool NumberedFiles::delete_oldest() {
  const File file = oldest();
  ++next_;
  bytes_ -= file.size;
  const char* const path = path_of(file.number);
  return !name_leads_to(path, file.id) || unlink(path) == 0;
}

}  // namespace evt
