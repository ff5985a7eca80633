// The server over real sockets: who gets what, and that nothing that is sent ends it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <future>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/test_server.h"

namespace evt::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;

void add_page_and_data(http::Routes& routes) {
  TestServer::add_page(routes);
  routes.add("/v1/trace", answering("{}"));
  routes.add("/v1/echo", [](const http::Request& request, const http::Connection&) {
    http::Response response;
    response.type = "application/octet-stream";
    response.body = *request.parameter("q");
    return response;
  });
  routes.add("/v1/failure", [](const http::Request&, const http::Connection&) -> http::Response {
    throw std::runtime_error("the disk is gone");
  });
}

class Server : public ::testing::Test {
 protected:
  TestServer server_{add_page_and_data};
};

TEST_F(Server, GivesThePageWithoutATokenAndKeepsOtherSitesFromIt) {
  HttpResponse response = server_.ask(server_.request("GET", "/"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "<!DOCTYPE html>");
  response.headers.erase("date");
  EXPECT_THAT(
      response.headers,
      ElementsAre(Pair("cache-control", "no-store"), Pair("content-length", "15"),
                  Pair("content-security-policy",
                       "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
                  Pair("content-type", "text/html; charset=utf-8"), Pair("cross-origin-opener-policy", "same-origin"),
                  Pair("cross-origin-resource-policy", "same-origin"), Pair("referrer-policy", "no-referrer"),
                  Pair("x-content-type-options", "nosniff")));
}

TEST_F(Server, GivesDataForTheTokenInTheHeaderAlone) {
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace")).body, "{}");
  const std::string token = kToken;
  for (const std::string& text :
       {server_.request("GET", "/v1/trace"),
        server_.request("GET", "/v1/trace", "X-Evt-Token: 0" + token.substr(1) + "1\r\n"),
        server_.request("GET", "/v1/trace?X-Evt-Token=" + token), server_.request("GET", "/v1/trace?k=" + token),
        server_.request("GET", "/v1/trace", "Cookie: X-Evt-Token=" + token + "\r\n"),
        server_.request("GET", "/v1/trace", "Authorization: Bearer " + token + "\r\n")}) {
    const HttpResponse response = server_.ask(text);
    EXPECT_EQ(response.status, 401) << text;
    EXPECT_EQ(response.body, "the header X-Evt-Token is missing or wrong\n");
  }
}

TEST_F(Server, RefusesPagesOfOtherSites) {
  for (const char* site : {"cross-site", "same-site"}) {
    const HttpResponse response =
        server_.ask(server_.own_request("/v1/trace", std::string("Sec-Fetch-Site: ") + site + "\r\n"));
    EXPECT_EQ(response.status, 403) << site;
    EXPECT_EQ(response.body, "a page of another site sent this request\n");
  }
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace", "Sec-Fetch-Site: same-origin\r\n")).status, 200);
}

TEST_F(Server, RefusesOtherMethodsAndNamesThoseItHas) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"}) {
    const HttpResponse response =
        server_.ask(server_.request(method, "/v1/trace", "X-Evt-Token: " + std::string(kToken) + "\r\n"));
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(response.headers.at("allow"), "GET, HEAD");
  }
}

TEST_F(Server, RefusesABodyWithoutReadingIt) {
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace", "Content-Length: 1000000000\r\n")).status, 413);
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace", "Transfer-Encoding: chunked\r\n")).status, 413);
}

