// A library that records and is unloaded while its session has a thread, and threads have streams of it.
#include <dlfcn.h>

#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

template <typename Function>
Function find(void* library, const char* name) {
  void* const symbol = dlsym(library, name);
  if (symbol == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Function>(symbol);
}

class Plugin : public RingTest {
 protected:
  void SetUp() override {
    RingTest::SetUp();
    library = dlopen(EVT_BIN_FOLDER "/recording_plugin.so", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    open_session = find<evt_writer* (*)(const char*)>(library, "plugin_open");
    record = find<void (*)(evt_writer*, std::uint32_t, std::uint32_t)>(library, "plugin_record");
    close_session = find<int (*)(evt_writer*)>(library, "plugin_close");
  }

  void* library = nullptr;
  evt_writer* (*open_session)(const char*) = nullptr;
  void (*record)(evt_writer*, std::uint32_t, std::uint32_t) = nullptr;
  int (*close_session)(evt_writer*) = nullptr;
};

TEST_F(Plugin, StaysWhereItIsWhenItIsUnloadedInTheMiddleOfASession) {
  evt_writer* const writer = open_session(path.c_str());
  ASSERT_NE(writer, nullptr);
  // The thread ends, and its stream is sealed, when no caller has the library any more.
  std::thread([&] {
    record(writer, 0, 1'000);
    dlclose(library);
  }).join();
  record(writer, 1'000, 100'000);
  EXPECT_EQ(close_session(writer), 0);
  EXPECT_EQ(ticks_in(path), numbers(0, 100'000));
}

TEST_F(Plugin, LeavesNothingUndoneWhenTheProgramEndsAfterIt) {
  if (kSanitizer) GTEST_SKIP() << "looks for leaks at exit";
  const int status = in_child([&] {
    evt_writer* const writer = open_session(path.c_str());
    record(writer, 0, 1'000);
    dlclose(library);
    exit(0);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ticks_in(path), numbers(0, 1'000));
}

}  // namespace
}  // namespace evt::testing
