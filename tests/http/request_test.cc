// What is a request, and what is refused as none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/http/message.h"

namespace evt::tools::http {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Refusal refusal_of(const std::string& target, const Pairs& headers = {}) {
  return parse_request("GET", target, headers).refusal;
}

TEST(Request, HasAPathAndParametersWithoutPercentSigns) {
  const auto parsed = parse_request("GET", "/v1/n%61me?q=a%20b+c%2B&from=&flag", {});
  ASSERT_TRUE(parsed.request.has_value());
  EXPECT_EQ(parsed.request->method, "GET");
  EXPECT_EQ(parsed.request->path, "/v1/name");
  EXPECT_THAT(parsed.request->parameters, ElementsAre(Pair("q", "a b c+"), Pair("from", ""), Pair("flag", "")));
  EXPECT_EQ(*parsed.request->parameter("q"), "a b c+");
  EXPECT_EQ(parsed.request->parameter("to"), nullptr);
}

TEST(Request, KeepsEveryByteOfAParameter) {
  const auto parsed = parse_request("GET", "/v1/find?q=%00%0a%FF%c3%A9%3Cscript%3E%22'%26%3d%E2%80%AE", {});
  ASSERT_TRUE(parsed.request.has_value());
  EXPECT_EQ(*parsed.request->parameter("q"), std::string("\0\n\xFF\xC3\xA9<script>\"'&=\xE2\x80\xAE", 20));
}

TEST(Request, HasTheHeadersThatMatterWhateverTheirCase) {
  const auto parsed = parse_request("GET", "/",
                                    {{"hOST", "localhost:1"},
                                     {"Cookie", "a=b"},
                                     {"sec-fetch-site", "none"},
                                     {"SEC-FETCH-MODE", "navigate"},
                                     {"Sec-Fetch-Dest", "document"},
                                     {"x-evt-token", "secret"}});
  ASSERT_TRUE(parsed.request.has_value());
  EXPECT_EQ(parsed.request->host, "localhost:1");
  EXPECT_EQ(parsed.request->fetch_site, "none");
  EXPECT_EQ(parsed.request->fetch_mode, "navigate");
  EXPECT_EQ(parsed.request->fetch_dest, "document");
  EXPECT_EQ(parsed.request->token, "secret");
  EXPECT_FALSE(parsed.request->has_body);
}

TEST(Request, HasABodyIfItsHeadersAnnounceOne) {
  EXPECT_FALSE(parse_request("GET", "/", {{"Content-Length", "0"}}).request->has_body);
  EXPECT_TRUE(parse_request("GET", "/", {{"content-length", "1"}}).request->has_body);
  EXPECT_TRUE(parse_request("GET", "/", {{"Transfer-Encoding", "chunked"}}).request->has_body);
}

TEST(Request, OfAPathThatLeadsElsewhereIsRefused) {
  const Refusal refusal{400, "the path is not /, or / in front of each of its names"};
  for (const char* target :
       {"", "v1", "*", "http://127.0.0.1/", "//v1", "/v1/", "/v1//x", "/.", "/..", "/../etc/passwd", "/v1/../x",
        "/v1/%2e%2e/x", "/v1/..%2Fx", "/v1%2f%2fx", "/v1%00", "/v1/a%0Ab", "/%7f"}) {
    EXPECT_EQ(refusal_of(target), refusal) << target;
  }
}

TEST(Request, OfHalfAPercentSignIsRefused) {
  for (const char* target : {"/%", "/%4", "/%zz", "/%-1"}) {
    EXPECT_EQ(refusal_of(target), (Refusal{400, "a % in the path is not followed by two hexadecimal digits"}))
        << target;
  }
  for (const char* target : {"/?a=%", "/?a=%4", "/?a=%4g&b=1", "/?%=1"}) {
    EXPECT_EQ(refusal_of(target), (Refusal{400, "a % in the query is not followed by two hexadecimal digits"}))
        << target;
  }
}

TEST(Request, OfCharactersThatNoTargetHasIsRefused) {
  for (const std::string target : {"/a b", "/\xC3\xA9", "/?a=\x01", "/?a=\x7F", "/#k=1"}) {
    EXPECT_EQ(refusal_of(target), (Refusal{400, "the target has a character that must be percent-encoded"})) << target;
  }
}

TEST(Request, ThatCanBeReadInTwoWaysIsRefused) {
  EXPECT_EQ(refusal_of("/?a=1&b=2&%61=3"), (Refusal{400, "the query has a parameter twice"}));
  EXPECT_EQ(refusal_of("/?a=1&&b=2"), (Refusal{400, "a parameter of the query has no name"}));
  EXPECT_EQ(refusal_of("/", {{"Host", "localhost:1"}, {"host", "localhost:1"}}),
            (Refusal{400, "a header that may be there once is there twice"}));
}

TEST(Request, HasSixteenParametersAtMost) {
  std::string target = "/?p1=1";
  for (int i = 2; i <= 16; ++i) target += "&p" + std::to_string(i) + "=1";
  EXPECT_TRUE(parse_request("GET", target, {}).request.has_value());
  EXPECT_EQ(refusal_of(target + "&p17=1"), (Refusal{400, "the query has more than 16 parameters"}));
}

TEST(Request, HasEightKibibytesAtMost) {
  // GET, / and 4 for the line, then 6 + 4 for the name of the header and its separators.
  const std::size_t most = (8 << 10) - 3 - 1 - 4 - 6 - 4;
  EXPECT_TRUE(parse_request("GET", "/", {{"Cookie", std::string(most, 'a')}}).request.has_value());
  const Refusal refusal{431, "the request line and the headers are larger than 8 KiB"};
  EXPECT_EQ(refusal_of("/", {{"Cookie", std::string(most + 1, 'a')}}), refusal);
  EXPECT_EQ(refusal_of("/?q=" + std::string(8 << 10, 'a')), refusal);
}

}  // namespace
}  // namespace evt::tools::http