TEST_F(Server, RefusesNamesThatSomeoneElsesDnsLedHere) {
  const std::string port = std::to_string(server_.port());
  const auto status_for = [&](const std::string& host) {
    return server_.ask("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status;
  };
  for (const std::string& host :
       {"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port, std::string("localhost:9000")}) {
    EXPECT_EQ(status_for(host), 200) << host;
  }
  for (const std::string& host :
       std::vector<std::string>{"evil.example:" + port, "evil.example", "127.0.0.1:1", "127.0.0.1"}) {
    EXPECT_EQ(status_for(host), 421) << host;
  }
  EXPECT_EQ(server_.ask("GET / HTTP/1.0\r\n\r\n").status, 421);
  EXPECT_EQ(server_.ask("GET / HTTP/1.1\r\n\r\n").status, 400);
}

TEST_F(Server, RefusesLongHeaders) {
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace", "Cookie: " + std::string(9 << 10, 'a') + "\r\n")).status, 431);
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace", "Cookie: " + std::string(60 << 10, 'a') + "\r\n")).status,
            431);
  EXPECT_EQ(server_.ask(server_.own_request("/v1/echo?q=" + std::string(9 << 10, 'a'))).status, 431);
}

TEST_F(Server, RefusesPathsThatLeadElsewhere) {
  for (const char* target : {"/../../etc/passwd", "/v1/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                             "/v1/..%2f..%2fetc/passwd", "//etc/passwd", "http://evil.example/", "/v1/trace%00.html"}) {
    EXPECT_EQ(server_.ask(server_.own_request(target)).status, 400) << target;
  }
  EXPECT_EQ(server_.ask(server_.own_request("/etc/passwd")).status, 404);
}

TEST_F(Server, PassesHostileTextOfAQueryOnAsItIs) {
  const HttpResponse response =
      server_.ask(server_.own_request("/v1/echo?q=%00%0d%0aSet-Cookie:%20a%3Cscript%3E%FF'%22+%2B%E2%80%AE"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, std::string("\0\r\nSet-Cookie: a<script>\xFF'\" +\xE2\x80\xAE", 32));
  EXPECT_EQ(response.headers.count("set-cookie"), 0u);
}

TEST_F(Server, NeverAllowsOtherOriginsToRead) {
  const std::string origin =
      "Origin: http://evil.example\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: "
      "x-evt-token\r\n";
  for (const std::string& text : {server_.request("GET", "/", origin), server_.own_request("/v1/trace", origin),
                                  server_.own_request("/none", origin), server_.request("OPTIONS", "/v1/trace", origin),
                                  server_.own_request("/v1/failure", origin), server_.own_request("/v1/..", origin),
                                  "GET / HTTP/1.1\r\nHost: evil.example\r\n" + origin + "\r\n"}) {
    for (const auto& [name, value] : server_.ask(text).headers) {
      EXPECT_NE(name.rfind("access-control-", 0), 0u) << name << ": " << value;
    }
  }
}

TEST_F(Server, SendsTheHeadAloneToHead) {
  HttpClient client(server_.port());
  client.send_text(server_.request("HEAD", "/") + server_.request("GET", "/"));
  const HttpResponse head = client.receive(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "15");
  // What comes next is the next response.
  EXPECT_EQ(client.receive().body, "<!DOCTYPE html>");
}

TEST_F(Server, KeepsTheConnectionForTheNextRequest) {
  HttpClient client(server_.port());
  for (int i = 0; i < 3; ++i) {
    client.send_text(server_.own_request("/v1/echo?q=" + std::to_string(i)));
    EXPECT_EQ(client.receive().body, std::to_string(i));
  }
}

TEST_F(Server, AnswersThatAHandlerFailedAndGoesOn) {
  const HttpResponse response = server_.ask(server_.own_request("/v1/failure"));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "no answer: the disk is gone\n");
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace")).status, 200);
}

TEST_F(Server, GoesOnAfterGarbage) {
  std::string garbage(2 << 20, '\0');
  std::uint32_t state = 1;
  for (char& c : garbage) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24);
  }
  for (const std::string& text : {garbage, std::string(2 << 20, 'A'), std::string(2 << 20, '\n'),
                                  "GET /" + std::string(2 << 20, 'a'), "GET / HTTP/1.1\r\n" + std::string(2 << 20, 'a'),
                                  std::string("\x16\x03\x01\x02"), std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")}) {
    HttpClient client(server_.port());
    client.send_text(text);
  }
  EXPECT_EQ(server_.ask(server_.own_request("/v1/trace")).status, 200);
}

// A request that is refused while the server ends must not bring the program down.
TEST(ServerThatEnds, MayBeReadingGarbage) {
  const std::string line = "GET /" + std::string(64 << 10, 'a');
  for (int i = 0; i < 300; ++i) {
    const TestServer server;
    std::deque<HttpClient> clients;
    for (int k = 0; k < 8; ++k) clients.emplace_back(server.port()).send_text(line);
    std::this_thread::sleep_for(std::chrono::microseconds(i));
  }
}

TEST_F(Server, AnswersOthersWhileOneIsSlow) {
  HttpClient slow(server_.port());
  const std::string text = server_.own_request("/v1/echo?q=slow");
  slow.send_text(text.substr(0, 20));
  EXPECT_EQ(server_.ask(server_.own_request("/v1/echo?q=fast")).body, "fast");
  slow.send_text(text.substr(20));
  EXPECT_EQ(slow.receive().body, "slow");
}

// Addresses of /proc/net/tcp or tcp6 that listen on this port, as the kernel prints them.
std::set<std::string> listening_on(std::uint16_t port) {
  std::set<std::string> addresses;
  char suffix[8];
  std::snprintf(suffix, sizeof suffix, ":%04X", port);
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream table(path);
    std::string number;
    std::string local;
    std::string remote;
    std::string state;
    for (std::string rest; table >> number >> local >> remote >> state && std::getline(table, rest);) {
      if (state == "0A" && local.size() > 5 && local.substr(local.size() - 5) == suffix) {
        addresses.insert(local.substr(0, local.size() - 5));
      }
    }
  }
  return addresses;
}

