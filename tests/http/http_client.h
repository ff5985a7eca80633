// HTTP by hand: what is sent is exactly what the test has written.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

namespace evt::testing {

struct HttpResponse {
  int status = 0;  // 0: the connection ended without one
  std::map<std::string, std::string> headers{};
  std::string body{};
};

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    // A server that does not answer fails the test instead of holding it up.
    const timeval patience{30, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
  }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient() { end(); }

  void end() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }

  // False once the server has closed the connection.
  bool send_text(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t sent = send(socket_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      at += static_cast<std::size_t>(sent);
    }
    return true;
  }

  // The next response. After `HEAD` there is no body.
  HttpResponse receive(bool has_body = true) {
    HttpResponse response;
    while (received_.find("\r\n\r\n") == std::string::npos) {
      if (!receive_more()) return response;
    }
    const std::string head = take(received_.find("\r\n\r\n") + 4);
    response.status = std::atoi(head.c_str() + head.find(' '));
    read_headers(head, &response);
    const std::size_t size = std::strtoul(response.headers["content-length"].c_str(), nullptr, 10);
    while (has_body && received_.size() < size && receive_more()) {
    }
    if (has_body) response.body = take(size);
    return response;
  }

  // What was received, until it ends with this, or the server sends no more.
  std::string receive_until(const std::string& end) {
    while (received_.find(end) == std::string::npos && receive_more()) {
    }
    return take(std::min(received_.find(end), received_.size() - end.size()) + end.size());
  }

  // True when the server closes the connection without a byte.
  bool is_closed_by_server() { return received_.empty() && !receive_more(); }

 private:
  bool receive_more() {
    char bytes[4096];
    const ssize_t size = recv(socket_, bytes, sizeof bytes, 0);
    if (size > 0) received_.append(bytes, static_cast<std::size_t>(size));
    return size > 0;
  }

  std::string take(std::size_t size) {
    std::string taken = received_.substr(0, size);
    received_.erase(0, size);
    return taken;
  }

  static void read_headers(const std::string& head, HttpResponse* response) {
    for (std::size_t at = head.find("\r\n") + 2; head.compare(at, 2, "\r\n") != 0; at = head.find("\r\n", at) + 2) {
      std::string name = head.substr(at, head.find(':', at) - at);
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      const std::size_t value = head.find(':', at) + 2;
      response->headers[name] = head.substr(value, head.find("\r\n", at) - value);
    }
  }

  int socket_;
  std::string received_;
};

}  // namespace evt::testing
