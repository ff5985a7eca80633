#include "http_server.h"

#include <microhttpd.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "descriptor.h"
#include "message.h"

namespace evt::tools::http {
namespace {

void discard_input(int socket) {
  char bytes[4096];
  while (recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
  }
}

// Of a connection, for the head of a request and that of its response: the parser's limit answers before this one does.
constexpr std::size_t kConnectionMemory = 32 << 10;
constexpr std::size_t kStreamBlock = 4 << 10;
constexpr unsigned kSpareConnections = 8;  // libmicrohttpd counts a connection for a moment longer than we do
constexpr int kRetryMs = 100;              // after accept() failed for want of descriptors or memory

// One request, from its first line to the end of its response.
struct Exchange {
  std::string target;
  std::optional<RequestParsed> parsed{};  // once all headers were received
  bool was_served = false;
};

// A response that has no end yet, as libmicrohttpd reads it.
struct Stream {
  MHD_Connection* connection;
  std::function<std::string()> next;
  unsigned timeout;
  std::string piece{};
  std::size_t taken = 0;
};

// libmicrohttpd counts the time in which a stream waits for its next piece as silence of the client. Setting the option
// anew starts the count.
class PausedTimeout {
 public:
  PausedTimeout(MHD_Connection* connection, unsigned seconds) : connection_(connection), seconds_(seconds) { set(0); }
  PausedTimeout(const PausedTimeout&) = delete;
  PausedTimeout& operator=(const PausedTimeout&) = delete;
  ~PausedTimeout() { set(seconds_); }

 private:
  void set(unsigned seconds) { MHD_set_connection_option(connection_, MHD_CONNECTION_OPTION_TIMEOUT, seconds); }

  MHD_Connection* connection_;
  unsigned seconds_;
};

struct Headers {
  Pairs pairs{};
  bool is_complete = true;
};

MHD_Result add_header(void* to, MHD_ValueKind, const char* name, std::size_t name_size, const char* value,
                      std::size_t value_size) {
  auto& headers = *static_cast<Headers*>(to);
  try {
    headers.pairs.emplace_back(std::string(name, name_size),
                               value == nullptr ? std::string() : std::string(value, value_size));
  } catch (const std::bad_alloc&) {
    headers.is_complete = false;
  }
  return headers.is_complete ? MHD_YES : MHD_NO;
}

Pairs headers_of_request(MHD_Connection* connection) {
  Headers headers;
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, add_header, &headers);
  if (!headers.is_complete) throw std::bad_alloc();
  return std::move(headers.pairs);
}

ssize_t read_stream(void* from, std::uint64_t, char* to, std::size_t most) {
  auto& stream = *static_cast<Stream*>(from);
  try {
    if (stream.taken == stream.piece.size()) {
      const PausedTimeout paused(stream.connection, stream.timeout);
      stream.piece = stream.next();
      stream.taken = 0;
    }
  } catch (...) {
    return MHD_CONTENT_READER_END_WITH_ERROR;
  }
  if (stream.piece.empty()) return MHD_CONTENT_READER_END_OF_STREAM;
  const std::size_t size = std::min(most, stream.piece.size() - stream.taken);
  std::memcpy(to, stream.piece.data() + stream.taken, size);
  stream.taken += size;
  return static_cast<ssize_t>(size);
}

void free_stream(void* stream) { delete static_cast<Stream*>(stream); }

using ResponsePtr = std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)>;

ResponsePtr body_of(MHD_Connection* connection, Response& response, unsigned timeout) {
  if (!response.next) {
    return {MHD_create_response_from_buffer(response.body.size(), response.body.data(), MHD_RESPMEM_MUST_COPY),
            MHD_destroy_response};
  }
  auto stream = std::make_unique<Stream>(Stream{connection, std::move(response.next), timeout});
  ResponsePtr made{
      MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kStreamBlock, read_stream, stream.get(), free_stream),
      MHD_destroy_response};
  if (made) static_cast<void>(stream.release());  // free_stream() has it now
  return made;
}