TEST_F(Server, ListensOnTheLoopbackAlone) {
  std::set<std::string> addresses = listening_on(server_.port());
  EXPECT_EQ(addresses.erase("0100007F"), 1u);
  addresses.erase("00000000000000000000000001000000");  // if this machine has IPv6
  EXPECT_THAT(addresses, ::testing::IsEmpty());
}

TEST(Loopback, IsNotSharedWithAnotherProgram) {
  const TestServer first;
  const Result<http::Loopback> second = http::Loopback::open(first.port());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().message(),
            "cannot listen on port " + std::to_string(first.port()) + " of the loopback: Address already in use");
}

TEST(Routes, AnswerBelowTheirPathsAndTheLongestFirst) {
  const TestServer server([](http::Routes& routes) {
    routes.add("/v1/a", answering("a"));
    routes.add("/v1/a/b", answering("b"));
  });
  const auto answer_at = [&server](const char* path) { return server.ask(server.own_request(path)).body; };
  EXPECT_EQ(answer_at("/v1/a"), "a");
  EXPECT_EQ(answer_at("/v1/a/c/d"), "a");
  EXPECT_EQ(answer_at("/v1/a/b"), "b");
  EXPECT_EQ(answer_at("/v1/a/b/c"), "b");
  EXPECT_EQ(answer_at("/v1/ab"), "there is nothing at this path\n");
  EXPECT_EQ(answer_at("/v1"), "there is nothing at this path\n");
}

TEST(Handler, ThatWaitsHoldsUpNoOther) {
  std::promise<void> other_was_answered;
  const TestServer server([&](http::Routes& routes) {
    routes.add("/v1/waits", [&](const http::Request&, const http::Connection&) {
      other_was_answered.get_future().wait();
      return http::Response{};
    });
    routes.add("/v1/other", answering("other"));
  });
  HttpClient waiting(server.port());
  waiting.send_text(server.own_request("/v1/waits"));
  EXPECT_EQ(server.ask(server.own_request("/v1/other")).body, "other");
  other_was_answered.set_value();
  EXPECT_EQ(waiting.receive().status, 200);
}

