// One session for the libraries and the program of a process, evt_session: who releases it first ends it for nobody
// else.
#include <evt/trace_macros.h>
#include <stdlib.h>

#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class SharedSession : public RingTest {
 protected:
  SharedSession() { setenv("EVTRACE", path.c_str(), 1); }
  ~SharedSession() override { unsetenv("EVTRACE"); }

  static evt_writer* have() {
    evt_error error;
    evt_writer* const writer = evt_session(nullptr, &error);
    EXPECT_EQ(error.code, EVT_OK) << error.message;
    return writer;
  }
  static void emit(evt_writer* writer, std::uint32_t begin, std::uint32_t end) {
    Stream stream(evt_stream_open(writer, "s"));
    emit_ticks(stream, Types<Tick>({TypeHandle(encoding::declare<Tick>(writer, nullptr))}), begin, end);
    stream.close();
  }
};

TEST_F(SharedSession, EndsWithTheLastOfItsHolders) {
  evt_writer* const first = have();
  evt_writer* const second = have();
  EXPECT_EQ(first, second);
  emit(first, 0, 10);
  EXPECT_EQ(evt_session_release(first, nullptr), EVT_OK);
  emit(second, 10, 20);
  EVT_TRACE("app.mark", "n", 20);
  EXPECT_EQ(evt_session_release(second, nullptr), EVT_OK);
  evt_error error;
  EXPECT_EQ(evt_session_release(second, &error), EVT_CODE_INVALID);
  EXPECT_STREQ(error.message, "the session was released as often as it was had");
  EXPECT_EQ(ticks_in(path), numbers(0, 20));
  Trace trace = open_file(path);
  EXPECT_EQ(fate_of(trace).came, 21u) << "and the line in the default session";
  EXPECT_TRUE(trace.sessions()[0].closed);
}

TEST_F(SharedSession, IsTheProgramsOwnWhereItHasOne) {
  Writer own = open();
  own.make_default();
  evt_writer* const writer = have();
  EXPECT_EQ(writer, own.get());
  emit(writer, 0, 3);
  EXPECT_EQ(evt_session_release(writer, nullptr), EVT_OK);
  emit(own.get(), 3, 6);
  EXPECT_TRUE(own.close().ok());
  EXPECT_EQ(ticks_in(path), numbers(0, 6));
}

TEST_F(SharedSession, IsNoneWhereNobodyAsksForOne) {
  unsetenv("EVTRACE");
  EXPECT_EQ(have(), nullptr);
  EXPECT_EQ(evt_session_release(nullptr, nullptr), EVT_OK);
  setenv("EVTRACE", "on", 1);
  evt_error error;
  EXPECT_EQ(evt_session(nullptr, &error), nullptr);
  EXPECT_EQ(error.code, EVT_CODE_INVALID);
}

TEST_F(SharedSession, BeginsAnewAfterItsEnd) {
  evt_writer* const first = have();
  emit(first, 0, 3);
  EXPECT_EQ(evt_close(first, nullptr), EVT_OK) << "who has the handle may end it for all";
  EXPECT_EQ(evt_session_release(first, nullptr), EVT_OK);
  evt_writer* const second = have();
  EXPECT_NE(first, second);
  emit(second, 3, 6);
  EXPECT_EQ(evt_session_release(second, nullptr), EVT_OK);
  EXPECT_EQ(ticks_in(path), numbers(3, 6));
}

// The notice of the other name is for who looks: the output of a child is what it would be alone.
TEST_F(SharedSession, IsAnotherOneInAForkChild) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  setenv("EVTRACE", (folder / "a.%p.evt").c_str(), 1);
  evt_writer* const parents = have();
  emit(parents, 0, 3);
  auto* const child_path = shared<std::array<char, 4096>>();
  EXPECT_EQ(in_child([&] {
              evt_writer* const own = have();
              if (own == parents || own == nullptr) _exit(1);
              snprintf(child_path->data(), child_path->size(), "%s", evt_writer_path(own));
              emit(own, 3, 6);
              if (evt_session_release(parents, nullptr) != EVT_OK) _exit(2);
              if (evt_session_release(own, nullptr) != EVT_OK) _exit(3);
            }),
            0);
  const std::string parents_path = evt_writer_path(parents);
  emit(parents, 6, 9);
  EXPECT_EQ(evt_session_release(parents, nullptr), EVT_OK);
  EXPECT_EQ(ticks_in(child_path->data()), numbers(3, 6));
  EXPECT_EQ(ticks_in(parents_path), (std::vector<std::uint32_t>{0, 1, 2, 6, 7, 8}));
}

TEST_F(SharedSession, IsHadByTheClassToo) {
  {
    auto first = Writer::session();
    ASSERT_TRUE(first);
    auto second = Writer::session();
    emit(first->get(), 0, 3);
    EXPECT_TRUE(first->close().ok());
    emit(second->get(), 3, 6);
  }
  EXPECT_EQ(ticks_in(path), numbers(0, 6));
  EXPECT_TRUE(open_file(path).sessions()[0].closed);
}

// Every row that is emitted while anybody holds the session is in the file, whoever comes and goes.
TEST_F(SharedSession, LosesNothingOfThreadsThatComeAndGo) {
  constexpr std::uint32_t kThreads = 8;
  constexpr std::uint32_t kRounds = kSanitizer ? 20 : 200;
  evt_writer* const held = have();
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      for (std::uint32_t round = 0; round < kRounds; ++round) {
        evt_writer* const writer = have();
        emit(writer, 0, 5);
        EXPECT_EQ(evt_session_release(writer, nullptr), EVT_OK);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(evt_session_release(held, nullptr), EVT_OK);
  EXPECT_EQ(ticks_in(path).size(), std::size_t{5} * kThreads * kRounds);
}

}  // namespace
}  // namespace evt::testing
