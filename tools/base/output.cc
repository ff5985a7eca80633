#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "terminal.h"

namespace evt::tools {
namespace {

constexpr std::string_view kMaxExact = "9007199254740992";  // 2^53

// Not a fraction, and no power of ten.
bool is_large_whole(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  if (number.find_first_of(".eE") != number.npos) return false;
  return number.size() > kMaxExact.size() || (number.size() == kMaxExact.size() && number > kMaxExact);
}

// Behind the text that begins at `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

// Appends the JSON with each whole number beyond 2^53, of either sign, as a text. REQUIRES: it is of whole lines.
void append_json_safe(TextBuffer& out, std::string_view json) {
  std::size_t copied = 0;
  for (std::size_t at = json.find_first_of("\"-0123456789"); at < json.size();
       at = json.find_first_of("\"-0123456789", at)) {
    if (json[at] == '"') {
      at = end_of_text(json, at);
      continue;
    }
    const std::size_t end = std::min(json.find_first_not_of("+-.0123456789eE", at), json.size());
    const std::string_view number = json.substr(at, end - at);
    if (is_large_whole(number)) {
      out += json.substr(copied, at - copied);
      out += '"';
      out += number;
      out += '"';
      copied = end;
    }
    at = end;
  }
  out += json.substr(copied);
}

// The temporary file in the making, for the signal handler that removes it.
char unfinished[4096];

void remove_unfinished(int signal) {
  if (unfinished[0] != '\0') unlink(unfinished);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void guard(const std::string& temporary) {
  if (temporary.size() >= sizeof unfinished) return;
  memcpy(unfinished, temporary.c_str(), temporary.size() + 1);
  for (const int signal : kEndingSignals) {
    // What is ignored stays so: nohup and background jobs of a shell rely on it.
    struct sigaction before = {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::signal(signal, remove_unfinished);
  }
}

// Makes a file whose name ends with XXXXXX, and has it removed by a signal that ends the program: none comes in
// between.
int make_guarded(std::string* temporary) {
  sigset_t ending;
  sigset_t before_it;
  sigemptyset(&ending);
  for (const int signal : kEndingSignals) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, &before_it);
  const int descriptor = mkostemp(temporary->data(), O_CLOEXEC);
  const int error = errno;
  if (descriptor >= 0) guard(*temporary);
  pthread_sigmask(SIG_SETMASK, &before_it, nullptr);
  errno = error;
  return descriptor;
}

// What a path of symbolic links leads to, whether it is there yet or not.
std::string target_of(std::string path) {
  char target[PATH_MAX];
  ssize_t size = 0;
  while ((size = readlink(path.c_str(), target, sizeof target)) > 0) {
    const std::size_t folder = target[0] == '/' ? 0 : path.rfind('/') + 1;
    path.replace(folder, path.npos, target, static_cast<std::size_t>(size));
  }
  return path;
}

}  // namespace

Status cannot_write(const std::string& what, int error) {
  const std::size_t slash = what.rfind('/');
  const std::string folder = slash == what.npos ? "" : what.substr(0, slash);
  const bool lacks_folder = error == ENOENT && !folder.empty() && access(folder.c_str(), F_OK) != 0;
  return {Code::kIo, "cannot write " + what + ": " +
                         (lacks_folder ? "the folder " + folder + " does not exist" : std::string(strerror(error)))};
}

int write_all(int descriptor, const void* bytes, std::size_t size) {
  const char* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t n = ::write(descriptor, from, size);
    if (n > 0) {
      from += n;
      size -= static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EAGAIN) {  // somebody else made the pipe non-blocking
      pollfd ready = {descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (n == 0 || errno != EINTR) {
      return n == 0 ? EIO : errno;
    }
  }
  return 0;
}

bool TextOutput::flush() {
  safe_text_.clear();
  if (is_json_safe_) append_json_safe(safe_text_, text_.text());
  const std::string_view text = is_json_safe_ ? safe_text_.text() : text_.text();
  const int error = status_.ok() ? write_all(descriptor_, text.data(), text.size()) : 0;
  if (error != 0) status_ = cannot_write(name_, error);
  text_.clear();
  return status_.ok();
}

Result<FileOutput> FileOutput::open(const std::string& path, const OutputMode& mode) {
  if (path == "-") {
    if (isatty(STDOUT_FILENO) != 0) {
      return Status(Code::kInvalid, "will not write a binary trace onto a terminal: name a file with -o");
    }
    return FileOutput(STDOUT_FILENO, "standard output");
  }
  struct stat existing;
  const bool exists = stat(path.c_str(), &existing) == 0;
  if (!exists && errno != ENOENT) return cannot_write(path, errno);  // links in a circle among them
  if (exists && S_ISDIR(existing.st_mode)) {
    return Status(Code::kIo, "cannot write " + path + ": it is a directory");
  }
  if (exists && !S_ISREG(existing.st_mode)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return cannot_write(path, errno);
    return FileOutput(fd, path);
  }
  const std::string target = target_of(path);
  std::string temporary = target + ".XXXXXX";
  const int fd = make_guarded(&temporary);
  if (fd < 0) return cannot_write(path, errno);
  FileOutput output(fd, path);
  output.path_ = target;
  output.temporary_ = temporary;
  struct stat made;
  if (!exists && fstat(fd, &made) != 0) return cannot_write(path, errno);
  output.mode_ = exists ? existing.st_mode & 0777 : mode.of_file(made.st_gid);
  return output;
}

FileOutput::FileOutput(FileOutput&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      mode_(other.mode_),
      status_(std::move(other.status_)) {}

FileOutput::~FileOutput() {
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    unfinished[0] = '\0';
  }
  if (descriptor_ > STDOUT_FILENO) ::close(descriptor_);
}

int FileOutput::write(const void* bytes, std::size_t size) {
  const int error = write_all(descriptor_, bytes, size);
  if (error != 0 && status_.ok()) status_ = cannot_write(name_, error);
  return error;
}

Status FileOutput::complete(bool may_be_empty) {
  if (temporary_.empty()) return {};
  struct stat written;
  if (!may_be_empty && fstat(descriptor_, &written) == 0 && written.st_size == 0) {
    return {Code::kInvalid, "did not write " + name_ + ": there is no session to put into it"};
  }
  // No other user could read it while it was written.
  const bool complete = fchmod(descriptor_, mode_) == 0 && ::close(std::exchange(descriptor_, -1)) == 0 &&
                        rename(temporary_.c_str(), path_.c_str()) == 0;
  if (!complete) return cannot_write(name_, errno);
  temporary_.clear();
  unfinished[0] = '\0';
  return {};
}

Status write_file(const std::string& path, const OutputMode& mode, std::string_view bytes) {
  auto output = FileOutput::open(path, mode);
  if (!output) return output.status();
  return output->write(bytes.data(), bytes.size()) == 0 ? output->complete() : output->status();
}

}  // namespace evt::tools
