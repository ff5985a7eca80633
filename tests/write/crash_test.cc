// Programs that crash while they record: what was committed is there, and what was not is not.
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class Crash : public RingTest {
 protected:
  // A program that records and then does something that ends it by a signal.
  template <typename Work>
  void crashed(int by, Work work) {
    const int status = in_child([&] {
      // A sanitizer would make an exit of it.
      signal(SIGSEGV, SIG_DFL);
      signal(SIGABRT, SIG_DFL);
      auto* const writer = new Writer(open());
      work(*writer);
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == by) << "it ended otherwise: " << status;
  }
};

TEST_F(Crash, BetweenTwoEventsLosesNothing) {
  crashed(SIGSEGV, [](Writer& writer) {
    emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10'000);
    raise(SIGSEGV);
  });
  EXPECT_EQ(ticks_in(path), numbers(0, 10'000));
}

TEST_F(Crash, InTheMiddleOfAnEventLosesThatEventAlone) {
  crashed(SIGSEGV, [](Writer& writer) {
    const auto types = writer.declare<Tick>();
    Stream stream = writer.stream("a");
    emit_ticks(stream, types, 0, 100);
    stream.emit_with(types.get<Tick>(), [](RowBuilder& row) {
      row.add(100u);
      raise(SIGSEGV);
    });
  });
  EXPECT_EQ(ticks_in(path), numbers(0, 100));
}

TEST_F(Crash, InTheMiddleOfALargeEventLosesThatEventAlone) {
  crashed(SIGABRT, [](Writer& writer) {
    const auto types = writer.declare<Tick, Cargo>();
    Stream stream = writer.stream("a");
    stream.emit(types, Tick{0});
    stream.emit_with(types.get<Cargo>(), [](RowBuilder& row) {
      row.raw(std::vector<std::byte>(1 << 20));
      abort();
    });
  });
  EXPECT_EQ(ticks_in(path), numbers(0, 1));
}

TEST_F(Crash, OfAnAbortLosesNothingOfAnyStream) {
  crashed(SIGABRT, [](Writer& writer) {
    const auto types = writer.declare<Tick>();
    emit_ticks(writer.stream("a"), types, 0, 100);
    Stream other = writer.stream("b");
    emit_ticks(other, types, 100, 200);
    abort();
  });
  EXPECT_EQ(ticks_in(path), numbers(0, 200));
}

}  // namespace
}  // namespace evt::testing