TEST(Handler, MayTakeLongerThanAClientMayBeSilent) {
  const TestServer server(
      [](http::Routes& routes) {
        routes.add("/v1/slow", [](const http::Request&, const http::Connection&) {
          std::this_thread::sleep_for(2500ms);
          http::Response response;
          response.body = "slow";
          return response;
        });
      },
      {32, 1s});
  EXPECT_EQ(server.ask(server.own_request("/v1/slow")).body, "slow");
}

TEST(Client, ThatIsSilentIsLeft) {
  const TestServer server([](http::Routes& routes) { TestServer::add_page(routes); }, {32, 1s});
  HttpClient client(server.port());
  client.send_text("GET / HT");
  EXPECT_TRUE(client.is_closed_by_server());
}

// Ends when its connection does; then `ended` is set.
http::Handler computing_until_the_end(std::promise<void>& begun, std::promise<void>& ended) {
  return [&](const http::Request&, const http::Connection& connection) {
    begun.set_value();
    while (connection.is_open()) std::this_thread::sleep_for(1ms);
    ended.set_value();
    return http::Response{};
  };
}

TEST(Handler, SeesThatItsClientIsGone) {
  std::promise<void> begun;
  std::promise<void> ended;
  const TestServer server(
      [&](http::Routes& routes) { routes.add("/v1/stats", computing_until_the_end(begun, ended)); });
  HttpClient client(server.port());
  client.send_text(server.own_request("/v1/stats"));
  begun.get_future().wait();
  client.end();
  EXPECT_EQ(ended.get_future().wait_for(30s), std::future_status::ready);
}

TEST(Handler, SeesThatTheServerEnds) {
  std::promise<void> begun;
  std::promise<void> ended;
  TestServer server([&](http::Routes& routes) { routes.add("/v1/stats", computing_until_the_end(begun, ended)); });
  HttpClient client(server.port());
  client.send_text(server.own_request("/v1/stats"));
  begun.get_future().wait();
  server.stop();
  EXPECT_EQ(server.end(), http::HttpServer::End::kStopped);
  EXPECT_EQ(ended.get_future().wait_for(0s), std::future_status::ready);
}

