// A program that is killed while it records: its file without the ring, with what the ring had, and the ring itself.
#include <evt/trace.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <cstring>

#include "archive.h"
#include "format-spec/src/ring/ring_layout.h"
#include "support/command.h"
#include "support/folder.h"
#include "v1_session.h"

namespace evt::testing {
namespace {

// 6 ticks are in the file, 3 and a loss in the ring.
[[noreturn]] void record_and_die(const std::string& path, const V1Session::How& how) {
  auto* const session = new V1Session(path, how);
  evt_stream* const a = session->stream("a");
  evt_stream* const b = session->stream("b");
  for (std::uint64_t n = 0; n < 6; ++n) session->tick(n % 2 == 0 ? a : b, n * 100, n);
  evt_stream_flush(a);
  evt_stream_flush(b);
  session->tick(b, 600, 6);
  session->tick(a, 700, 7);
  evt_stream_lost(a, EVT_LOST_REENTERED, 2, session->start() + 710, session->start() + 750);
  session->tick(a, 800, 8);
  kill(getpid(), SIGKILL);
  _exit(1);
}

void kill_a_program(const std::string& path, const V1Session::How& how) {
  const pid_t child = fork();
  if (child == 0) record_and_die(path, how);
  int status = 0;
  waitpid(child, &status, 0);
}

// Takes the ring of a killed program, which does not say where its trace was.
std::string take_ring(const std::string& trace) {
  ReadOptions without;
  without.rings = false;
  const auto read = Trace::open(trace, without);
  if (!read) throw std::runtime_error(read.status().message());
  const std::string path = ring::kFolder + ("/" + read->sessions()[0].ring_name);
  std::string bytes = read_file(path);
  unlink(path.c_str());
  std::size_t at = 0;
  while (std::memcmp(bytes.data() + at, ring::kMagic, sizeof ring::kMagic) != 0) at += ring::kPage;
  auto& header = reinterpret_cast<ring::Header&>(bytes[at]);
  for (ring::Output& output : header.outputs) output = {};
  return bytes;
}

std::string compressed(const std::string& bytes) {
  std::string small(ZSTD_compressBound(bytes.size()), '\0');
  small.resize(ZSTD_compress(small.data(), small.size(), bytes.data(), bytes.size(), 19));
  return small;
}

}  // namespace

void make_killed_with_ring(const Archive& archive) {
  const std::string name = "rings/killed.evt";
  if (!archive.lacks(name)) return;
  kill_a_program(archive.path_of(name), {.number = 21, .ring = true, .ring_size = 16 << 10});
  archive.add("rings/killed.ring.zst", compressed(take_ring(archive.path_of(name))));
}

void make_v1_killed(const Archive& archive) {
  const std::string name = "v1/killed_recovered.evt";
  const std::string path = archive.path_of(name);
  if (!archive.lacks(name)) return;
  kill_a_program(path, {.number = 20, .ring = true});
  archive.add("v1/killed_without_ring.evt", read_file(path));
  const Outcome outcome = run("evt check --recover '" + path + "'");
  if (outcome.status != 0) throw std::runtime_error("not recovered: " + outcome.err);
}

}  // namespace evt::testing
