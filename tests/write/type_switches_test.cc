// Event types that another process switches on or off: <evt/switch_types.h> and the control page of the ring.
#include <evt/switch_types.h>
#include <fcntl.h>
#include <gmock/gmock.h>

#include <optional>
#include <random>
#include <thread>

#include "format-spec/src/ring/control_page.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TypeSwitches : public RingTest {
 protected:
  // A session with the system's clock: the writer's own events are in it.
  Writer start() const {
    auto writer = Writer::open(path, evt_options{});
    if (!writer) throw std::runtime_error(writer.status().message());
    return *std::move(writer);
  }
  RingInfo ring() const {
    RingInfo info;
    info.path = rings_of(folder).at(0);
    info.user = geteuid();
    return info;
  }
  // The switches that the trace tells of, and the ticks between them.
  std::vector<std::string> told() const {
    Trace trace = open_file(path);
    std::vector<std::string> told;
    Events events = trace.events();
    while (const Event* const event = events.next()) {
      if (const auto tick = event->as<Tick>()) told.push_back(std::to_string(tick->n));
      if (event->type().name() != "trace.switched") continue;
      EXPECT_EQ(event->value("user")->as_unsigned(), geteuid());
      told.push_back(std::string(event->value("types")->as_text()) +
                     (event->value("on")->as_unsigned() != 0 ? " on" : " off"));
      EXPECT_EQ(event->value("process")->as_unsigned(), static_cast<std::uint64_t>(getpid()));
    }
    return told;
  }
  // Opens the ring for writing, at its control page.
  int open_page(std::uint64_t* at) const {
    const int fd = ::open(ring().path.c_str(), O_RDWR | O_CLOEXEC);
    std::string bytes(4 * ring::kPage, '\0');
    EXPECT_GT(pread(fd, bytes.data(), bytes.size(), 0), 0);
    const std::size_t header = bytes.find(std::string(ring::kMagic, sizeof ring::kMagic));
    memcpy(at, bytes.data() + header + offsetof(ring::Header, control_offset), sizeof *at);
    return fd;
  }
};

TEST_F(TypeSwitches, OfALivingProgramAreApplied) {
  std::optional<Writer> writer(start());
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  emit_ticks(stream, types, 0, 1);
  auto done = switch_types(ring(), "ti*", false);
  ASSERT_TRUE(done) << done.status().message();
  EXPECT_TRUE(*done);
  emit_ticks(stream, types, 1, 2);
  done = switch_types(ring(), "tick", true);
  EXPECT_TRUE(done && *done);
  emit_ticks(stream, types, 2, 3);
  writer.reset();
  EXPECT_THAT(told(), ElementsAre("0", "ti* off", "tick on", "2"));
}

TEST_F(TypeSwitches, AreOfTypesThatAreDeclaredLaterToo) {
  std::optional<Writer> writer(start());
  const auto done = switch_types(ring(), "*", false);
  ASSERT_TRUE(done && *done);
  emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
  const auto again = switch_types(ring(), "*", true);
  ASSERT_TRUE(again && *again);
  emit_ticks(writer->stream("b"), writer->declare<Tick>(), 10, 11);
  writer.reset();
  EXPECT_THAT(told(), ElementsAre("* off", "* on", "10"));
}

TEST_F(TypeSwitches, OfAStoppedProgramComeWhenItGoesOn) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    auto* const writer = new Writer(start());
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    emit_ticks(stream, types, 0, 1);
    raise(SIGSTOP);
    char told = 0;
    if (read(ends[0], &told, 1) == 1) emit_ticks(stream, types, 1, 2);
    _exit(writer->close().ok() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, WUNTRACED);
  const RingInfo info = ring();
  const auto done = switch_types(info, "tick", false);
  ASSERT_TRUE(done) << done.status().message();
  EXPECT_FALSE(*done);
  for (std::size_t i = 1; i < ring::kSwitches; ++i) {
    const auto another = switch_types(info, "other", false);
    EXPECT_TRUE(another && !*another);
  }
  EXPECT_EQ(switch_types(info, "too.many", true).status().message(), "8 switches wait for it already");
  kill(child, SIGCONT);
  const auto last = [&] {
    for (;;) {
      auto another = switch_types(info, "other", true);
      if (another && *another) return true;
    }
  };
  EXPECT_TRUE(last());
  EXPECT_EQ(write(ends[1], "x", 1), 1);
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(ends[0]);
  close(ends[1]);
  const std::vector<std::string> all = told();
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[0], "0");
  EXPECT_EQ(all[1], "tick off");
  EXPECT_EQ(std::count(all.begin(), all.end(), "1"), 0);
}

TEST_F(TypeSwitches, OfADeadProgramAreRefused) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(start());
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 1);
  }));
  EXPECT_EQ(switch_types(ring(), "*", false).status().message(), "the program has ended");
}

TEST_F(TypeSwitches, TakePatternsOfSomeLength) {
  Writer writer = start();
  EXPECT_EQ(switch_types(ring(), "", false).status().message(), "a pattern has 1 to 471 bytes");
  EXPECT_EQ(switch_types(ring(), std::string(472, 'x'), false).status().message(), "a pattern has 1 to 471 bytes");
  const auto done = switch_types(ring(), std::string(471, 'x'), false);
  EXPECT_TRUE(done && *done);
}

TEST_F(TypeSwitches, OfAHostilePageDoNoHarm) {
  std::optional<Writer> writer(start());
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  std::uint64_t at = 0;
  const int fd = open_page(&at);
  std::minstd_rand random(1);
  for (std::uint32_t n = 0; n < 2000; ++n) {
    std::string page(ring::kPage, '\0');
    for (char& byte : page) byte = static_cast<char>(random());
    const std::uint64_t generation = random() % 16;
    if (n % 2 == 0) memcpy(page.data(), &generation, sizeof generation);
    ASSERT_EQ(pwrite(fd, page.data(), page.size(), static_cast<off_t>(at)), static_cast<ssize_t>(page.size()));
    emit_ticks(stream, types, n, n + 1);
  }
  close(fd);
  writer.reset();
  EXPECT_EQ(ticks_in(path), numbers(0, 2000));
}

}  // namespace
}  // namespace evt::testing
