// evt view --follow of a program that runs, which is this process: its answers to the page.
#include <optional>
#include <string>
#include <thread>

#include "http/http_client.h"
#include "support/command.h"
#include "support/timed_process.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class LiveView : public RingTest {
 protected:
  LiveView() : writer_(open_as_process()), types_(writer_->declare<Tick>()), stream_(writer_->stream("a")) {}

  ~LiveView() override {
    if (process_) process_->end(std::chrono::seconds(0));
  }

  // Serves this name of the trace.
  void view(const std::string& name) {
    TimedProcess::Start start;
    start.program = EVT_BIN_FOLDER "/evt";
    start.words = {"evt", "view", "--follow", "--no-open", name};
    start.folder = folder.path();
    start.in = "/dev/null";
    start.out = folder / "address";
    start.err = folder / "err.txt";
    for (char** each = environ; *each != nullptr; ++each) start.environment.emplace_back(*each);
    process_.emplace(start);
    while (!address().ends_with("\n")) {
      if (read_file(folder / "err.txt").ends_with("\n")) throw std::runtime_error(read_file(folder / "err.txt"));
      std::this_thread::yield();
    }
    const std::string printed = address();  // http://127.0.0.1:PORT/#k=TOKEN
    const std::size_t token = printed.find("/#k=");
    port_ = static_cast<std::uint16_t>(std::stoi(printed.substr(printed.rfind(':', token) + 1)));
    token_ = printed.substr(token + 4, printed.size() - token - 5);
  }

  std::string answer(const std::string& question) const {
    HttpClient client(port_);
    client.send_text("GET /v1/" + question + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                     "\r\nX-Evt-Token: " + token_ + "\r\n\r\n");
    return client.receive().body;
  }
  bool has(const std::string& question, const std::string& member) const {
    return answer(question).find(member) != std::string::npos;
  }
  // Looks until the trace has so many events, or its program has ended.
  void look_until(const std::string& member) const {
    while (!has("trace", member)) answer("look");
  }

  Writer open_as_process() {
    evt_options with = options();
    evt_session_info session = *with.session;
    session.pid = static_cast<std::uint64_t>(getpid());
    with.session = &session;
    return *Writer::open(path, with);
  }

  std::optional<Writer> writer_;
  decltype(std::declval<Writer>().declare<Tick>()) types_;
  Stream stream_;

 private:
  std::string address() const {
    return std::filesystem::exists(folder / "address") ? read_file(folder / "address") : "";
  }

  std::optional<TimedProcess> process_;
  std::uint16_t port_ = 0;
  std::string token_;
};

TEST_F(LiveView, HasWhatIsInTheRingAloneAndTheEnd) {
  emit_ticks(stream_, types_, 0, 50);
  view("a.evt");
  look_until("\"events\":\"50\"");
  EXPECT_TRUE(has("trace", "\"warnings\":[]"));
  EXPECT_TRUE(has("trace", "\"live\":\"running\",\"late\":\"0\""));
  emit_ticks(stream_, types_, 50, 60);  // in the ring alone
  look_until("\"events\":\"60\"");
  stream_.flush();  // now in the file
  emit_ticks(stream_, types_, 60, 20'000);
  look_until("\"events\":\"20000\"");
  writer_.reset();
  look_until("\"live\":\"ended\"");
  EXPECT_TRUE(has("trace", "\"warnings\":[]"));
}

TEST_F(LiveView, TakesAProcess) {
  emit_ticks(stream_, types_, 0, 5);
  view("pid:" + std::to_string(getpid()));
  look_until("\"events\":\"5\"");
  emit_ticks(stream_, types_, 5, 9);
  look_until("\"events\":\"9\"");
}

}  // namespace
}  // namespace evt::testing
