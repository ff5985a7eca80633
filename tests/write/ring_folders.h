// Folders of rings of a test's own, and small or closed ones in the place of shared memory.
#pragma once

#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>

#include "write/ring_session.h"

namespace evt::testing {

// Rings are made in a folder of the test.
class OwnRings : public RingTest {
 protected:
  OwnRings() {
    std::filesystem::create_directory(rings);
    setenv("EVTRACE_RING_DIR", rings.c_str(), 1);
  }
  ~OwnRings() override {
    unsetenv("EVTRACE_RING_DIR");
    unsetenv("XDG_RUNTIME_DIR");
  }

  static std::string name_of(const evt_options& options) {
    char name[ring::kMaxName];
    ring::name_of(evt_session_id(options.session->uuid), name);
    return name;
  }
  std::string ring_of(const evt_options& options) const { return rings + "/" + name_of(options); }
  // How many rings there are.
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(rings), {}));
  }

  // Records ten ticks and is killed. Returns the path of the ring.
  std::string killed_program(const std::string& at) {
    const evt_options with = options();
    killed_after([&] { record(Writer::open(at, with)); });
    return ring_of(with);
  }
  std::string killed_program_with_a_pipe() {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    const evt_options with = options();
    killed_after([&] { record(Writer::open(ends[1], with)); });
    ::close(ends[0]);
    ::close(ends[1]);
    return ring_of(with);
  }
  static void record(Result<Writer> opened) {
    auto* const writer = new Writer(*std::move(opened));
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
  }
  void next_program() { EXPECT_TRUE(open(folder / "next.evt").close().ok()); }

  const std::string rings = folder / "rings";
};

// In a child: mounts memory there, which goes with the child. False when this user cannot.
inline bool mount_memory(const char* at, const char* size, bool read_only = false) {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", at, "tmpfs", read_only ? MS_RDONLY : 0, size) == 0;
}
inline bool can_mount() {
  return in_child([] { _exit(mount_memory("/dev/shm", "size=1m") ? 0 : 1); }) == 0;
}

}  // namespace evt::testing
