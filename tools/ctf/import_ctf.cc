// evt-import-ctf: a CTF trace as one of evtrace's, on standard output. What evt starts for a folder that holds CTF: so
// that evt itself needs neither libbabeltrace2 nor GLib.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

#include "ctf_graph.h"

namespace {

enum Exit : int { kOk = 0, kUsage = 2, kNoAnswer = 3 };

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr,
               "usage: evt-import-ctf FOLDER|STREAM > TRACE\n\nReads the CTF traces in and below a folder, or one "
               "stream of a trace. evt does so by itself.\n");
    return kUsage;
  }
  evt::ctf::CtfMessages messages(STDOUT_FILENO);
  std::string error = evt::ctf::read_trace(argv[1], &messages);
  if (error.empty() && !messages.finish()) error = messages.error();
  if (!error.empty()) {
    fmt::print(stderr, "{}\n", error);
    return kNoAnswer;
  }
  for (const std::string& note : messages.notes()) fmt::print(stderr, "{}\n", note);
  return kOk;
}
