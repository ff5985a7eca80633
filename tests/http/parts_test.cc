// The parts of the server that need no socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "tools/http/access.h"
#include "tools/http/browser.h"
#include "tools/http/http_server.h"
#include "tools/http/message.h"

namespace evt::tools::http {
namespace {

using std::chrono::milliseconds;
using ::testing::MatchesRegex;

TEST(Token, Has128BitsThatAreOthersEachTime) {
  std::set<std::string> tokens;
  for (int i = 0; i < 1000; ++i) tokens.insert(*make_token());
  EXPECT_EQ(tokens.size(), 1000u);
  EXPECT_THAT(*tokens.begin(), MatchesRegex("[0-9a-f]{32}"));
}

TEST(Token, IsTheSameOnlyIfEveryCharacterIs) {
  EXPECT_TRUE(is_same_secret("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "bbc", "ABC"}) EXPECT_FALSE(is_same_secret("abc", other)) << other;
}

class Idle : public ::testing::Test {
 protected:
  IdleTime::Clock::time_point now_{};
  IdleTime idle_{milliseconds(1000), [this] { return now_; }};
};

TEST_F(Idle, TimeGoesFromTheStart) {
  now_ += milliseconds(400);
  EXPECT_EQ(idle_.left(), milliseconds(600));
  now_ += milliseconds(600);
  EXPECT_EQ(idle_.left(), milliseconds(0));
}

TEST_F(Idle, TimeBeginsWithTheEndOfARequest) {
  now_ += milliseconds(900);
  idle_.begin_request();
  now_ += milliseconds(5000);
  EXPECT_EQ(idle_.left(), milliseconds(1000));
  idle_.end_request(true);
  now_ += milliseconds(1);
  EXPECT_EQ(idle_.left(), milliseconds(999));
}

TEST_F(Idle, TimeGoesOnAfterARequestThatWasRefused) {
  idle_.begin_request();
  now_ += milliseconds(700);
  idle_.end_request(false);
  EXPECT_EQ(idle_.left(), milliseconds(300));
}

TEST_F(Idle, TimeWaitsForTheLastOfSeveralRequests) {
  idle_.begin_request();
  idle_.begin_request();
  now_ += milliseconds(2000);
  idle_.end_request(true);
  EXPECT_EQ(idle_.left(), milliseconds(1000));
  now_ += milliseconds(2000);
  EXPECT_EQ(idle_.left(), milliseconds(1000));
  idle_.end_request(true);
  EXPECT_EQ(idle_.left(), milliseconds(1000));
}

TEST(Response, OfAPageRunsAndShowsWhatHasTheseSumsAlone) {
  EXPECT_EQ(page_policy({"b25l", "dHdv"}, "c3R5bGU="),
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            "script-src 'sha256-b25l' 'sha256-dHdv'; style-src 'sha256-c3R5bGU='; connect-src 'self'; img-src data:");
}

Surroundings login(const std::string& connection) {
  Surroundings surroundings;
  surroundings.ssh_connection = connection;
  surroundings.user = "ada";
  return surroundings;
}

TEST(SshLine, LeadsFromTheClientToThePort) {
  EXPECT_EQ(ssh_line(login("192.0.2.1 50000 192.0.2.7 22"), 4711), "ssh -L 4711:127.0.0.1:4711 ada@192.0.2.7");
  EXPECT_EQ(ssh_line(login("2001:db8::1 50000 2001:db8::7 2222"), 4711),
            "ssh -p 2222 -L 4711:127.0.0.1:4711 ada@2001:db8::7");
}

TEST(SshLine, IsThereForALoginBySshAlone) {
  EXPECT_EQ(ssh_line(login(""), 4711), std::nullopt);
  EXPECT_EQ(ssh_line(login("UNKNOWN"), 4711), std::nullopt);
}

}  // namespace
}  // namespace evt::tools::http