// A response that lacks a header would be less protected: then there is none, and the connection ends.
MHD_Result send(MHD_Connection* connection, Response response, unsigned timeout) {
  const ResponsePtr made = body_of(connection, response, timeout);
  if (!made) return MHD_NO;
  for (const auto& [name, value] : headers_of(response)) {
    if (MHD_add_response_header(made.get(), name.c_str(), value.c_str()) == MHD_NO) return MHD_NO;
  }
  return MHD_queue_response(connection, response.status, made.get());
}

int socket_of(MHD_Connection* connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

void* begin_exchange(void*, const char* target, MHD_Connection*) {
  try {
    return new Exchange{target};
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

// The sockets of connections that have a thread each, and their common end. Thread-safe.
class OpenSockets {
 public:
  // Before the thread of the connection starts. From end_all() on it finds nothing to read.
  void begin(int socket) {
    const std::lock_guard lock(mutex_);
    sockets_.insert(socket);
    if (!is_ending_) return;
    shutdown(socket, SHUT_RDWR);
    discard_input(socket);
  }

  // Before the socket is closed.
  void end(int socket) {
    const std::lock_guard lock(mutex_);
    sockets_.erase(socket);
    ended_.notify_all();
  }

  // Shuts all down, so that their threads read no further request, and handlers that look at their connection end.
  // Waits until none is left.
  void end_all() {
    std::unique_lock lock(mutex_);
    is_ending_ = true;
    for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
    ended_.wait(lock, [this] { return sockets_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<int> sockets_;
  bool is_ending_ = false;
};

class HttpServer::Running {
 public:
  // A thread for each connection: a handler may compute for seconds, and a stream waits for what it shows; neither
  // holds up the others. The sockets that listen are ours: libmicrohttpd has one for each daemon, and closes what is
  // over the limit where the kernel's queue lets it wait.
  explicit Running(HttpServer& server)
      : server_(server),
        change_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        daemon_(MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
                                     MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET,
                                 0, nullptr, nullptr, answer, this,                                            //
                                 MHD_OPTION_CONNECTION_LIMIT, server.limits_.connections + kSpareConnections,  //
                                 MHD_OPTION_CONNECTION_TIMEOUT, timeout(),                                     //
                                 MHD_OPTION_CONNECTION_MEMORY_LIMIT, kConnectionMemory,                        //
                                 MHD_OPTION_STRICT_FOR_CLIENT, 1,                                              //
                                 MHD_OPTION_URI_LOG_CALLBACK, begin_exchange, this,                            //
                                 MHD_OPTION_NOTIFY_COMPLETED, end_exchange, this,                              //
                                 MHD_OPTION_NOTIFY_CONNECTION, on_connection, this,                            //
                                 MHD_OPTION_END)) {}

  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  ~Running() {
    if (daemon_ == nullptr) return;
    // libmicrohttpd 0.9.75 reads a response that it does not have if it refuses a request while it is being stopped.
    open_.end_all();
    MHD_stop_daemon(daemon_);
  }

  bool has_started() const { return daemon_ != nullptr; }

  HttpServer::End accept_until(int stop) {
    while (true) {
      const std::int64_t left = server_.idle_->left().count();
      if (left <= 0) return End::kIdle;
      std::vector<pollfd> waiting{{stop, POLLIN, 0}, {change_.number(), POLLIN, 0}};
      if (may_accept()) {
        for (const Descriptor& socket : server_.loopback_.sockets()) waiting.push_back({socket.number(), POLLIN, 0});
      }
      poll(waiting.data(), waiting.size(),
           is_resting_ ? kRetryMs : static_cast<int>(std::min<std::int64_t>(left, INT_MAX)));
      is_resting_ = false;
      if (waiting[0].revents != 0) return End::kStopped;
      eventfd_t changes = 0;
      eventfd_read(change_.number(), &changes);
      for (std::size_t i = 2; i < waiting.size(); ++i) {
        if (waiting[i].revents != 0 && may_accept()) accept_from(waiting[i].fd);
      }
    }
  }

 private:
  Response answer(MHD_Connection* connection, const RequestParsed& parsed) {
    if (!parsed.request) return refusal_response(parsed.refusal);
    return server_.routes_->answer(*parsed.request, Connection(socket_of(connection)));
  }

  static void end_exchange(void* self, MHD_Connection*, void** context, MHD_RequestTerminationCode) {
    const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*context));
    *context = nullptr;
    if (!exchange || !exchange->parsed) return;
    auto& running = *static_cast<Running*>(self);
    running.server_.idle_->end_request(exchange->was_served);
    eventfd_write(running.change_.number(), 1);
  }

  static void on_connection(void* self, MHD_Connection* connection, void**, MHD_ConnectionNotificationCode code) {
    auto& running = *static_cast<Running*>(self);
    const int socket = socket_of(connection);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
      running.open_.begin(socket);
    } else {
      running.open_.end(socket);
      --running.connections_;
      eventfd_write(running.change_.number(), 1);
    }
  }

  static MHD_Result answer(void* self, MHD_Connection* connection, const char*, const char* method, const char*,
                           const char*, std::size_t*, void** context) {
    auto* const exchange = static_cast<Exchange*>(*context);
    if (exchange == nullptr) return MHD_NO;
    try {
      return static_cast<Running*>(self)->take(connection, method, *exchange);
    } catch (const std::bad_alloc&) {
      return MHD_NO;
    }
  }

  Response answer_or_why_not(MHD_Connection* connection, const RequestParsed& parsed) {
    try {
      return answer(connection, parsed);
    } catch (const std::exception& problem) {
      return refusal_response({500, std::string("no answer: ") + problem.what()});
    } catch (...) {
      return refusal_response({500, "no answer"});
    }
  }

  // Called once with the headers, and again when the request is complete. To answer at the first call ends the
  // connection: for requests that are refused whatever follows, so that no body is read.
  MHD_Result take(MHD_Connection* connection, const char* method, Exchange& exchange) {
    if (!exchange.parsed) {
      exchange.parsed = parse_request(method, exchange.target, headers_of_request(connection));
      server_.idle_->begin_request();
      if (exchange.parsed->request && !exchange.parsed->request->has_body) return MHD_YES;
    }
    Response response = answer_or_why_not(connection, *exchange.parsed);
    exchange.was_served = response.status < 400;
    return send(connection, std::move(response), timeout());
  }

  bool may_accept() const { return !is_resting_ && connections_ < server_.limits_.connections; }

  void accept_from(int listening) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    const int socket = accept4(listening, reinterpret_cast<sockaddr*>(&address), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      is_resting_ = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      return;
    }
    ++connections_;
    // What cannot be added is closed.
    if (MHD_add_connection(daemon_, socket, reinterpret_cast<sockaddr*>(&address), size) == MHD_NO) --connections_;
  }

  unsigned timeout() const { return static_cast<unsigned>(server_.limits_.timeout.count()); }

  HttpServer& server_;
  Descriptor change_;  // something happened that accept_until() waits for
  std::atomic<unsigned> connections_ = 0;
  OpenSockets open_;
  bool is_resting_ = false;  // after accept() failed
  MHD_Daemon* daemon_;
};

HttpServer::HttpServer(Loopback loopback, const Routes& routes, IdleTime& idle, Limits limits)
    : loopback_(std::move(loopback)), routes_(&routes), idle_(&idle), limits_(limits) {}

HttpServer::~HttpServer() = default;

Result<HttpServer::End> HttpServer::run(int stop) {
  Running running(*this);
  if (!running.has_started()) return Status(Code::kIo, "cannot start the threads of the HTTP server");
  return running.accept_until(stop);
}

IdleTime::IdleTime(std::chrono::milliseconds most, std::function<Clock::time_point()> now)
    : most_(most), now_(std::move(now)), last_(now_()) {}

void IdleTime::begin_request() {
  const std::lock_guard lock(mutex_);
  ++requests_;
}

void IdleTime::end_request(bool was_served) {
  const std::lock_guard lock(mutex_);
  --requests_;
  if (was_served) last_ = now_();
}

std::chrono::milliseconds IdleTime::left() const {
  const std::lock_guard lock(mutex_);
  if (requests_ > 0) return most_;
  return std::chrono::ceil<std::chrono::milliseconds>(last_ + most_ - now_());
}

}  // namespace evt::tools::http
