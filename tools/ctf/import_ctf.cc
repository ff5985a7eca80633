// evt-import-ctf: a CTF trace as one of evtrace's, on standard output. What evt starts for a folder that holds CTF: so
// that evt itself needs neither libbabeltrace2 nor GLib, and what a hostile folder does to these ends this program
// alone.
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <string>
#include <string_view>

#include "ctf_graph.h"

namespace {

enum Exit : int { kOk = 0, kUsage = 2, kNoAnswer = 3 };

#ifdef __has_feature
#define EVT_HAS_FEATURE(x) __has_feature(x)
#else
#define EVT_HAS_FEATURE(x) 0
#endif

#define EVT_CTF_MIB 224
#define EVT_TEXT_OF_(x) #x
#define EVT_TEXT_OF(x) EVT_TEXT_OF_(x)
constexpr std::string_view kNoMemory =
    "it takes more than " EVT_TEXT_OF(EVT_CTF_MIB) " MiB of memory, which no trace of a tracer needs\n";
#define EVT_CTF_SECONDS 20
constexpr std::string_view kNoTime =
    "its metadata takes more than " EVT_TEXT_OF(EVT_CTF_SECONDS) " s of a processor, which that of no tracer needs\n";

int sentences = STDERR_FILENO;                            // where those of this program go
const evt::ctf::CtfMessages* volatile reading = nullptr;  // what is read

// By signals too: nothing that takes memory.
[[noreturn]] void end_by(std::string_view sentence) {
  [[maybe_unused]] const ssize_t written = write(sentences, sentence.data(), sentence.size());
  _exit(kNoAnswer);
}

[[noreturn]] void end_without_memory(int) { end_by(kNoMemory); }

void end_without_events(int) {
  if (reading == nullptr || !reading->has_begun()) end_by(kNoTime);
}

void print(std::string line) {
  line += '\n';
  [[maybe_unused]] const ssize_t written = write(sentences, line.data(), line.size());
}

// What files map is not counted. GLib ends a program that has no memory by a trap, behind lines of its own.
void limit_memory() {
  const int own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (own >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0) sentences = own;
  signal(SIGTRAP, end_without_memory);
  signal(SIGABRT, end_without_memory);
// A sanitizer has memory of its own.
#if !defined(__SANITIZE_ADDRESS__) && !EVT_HAS_FEATURE(address_sanitizer)
  const rlimit limit = {rlim_t{EVT_CTF_MIB} << 20, rlim_t{EVT_CTF_MIB} << 20};
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

// The library's time grows with the square of how many fields, labels and classes metadata claims.
void limit_time() {
  signal(SIGVTALRM, end_without_events);
  const itimerval once = {{0, 0}, {EVT_CTF_SECONDS, 0}};
  setitimer(ITIMER_VIRTUAL, &once, nullptr);
}

int import(const char* path) {
  evt::ctf::CtfMessages messages(STDOUT_FILENO);
  reading = &messages;
  std::string error = evt::ctf::read_trace(path, &messages);
  if (error.empty() && !messages.finish()) error = messages.error();
  if (!error.empty()) {
    print(error);
    return kNoAnswer;
  }
  for (const std::string& note : messages.notes()) print(note);
  return kOk;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr,
               "usage: evt-import-ctf FOLDER|STREAM > TRACE\n\nReads the CTF traces in and below a folder, or one "
               "stream of a trace. evt does so by itself.\n");
    return kUsage;
  }
  limit_memory();
  limit_time();
  try {
    return import(argv[1]);
  } catch (const std::bad_alloc&) {
    end_without_memory(0);
  }
}
