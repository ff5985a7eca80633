// serve() as a user meets it: a process of its own, its two outputs, its environment, its signals.
#include "tools/http/serve.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "http/test_server.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

using ::testing::MatchesRegex;

// Serves a page and /v1/trace. Ends by status 0, or by 3 with the reason on standard error.
class Process {
 public:
  using Environment = std::map<std::string, std::string>;

  Process(const http::ServeOptions& options, const Environment& environment)
      : out_(folder_.write("out", "")), err_(folder_.write("err", "")) {
    std::fflush(nullptr);  // what the test has printed is not the child's to print
    id_ = fork();
    if (id_ == 0) serve(options, environment);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (id_ > 0) end(SIGKILL);
  }

  // Standard output or standard error once it has a line.
  std::string out() const { return first_line(out_); }
  std::string err() const { return first_line(err_); }
  std::string all_of_out() const { return read_file(out_); }
  std::string all_of_err() const { return read_file(err_); }

  // Its exit status, or 128 and the signal that ended it.
  int end(int signal = 0) {
    if (signal != 0) kill(id_, signal);
    int status = 0;
    waitpid(std::exchange(id_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  [[noreturn]] void serve(const http::ServeOptions& options, const Environment& environment) {
    for (const char* name : {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"}) unsetenv(name);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    dup2(open(out_.c_str(), O_WRONLY), STDOUT_FILENO);
    dup2(open(err_.c_str(), O_WRONLY), STDERR_FILENO);
    const Status status = http::serve(options, [](http::Routes& routes) {
      TestServer::add_page(routes);
      routes.add("/v1/trace", answering("{}"));
    });
    if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
    std::fflush(stdout);
    _exit(status.ok() ? 0 : 3);
  }

  static std::string first_line(const std::string& path) {
    for (int i = 0; i < 3000; ++i) {
      const std::string text = read_file(path);
      if (text.find('\n') != std::string::npos) return text.substr(0, text.find('\n'));
      usleep(10'000);
    }
    return "no line in 30 seconds";
  }

  Folder folder_;
  std::string out_;
  std::string err_;
  pid_t id_ = -1;
};

http::ServeOptions without_browser() {
  http::ServeOptions options;
  options.opens_browser = false;
  return options;
}

// Of http://127.0.0.1:PORT/#k=TOKEN.
std::uint16_t port_of(const std::string& url) {
  return static_cast<std::uint16_t>(std::atoi(url.c_str() + url.rfind(':') + 1));
}
std::string token_of(const std::string& url) { return url.substr(url.find('=') + 1); }

HttpResponse trace_at(const std::string& url, const std::string& token) {
  HttpClient client(port_of(url));
  client.send_text("GET /v1/trace HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_of(url)) +
                   "\r\nX-Evt-Token: " + token + "\r\n\r\n");
  return client.receive();
}

TEST(Serve, WithoutABrowserPrintsTheAddressAndTheTokenInItOpensTheData) {
  Process process(without_browser(), {});
  const std::string url = process.out();
  EXPECT_THAT(url, MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+/#k=[0-9a-f]{32}"));
  EXPECT_EQ(trace_at(url, token_of(url)).body, "{}");
  EXPECT_EQ(trace_at(url, kToken).status, 401);
  EXPECT_EQ(process.end(SIGTERM), 0);
  EXPECT_EQ(process.all_of_out(), url + "\n");
  EXPECT_EQ(process.all_of_err(), "");
}

TEST(Serve, EndsByEitherSignalWhileClientsAreConnected) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(without_browser(), {});
    const std::string url = process.out();
    HttpClient silent(port_of(url));
    HttpClient half(port_of(url));
    half.send_text("GET / HT");
    EXPECT_EQ(process.end(signal), 0);
  }
}

TEST(Serve, EndsWhenItIsIdleAndNamesTheReason) {
  http::ServeOptions options = without_browser();
  options.idle = std::chrono::milliseconds(200);
  Process process(options, {});
  EXPECT_EQ(process.end(), 0);
  EXPECT_EQ(process.all_of_err(), "ended after 200 ms without a request\n");
}

TEST(Serve, OnAPortThatIsTakenIsAnError) {
  const TestServer other;
  http::ServeOptions options = without_browser();
  options.port = other.port();
  Process process(options, {});
  EXPECT_EQ(process.end(), 3);
  EXPECT_EQ(process.all_of_out(), "");
  EXPECT_EQ(process.all_of_err(),
            "cannot listen on port " + std::to_string(other.port()) + " of the loopback: Address already in use\n");
}

TEST(Serve, WithoutADisplayPrintsTheAddressAndOverSshTheCommand) {
  Process process({}, {{"SSH_CONNECTION", "192.0.2.1 50000 192.0.2.7 22"}});
  const std::string line = process.err();
  const std::string url = process.out();
  EXPECT_THAT(url, MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+/#k=[0-9a-f]{32}"));
  const std::string port = std::to_string(port_of(url));
  EXPECT_THAT(line, MatchesRegex("to open it on the machine that you logged in from, run there: "
                                 "ssh -L " +
                                 port + ":127\\.0\\.0\\.1:" + port + " .+@192\\.0\\.2\\.7"));
  EXPECT_EQ(process.end(SIGTERM), 0);
}

// A browser that prints its arguments, and the file that it opens with its mode.
class ServeWithABrowser : public ::testing::Test {
 protected:
  ServeWithABrowser() {
    std::filesystem::permissions(browser_, std::filesystem::perms::owner_all);
    std::filesystem::create_directory(runtime_);
  }

  // What the browser has printed, once it has ended.
  std::string printed() const {
    for (int i = 0; i < 3000 && !std::filesystem::exists(folder_ / "done"); ++i) usleep(10'000);
    return read_file(folder_ / "printed");
  }

  Folder folder_;
  std::string runtime_ = folder_ / "runtime";
  std::string browser_ =
      folder_.write("browser", "#!/bin/sh\nexec >'" + (folder_ / "printed") +
                                   "'\nprintf '%s\\n' \"$@\"\nfor last; do :; done\nstat -c %a \"$last\"\n"
                                   "cat \"$last\"\n: >'" +
                                   (folder_ / "done") + "'\n");
};

TEST_F(ServeWithABrowser, ShowsTheAddressInAFileOfTheUserAlone) {
  Process process({}, {{"BROWSER", "no-such-browser:" + browser_ + " --new-window"}, {"XDG_RUNTIME_DIR", runtime_}});
  const std::string line = process.err();
  EXPECT_THAT(line, MatchesRegex("opened in the browser: http://127\\.0\\.0\\.1:[0-9]+/#k=[0-9a-f]{32}"));
  const std::string url = line.substr(line.find("http"));
  const std::string text = printed();
  EXPECT_THAT(text, MatchesRegex("--new-window\n" + runtime_ +
                                 "/evt-view-[^/]{6}/open\\.html\n600\n"
                                 "<!DOCTYPE html>\n(.|\n)*"));
  EXPECT_THAT(text, ::testing::HasSubstr("<meta http-equiv=\"refresh\" content=\"0; url=" + url + "\">\n"));
  EXPECT_EQ(process.all_of_out(), "");
  EXPECT_EQ(process.end(SIGTERM), 0);
  EXPECT_TRUE(std::filesystem::is_empty(runtime_)) << "the file is left";
}

TEST_F(ServeWithABrowser, PutsTheFileWhereTheCommandHasAMark) {
  Process process({}, {{"BROWSER", browser_ + " %s --private"}, {"XDG_RUNTIME_DIR", runtime_}});
  process.err();
  EXPECT_THAT(printed(), MatchesRegex(runtime_ + "/evt-view-[^/]{6}/open\\.html\n--private\n(.|\n)*"));
  EXPECT_EQ(process.end(SIGTERM), 0);
}

TEST_F(ServeWithABrowser, PrintsTheAddressIfNoneCanBeStarted) {
  Process process({}, {{"BROWSER", "no-such-browser"}, {"XDG_RUNTIME_DIR", runtime_}});
  EXPECT_THAT(process.out(), MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+/#k=[0-9a-f]{32}"));
  EXPECT_EQ(process.end(SIGTERM), 0);
  EXPECT_TRUE(std::filesystem::is_empty(runtime_));
}

}  // namespace
}  // namespace evt::testing