TEST(EventStream, HasEachPieceAsSoonAsItIsThere) {
  std::promise<void> first_was_received;
  const TestServer server([&](http::Routes& routes) {
    routes.add("/v1/progress", [&](const http::Request&, const http::Connection&) {
      http::Response response;
      response.type = "text/event-stream";
      response.next = [&, count = 0]() mutable -> std::string {
        if (++count == 2) first_was_received.get_future().wait();
        return count > 2 ? "" : "data: " + std::to_string(count) + "\n\n";
      };
      return response;
    });
  });
  HttpClient client(server.port());
  client.send_text(server.own_request("/v1/progress"));
  const std::string first = client.receive_until("data: 1\n\n\r\n");
  EXPECT_THAT(first, ::testing::HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_THAT(first, ::testing::HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_THAT(first, ::testing::EndsWith("data: 1\n\n\r\n"));
  first_was_received.set_value();
  EXPECT_EQ(client.receive_until("0\r\n\r\n"), "9\r\ndata: 2\n\n\r\n0\r\n\r\n");
}

TEST(EventStream, MayTakeLongerThanAClientMayBeSilent) {
  const TestServer server(
      [](http::Routes& routes) {
        routes.add("/v1/progress", [](const http::Request&, const http::Connection&) {
          http::Response response;
          response.next = [count = 0]() mutable -> std::string {
            if (++count > 2) return "";
            std::this_thread::sleep_for(2500ms);
            return "data: " + std::to_string(count) + "\n\n";
          };
          return response;
        });
      },
      {32, 1s});
  HttpClient client(server.port());
  client.send_text(server.own_request("/v1/progress"));
  EXPECT_THAT(client.receive_until("0\r\n\r\n"), ::testing::EndsWith("data: 2\n\n\r\n0\r\n\r\n"));
}

TEST(EventStream, EndsWithItsClient) {
  std::promise<void> ended;
  const TestServer server([&](http::Routes& routes) {
    routes.add("/v1/progress", [&](const http::Request&, const http::Connection& connection) {
      http::Response response;
      response.next = [&, connection, is_first = true]() mutable -> std::string {
        if (std::exchange(is_first, false)) return "data: 1\n\n";
        while (connection.is_open()) std::this_thread::sleep_for(1ms);
        ended.set_value();
        return "";
      };
      return response;
    });
  });
  HttpClient client(server.port());
  client.send_text(server.own_request("/v1/progress"));
  client.receive_until("data: 1\n\n");
  client.end();
  EXPECT_EQ(ended.get_future().wait_for(30s), std::future_status::ready);
}

TEST(EventStream, ThatFailsEndsWithoutTheMarkOfItsEnd) {
  const TestServer server([&](http::Routes& routes) {
    routes.add("/v1/progress", [](const http::Request&, const http::Connection&) {
      http::Response response;
      response.next = [is_first = true]() mutable -> std::string {
        if (std::exchange(is_first, false)) return "data: 1\n\n";
        throw std::runtime_error("the disk is gone");
      };
      return response;
    });
  });
  HttpClient client(server.port());
  client.send_text(server.own_request("/v1/progress"));
  EXPECT_THAT(client.receive_until("0\r\n\r\n"), ::testing::EndsWith("\r\n9\r\ndata: 1\n\n\r\n"));
}

// The 33rd waits in the kernel's queue until one of the others is gone.
TEST(Connections, Are32AtOnce) {
  std::atomic<bool> one_is_gone = false;
  const TestServer server([&](http::Routes& routes) {
    routes.add("/v1/one", [&](const http::Request&, const http::Connection&) {
      http::Response response;
      response.body = one_is_gone ? "one is gone" : "all are here";
      return response;
    });
  });
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 32; ++i) {
    clients.push_back(std::make_unique<HttpClient>(server.port()));
    clients.back()->send_text(server.own_request("/v1/one"));
    EXPECT_EQ(clients.back()->receive().body, "all are here");
  }
  HttpClient last(server.port());
  last.send_text(server.own_request("/v1/one"));
  std::this_thread::sleep_for(200ms);  // in which a server without the limit would answer it
  one_is_gone = true;
  clients[7]->end();
  EXPECT_EQ(last.receive().body, "one is gone");
}

TEST(Connections, ThatEndAndComeAgainAreAllServed) {
  const TestServer server;
  for (int i = 0; i < 500; ++i) ASSERT_EQ(server.ask(server.request("GET", "/")).status, 200) << i;
}

TEST(IdleServer, Ends) {
  TestServer server([](http::Routes& routes) { TestServer::add_page(routes); }, {}, 200ms);
  EXPECT_EQ(server.end(), http::HttpServer::End::kIdle);
}

// By a clock that the test moves on. A request that is refused is what makes the server look at it.
TEST(IdleServer, DoesNotEndWhileItAnswers) {
  std::atomic<int> hours = 0;
  TestServer* self = nullptr;
  TestServer server(
      [&](http::Routes& routes) {
        routes.add("/v1/slow", [&](const http::Request&, const http::Connection&) {
          hours = 2;
          EXPECT_EQ(self->ask(self->request("GET", "/v1/slow")).status, 401);
          EXPECT_EQ(self->ask(self->request("GET", "/v1/slow")).status, 401);
          return http::Response{};
        });
      },
      {}, 1h, [&] { return http::IdleTime::Clock::time_point(std::chrono::hours(hours)); });
  self = &server;
  EXPECT_EQ(server.ask(server.own_request("/v1/slow")).status, 200);
  // The server may take note of the end of its answer later than the client has it.
  while (!server.ends_within(10ms)) {
    hours = hours + 2;
    HttpClient(server.port()).send_text(server.request("GET", "/v1/slow"));
  }
  EXPECT_EQ(server.end(), http::HttpServer::End::kIdle);
}

}  // namespace
}  // namespace evt::testing
