// A program that is killed while it records: its file without the ring, and with what the ring had.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive.h"
#include "support/command.h"
#include "support/folder.h"
#include "v1_session.h"

namespace evt::testing {
namespace {

// 6 ticks are in the file, 3 and a loss in the ring.
[[noreturn]] void record_and_die(const std::string& path) {
  auto* const session = new V1Session(path, {.number = 20, .ring = true});
  evt_stream* const a = session->stream("a");
  evt_stream* const b = session->stream("b");
  for (std::uint64_t n = 0; n < 6; ++n) session->tick(n % 2 == 0 ? a : b, n * 100, n);
  evt_stream_flush(a);
  evt_stream_flush(b);
  session->tick(b, 600, 6);
  session->tick(a, 700, 7);
  evt_stream_lost(a, EVT_LOST_REENTERED, 2, session->start() + 750);
  session->tick(a, 800, 8);
  kill(getpid(), SIGKILL);
  _exit(1);
}

}  // namespace

void make_v1_killed(const Archive& archive) {
  const std::string name = "v1/killed_recovered.evt";
  const std::string path = archive.path_of(name);
  if (!archive.lacks(name)) return;
  const pid_t child = fork();
  if (child == 0) record_and_die(path);
  int status = 0;
  waitpid(child, &status, 0);
  archive.add("v1/killed_without_ring.evt", read_file(path));
  const Outcome outcome = run("evt check --recover '" + path + "'");
  if (outcome.status != 0) throw std::runtime_error("not recovered: " + outcome.err);
}

}  // namespace evt::testing
