// evt collect: sessions of other programs, each in a file.
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <thread>

#include "support/command.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class Collect : public RingTest {
 protected:
  ~Collect() override { end_collector(SIGKILL); }

  // A closed session in a file of its own.
  std::string record(const std::string& name, std::uint32_t count) {
    const std::string at = folder / name;
    Writer writer = open(at);
    const auto types = writer.declare<Tick>();
    Stream stream = writer.stream("a");
    for (std::uint32_t n = 0; n < count; n += 1000) {
      emit_ticks(stream, types, n, n + 1000);
      stream.flush();
    }
    EXPECT_EQ(writer.close().message(), "");
    return read_file(at);
  }
  Outcome run(const std::string& line) const { return evt::testing::run(line, folder.path()); }
  std::vector<std::string> collected() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "to")) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  std::string only_one() const {
    EXPECT_EQ(collected().size(), 1U);
    return read_file(folder / "to/" + collected().front());
  }

  void start_collector(const std::string& options = "") {
    child_ = fork();
    if (child_ == 0) {
      const std::string line = "cd " + folder.path() +
                               " && exec " EVT_BIN_FOLDER "/evt collect to --listen unix:" + socket_ + " " + options +
                               " 2>> err.txt";
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
  }
  int end_collector(int number) {
    if (child_ <= 0) return 0;
    kill(child_, number);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    return status;
  }
  int connected() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket_.copy(address.sun_path, sizeof address.sun_path - 1);
    for (;;) {
      const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
      close(fd);
      std::this_thread::yield();
    }
  }
  // Sends blocks from the one on that the collector lacks; false if the connection ends before it has all of them.
  static bool send_session(int fd, const std::string& bytes) {
    const std::vector<std::size_t> begins = blocks_in(bytes);
    const auto send_all = [fd](std::string_view part) {
      for (std::size_t at = 0; at < part.size();) {
        const ssize_t sent = send(fd, part.data() + at, part.size() - at, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        at += static_cast<std::size_t>(sent);
      }
      return true;
    };
    std::uint8_t answer[16];
    if (!send_all(std::string_view(bytes).substr(0, begins[1]))) return false;
    if (recv(fd, answer, sizeof answer, MSG_WAITALL) != sizeof answer) return false;
    const std::uint64_t next = evt_load_u64(answer + 8);
    EXPECT_EQ(evt_load_u64(answer), evt_load_u64(bytes.data() + 24));
    for (std::size_t i = static_cast<std::size_t>(next); i + 1 < begins.size(); ++i) {
      if (!send_all(std::string_view(bytes).substr(begins[i], begins[i + 1] - begins[i]))) return false;
    }
    return shutdown(fd, SHUT_WR) == 0 && recv(fd, answer, 1, 0) == 0;
  }
  // Where each begins, and where the last one ends.
  static std::vector<std::size_t> blocks_in(const std::string& bytes) {
    std::vector<std::size_t> begins = {0};
    while (begins.back() < bytes.size()) {
      const char* const block = bytes.data() + begins.back();
      const std::size_t size = evt_load_u16(block + 12) + std::size_t{evt_load_u32(block + 16)};
      begins.push_back(begins.back() + (size + 7) / 8 * 8);
    }
    return begins;
  }

  const std::string socket_ = folder / "socket";

 private:
  pid_t child_ = 0;
};

TEST_F(Collect, WritesWhatComesOnStandardInput) {
  const std::string bytes = record("a.evt", 3000);
  EXPECT_EQ(run("cat a.evt | evt collect to"), (Outcome{0, "", ""}));
  EXPECT_EQ(only_one(), bytes);
  EXPECT_TRUE(collected().front().starts_with("test-"));
  EXPECT_EQ(run("cat a.evt | evt collect to"), (Outcome{0, "", ""})) << "again";
  EXPECT_EQ(only_one(), bytes);
}

TEST_F(Collect, GoesOnWhereAFileEnds) {
  const std::string bytes = record("a.evt", 3000);
  for (const int size : {1000, 20'000, 30'001}) {
    EXPECT_EQ(run("head -c " + std::to_string(size) + " a.evt | evt collect to"),
              (Outcome{1, "", "evt collect: standard input: it ended inside a block\n"}));
  }
  EXPECT_EQ(run("f=$(echo to/*); truncate -s -5 $f; cat a.evt | evt collect to"), (Outcome{0, "", ""}));
  EXPECT_EQ(only_one(), bytes);
}

