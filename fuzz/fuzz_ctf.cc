// A folder of CTF of any content: refused with a sentence, or a trace whose events are in order, and whose damage is in
// its files.
#include <fstream>

#include "own_folder.h"
#include "reading.h"

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

}  // namespace

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
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  auto trace = evt::Trace::open(folder / "", options);
  if (!trace) {
    FUZZ_CHECK(!trace.status().message().empty());
    FUZZ_CHECK(trace.status().message().find('\n') == std::string::npos);
    return 0;
  }
  fuzz::read_one_by_one(*trace, false);
  fuzz::use_every_getter(*trace);
  FUZZ_CHECK(trace->sessions().size() == 1);
  FUZZ_CHECK(trace->sessions().front().closed);
  FUZZ_CHECK(trace->sessions().front().missing == 0);
  return 0;
}
