// A folder of CTF of any content, as evt-import-ctf reads it: refused with a sentence, or a trace without damage whose
// events are in order.
#include <fcntl.h>

#include <fstream>

#include "own_folder.h"
#include "reading.h"
#include "tools/ctf/ctf_graph.h"

namespace {

constexpr std::string_view kMetadata =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
    "trace { major = 1; minor = 8; byte_order = le; };\n"
    "clock { name = \"c\"; freq = 1000000000; };\n"
    "typealias integer { size = 64; align = 8; map = clock.c.value; } := time;\n"
    "stream { event.header := struct { u8 id; time timestamp; }; event.context := struct { u8 tid; };\n"
    "  packet.context := struct { u8 cpu_id; u8 events_discarded; }; };\n"
    "event { name = \"sched_switch\"; id = 0; fields := struct { u8 _prev_tid; i64 _prev_state; u8 _next_tid;\n"
    "  string _next_comm; }; };\n"
    "event { name = \"syscall_entry_read\"; id = 1; fields := struct { u8 _fd; }; };\n"
    "event { name = \"syscall_exit_read\"; id = 2; fields := struct { i64 _ret; }; };\n"
    "event { name = \"point\"; id = 3; fields := struct { enum : u8 { LOW = 1, HIGH = 2 } level;\n"
    "  struct { u8 x; u8 y[2]; } at; u8 n; i64 sizes[n]; string text; }; };\n"
    "event { name = \"sched_waking\"; id = 4; fields := struct { u8 _tid; }; };\n";

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string content_of(int file) {
  std::string bytes(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  FUZZ_CHECK(pread(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return bytes;
}

}  // namespace

// libbabeltrace2's parser leaks what it made of metadata that it refuses.
extern "C" int __lsan_is_turned_off() { return 1; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The first byte selects whose metadata it is: the target's, or that in front of a zero byte.
  if (size == 0) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string metadata(kMetadata);
  if (data[0] % 4 == 0) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    metadata = "/* CTF 1.8 */\n" + std::string(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  static const fuzz::OwnFolder folder;
  write_file(folder / "metadata", metadata);
  write_file(folder / "chan", rest);
  const int file = memfd_create("trace", MFD_CLOEXEC);
  FUZZ_CHECK(file >= 0);
  evt::ctf::CtfMessages messages(file);
  const std::string error = evt::ctf::read_trace(folder / "", &messages);
  FUZZ_CHECK(error.find('\n') == std::string::npos);
  // What was read before an error of the library is a trace too.
  const bool is_finished = messages.finish();
  const std::string bytes = content_of(file);
  close(file);
  if (!is_finished) {
    FUZZ_CHECK(!messages.error().empty());
    return 0;
  }
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(bytes), options);
  FUZZ_CHECK(trace.ok());
  FUZZ_CHECK(trace->damage().empty());
  fuzz::read_one_by_one(*trace, false);
  fuzz::use_every_getter(*trace);
  FUZZ_CHECK(trace->sessions().size() == 1);
  FUZZ_CHECK(trace->sessions().front().closed);
  FUZZ_CHECK(trace->sessions().front().missing == 0);
  return 0;
}