TEST_F(Collect, HasAFileForEachSession) {
  const std::string one = record("a.evt", 1000);
  const std::string other = record("b.evt", 1000);
  EXPECT_EQ(run("cat a.evt b.evt | evt collect to"), (Outcome{0, "", ""}));
  EXPECT_EQ(collected().size(), 2U);
  EXPECT_EQ(
      run("cat to/* > both; cat a.evt b.evt | wc -c; wc -c < both"),
      (Outcome{0, std::to_string(one.size() + other.size()) + "\n" + std::to_string(one.size() + other.size()) + "\n",
               ""}));
}

TEST_F(Collect, WritesNoBlockThatIsNotWhole) {
  std::string bytes = record("a.evt", 3000);
  const std::size_t third = blocks_in(bytes)[2];
  bytes[third + 60] ^= 1;  // the payload of a block, or its header
  folder.write("bad.evt", bytes);
  const Outcome outcome = run("cat bad.evt | evt collect to");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "evt collect: standard input: at byte " + std::to_string(third) +
                             ": a block whose payload checksum is wrong\n");
  EXPECT_EQ(only_one(), bytes.substr(0, third));
  EXPECT_EQ(run("echo this is no trace, however long it is and goes on and on | evt collect to"),
            (Outcome{1, "", "evt collect: standard input: at byte 0: expected the header of a block\n"}));
}

TEST_F(Collect, RefusesWhatIsTooMuchForAFile) {
  record("a.evt", 3000);
  const Outcome outcome = run("cat a.evt | evt collect to --session-limit 10K");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "evt collect: standard input: to/" + collected().front() +
                             " would have more than 10240 bytes (--session-limit)\n");
}

TEST_F(Collect, LetsTheSenderWaitWhileTheFolderIsFull) {
  const std::string bytes = record("a.evt", 3000);
  EXPECT_EQ(
      run("mkdir to; head -c 30000 /dev/zero > to/other; (cat a.evt | evt collect to --limit 40K 2>said; echo $?) & "
          "until grep -qs wait said; do sleep 0.05; done; rm to/other; wait; cat said >&2"),
      (Outcome{0, "0\n", "evt collect: to would have more than 40960 bytes (--limit); senders wait\n"}));
  EXPECT_EQ(only_one(), bytes);
}

TEST_F(Collect, TakesManySendersAtASocket) {
  constexpr int kSenders = 50;
  std::vector<std::string> sessions;
  for (int i = 0; i < kSenders; ++i) sessions.push_back(record("a" + std::to_string(i) + ".evt", 1000));
  start_collector();
  std::vector<std::thread> senders;
  for (const std::string& bytes : sessions) {
    senders.emplace_back([&] {
      const int fd = connected();
      EXPECT_TRUE(send_session(fd, bytes));
      close(fd);
    });
  }
  for (std::thread& sender : senders) sender.join();
  const int status = end_collector(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_FALSE(std::filesystem::exists(socket_));
  EXPECT_EQ(collected().size(), std::size_t{kSenders});
  EXPECT_EQ(run("cat to/* | wc -c").out, run("cat a*.evt | wc -c").out);
  EXPECT_EQ(read_file(folder / "err.txt"), "");
}

TEST_F(Collect, GetsEachBlockOnceThoughItIsKilledAHundredTimes) {
  const std::string bytes = record("a.evt", 200'000);
  std::thread sender([&] {
    for (;;) {
      const int fd = connected();
      const bool done = send_session(fd, bytes);
      close(fd);
      if (done) break;
    }
  });
  for (int i = 0; i < 100; ++i) {
    start_collector();
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + i % 20));
    end_collector(SIGKILL);
  }
  start_collector();
  sender.join();
  end_collector(SIGTERM);
  EXPECT_EQ(only_one(), bytes);
}

TEST_F(Collect, RefusesWhatItCannotUse) {
  folder.write("file", "");
  EXPECT_EQ(run("evt collect file"), (Outcome{3, "", "evt collect: file is not a folder\n"}));
  EXPECT_EQ(run("evt collect to --listen tcp:80").err, "evt collect: --listen: expected unix:PATH, found tcp:80\n");
  EXPECT_EQ(run("evt collect to --listen unix:file"),
            (Outcome{3, "", "evt collect: cannot listen at file: Address already in use\n"}));
}

}  // namespace
}  // namespace evt::testing
