// Who gets an answer, rule by rule; over sockets in server_test.cc.
#include "tools/http/access.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace evt::tools::http {
namespace {

constexpr const char* kSecret = "00112233445566778899aabbccddeeff";

Request own_request() {
  Request request;
  request.method = "GET";
  request.path = "/v1/trace";
  request.host = "127.0.0.1:4711";
  request.token = kSecret;
  return request;
}

// 0: it gets an answer.
unsigned status_of(const Request& request, std::uint16_t port = 4711) {
  const std::optional<Refusal> refusal = Access(port, {"localhost:9000"}, kSecret).refuse(request);
  return refusal ? refusal->status : 0;
}

TEST(Access, IsForNamesOfTheLoopbackWithItsPort) {
  Request request = own_request();
  for (const char* host : {"127.0.0.1:4711", "localhost:4711", "[::1]:4711", "localhost:9000"}) {
    request.host = host;
    EXPECT_EQ(status_of(request), 0u) << host;
  }
  for (const char* host : {"", "127.0.0.1", "localhost", "127.0.0.1:4712", "localhost:47110", "evil.example:4711",
                           "127.0.0.1.evil.example:4711", "localhost:4711.evil.example", "::1:4711", "0.0.0.0:4711",
                           "127.0.0.1:4711 ", "LOCALHOST:4711"}) {
    request.host = host;
    EXPECT_EQ(status_of(request), 421u) << host;
  }
  request.host.reset();
  EXPECT_EQ(status_of(request), 421u);
}

TEST(Access, OnPort80IsForNamesWithoutAPortToo) {
  Request request = own_request();
  request.host = "localhost";
  EXPECT_EQ(status_of(request, 80), 0u);
  request.host = "forwarded.example";
  EXPECT_EQ(Access(4711, {"forwarded.example:80"}, kSecret).refuse(request), std::nullopt);
  EXPECT_NE(Access(4711, {"forwarded.example:8080"}, kSecret).refuse(request), std::nullopt);
}

TEST(Access, IsForPagesOfTheSameOriginAndForUsersThemselves) {
  Request request = own_request();
  for (const char* site : {"same-origin", "none"}) {
    request.fetch_site = site;
    EXPECT_EQ(status_of(request), 0u) << site;
  }
  for (const char* site : {"cross-site", "same-site", "", "None", "anything"}) {
    request.fetch_site = site;
    EXPECT_EQ(status_of(request), 403u) << site;
  }
}

// As a browser does when the file of mode 0600 redirects it.
TEST(Access, ToThePageAloneIsByALinkOfAnotherSiteToo) {
  Request request = own_request();
  request.fetch_site = "cross-site";
  request.fetch_mode = "navigate";
  request.fetch_dest = "document";
  EXPECT_EQ(status_of(request), 403u);
  request.path = "/";
  EXPECT_EQ(status_of(request), 0u);
  request.fetch_dest = "iframe";
  EXPECT_EQ(status_of(request), 403u);
  request.fetch_dest = "document";
  request.fetch_mode = "no-cors";
  EXPECT_EQ(status_of(request), 403u);
}

TEST(Access, IsByGetAndHeadAlone) {
  Request request = own_request();
  request.method = "HEAD";
  EXPECT_EQ(status_of(request), 0u);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", ""}) {
    request.method = method;
    EXPECT_EQ(status_of(request), 405u) << method;
  }
}

TEST(Access, IsWithoutABody) {
  Request request = own_request();
  request.has_body = true;
  EXPECT_EQ(status_of(request), 413u);
}

TEST(Access, ToAllButThePageIsByTheToken) {
  Request request = own_request();
  for (const char* token : {"", "0", "00112233445566778899aabbccddeefe", "10112233445566778899aabbccddeeff",
                            "00112233445566778899AABBCCDDEEFF", "00112233445566778899aabbccddeeff0"}) {
    request.token = token;
    EXPECT_EQ(status_of(request), 401u) << token;
  }
  request.token.reset();
  for (const char* path : {"/v1/trace", "/v1", "/favicon.ico", "/index.html"}) {
    request.path = path;
    EXPECT_EQ(status_of(request), 401u) << path;
  }
  request.path = "/";
  EXPECT_EQ(status_of(request), 0u);
}

}  // namespace
}  // namespace evt::tools::http
