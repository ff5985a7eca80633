// A server in the test's process, with handlers of the test.
#pragma once

#include <sys/eventfd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "http/http_client.h"
#include "tools/http/http_server.h"
#include "tools/http/routes.h"

namespace evt::testing {

namespace http = tools::http;

constexpr const char* kToken = "00112233445566778899aabbccddeeff";

class TestServer {
 public:
  explicit TestServer(const std::function<void(http::Routes&)>& add_routes, http::HttpServer::Limits limits = {},
                      std::chrono::milliseconds idle = std::chrono::hours(1),
                      std::function<http::IdleTime::Clock::time_point()> now = http::IdleTime::Clock::now)
      : TestServer(listening(), add_routes, limits, idle, std::move(now)) {}
  // A page and nothing else.
  TestServer() : TestServer([](http::Routes& routes) { add_page(routes); }) {}
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() {
    stop();
    if (end_.valid()) end_.wait();
    close(stop_);
  }

  static void add_page(http::Routes& routes) {
    routes.add("/", [](const http::Request&, const http::Connection&) {
      http::Response response;
      response.type = "text/html; charset=utf-8";
      response.body = "<!DOCTYPE html>";
      return response;
    });
  }

  void stop() { eventfd_write(stop_, 1); }
  http::HttpServer::End end() { return end_.get(); }
  bool ends_within(std::chrono::milliseconds time) const { return end_.wait_for(time) == std::future_status::ready; }

  std::uint16_t port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }

  // The text of a request with the right host, and with these lines of headers.
  std::string request(const std::string& method, const std::string& target, const std::string& lines = "") const {
    return method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + lines + "\r\n";
  }
  // The same with the token.
  std::string own_request(const std::string& target, const std::string& lines = "") const {
    return request("GET", target, "X-Evt-Token: " + std::string(kToken) + "\r\n" + lines);
  }

  HttpResponse ask(const std::string& text) const {
    HttpClient client(port_);
    client.send_text(text);
    return client.receive(text.rfind("HEAD", 0) != 0);
  }

 private:
  static http::Loopback listening() {
    Result<http::Loopback> loopback = http::Loopback::open(0);
    if (!loopback) throw std::runtime_error(loopback.status().message());
    return std::move(*loopback);
  }

  TestServer(http::Loopback loopback, const std::function<void(http::Routes&)>& add_routes,
             http::HttpServer::Limits limits, std::chrono::milliseconds idle,
             std::function<http::IdleTime::Clock::time_point()> now)
      : port_(loopback.port()),
        routes_(http::Access(port_, {"localhost:9000"}, kToken)),
        idle_(idle, std::move(now)),
        server_(std::move(loopback), routes_, idle_, limits),
        stop_(eventfd(0, EFD_CLOEXEC)) {
    add_routes(routes_);
    end_ = std::async(std::launch::async, [this] { return *server_.run(stop_); });
  }

  std::uint16_t port_;
  http::Routes routes_;
  http::IdleTime idle_;
  http::HttpServer server_;
  int stop_;
  std::future<http::HttpServer::End> end_;
};

// Answers with this text.
inline http::Handler answering(const std::string& text) {
  return [text](const http::Request&, const http::Connection&) {
    http::Response response;
    response.body = text;
    return response;
  };
}

}  // namespace evt::testing
