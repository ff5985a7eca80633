#include "view_routes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace evt::tools {
namespace {

using http::Connection;
using http::Request;
using http::Response;

constexpr std::size_t kMaxRows = 64;

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Reads the parameters of one request; the first that is wrong is remembered, and what is read is 0.
class Parameters {
 public:
  Parameters(const Request& request, TraceAnswers& answers) : request_(request), answers_(answers) {}

  template <typename Number>
  Number number(std::string_view name) {
    const std::string* const text = request_.parameter(name);
    const std::optional<Number> number = text != nullptr ? number_in<Number>(*text) : std::nullopt;
    if (!number) refuse(fmt::format("{}: expected a whole number", name));
    return number.value_or(0);
  }
  std::string text(std::string_view name) {
    const std::string* const text = request_.parameter(name);
    if (text == nullptr) refuse(fmt::format("{}: missing", name));
    return text != nullptr ? *text : "";
  }
  std::size_t session() {
    const auto session = number<std::size_t>("s");
    if (session < answers_.sessions()) return session;
    refuse(fmt::format("s: expected a session below {}", answers_.sessions()));
    return 0;
  }
  view::TilePlace place() {
    const view::TilePlace place = {number<unsigned>("l"), number<std::int64_t>("i")};
    if (!place.is_in_time()) refuse("l, i: expected a tile within the range of times");
    return place;
  }
  FindEvent find(std::string_view name) {
    const std::string word = text(name);
    if (word == "at") return FindEvent::kAt;
    if (word == "next") return FindEvent::kNext;
    if (word != "previous") refuse(fmt::format("{}: expected at, next or previous", name));
    return FindEvent::kPrevious;
  }
  TimeRange range() {
    const TimeRange range = {number<std::int64_t>("from"), number<std::int64_t>("to")};
    if (range.from_ns > range.to_ns) refuse("to: expected no time before from");
    return range;
  }
  std::uint32_t row(std::size_t session) {
    const auto row = number<std::uint32_t>("row");
    check_row(row, session);
    return row;
  }
  // Null: there are none of this name.
  const PageStatistics* statistics(std::size_t session) {
    const std::string name = text("of");
    if (!refusal_.empty()) return nullptr;
    const std::vector<const PageStatistics*> all = answers_.statistics(session);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const PageStatistics* each) { return each->name == name; });
    if (found != all.end()) return *found;
    refuse("of: expected statistics that the session has");
    return nullptr;
  }
  bool has(std::string_view name) const { return request_.parameter(name) != nullptr; }
  // How many of something, which is no more than `most`.
  std::size_t count(std::string_view name, std::size_t most) {
    const auto count = number<std::size_t>(name);
    if (count > most) refuse(fmt::format("{}: expected up to {}, found {}", name, most, count));
    return count;
  }
  // 1-3,7
  std::vector<std::uint32_t> rows(std::size_t session) {
    const std::string text = this->text("r");
    std::vector<std::uint32_t> rows;
    for (std::string_view rest = text; !rest.empty() && refusal_.empty();) {
      const std::string_view part = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
      const std::size_t dash = part.find('-');
      const auto first = number_in<std::uint32_t>(part.substr(0, dash));
      const auto last = dash == part.npos ? first : number_in<std::uint32_t>(part.substr(dash + 1));
      if (!first || !last || *last < *first || *last - *first >= kMaxRows || rows.size() + *last - *first >= kMaxRows) {
        refuse(fmt::format("r: expected up to {} rows, such as 1-3,7", kMaxRows));
        break;
      }
      check_row(*last, session);
      for (std::uint32_t row = *first; row <= *last; ++row) rows.push_back(row);
    }
    return rows;
  }
  // Empty: nothing is wrong so far.
  const std::string& refusal() const { return refusal_; }

 private:
  void refuse(std::string sentence) {
    if (refusal_.empty()) refusal_ = std::move(sentence);
  }
  void check_row(std::uint32_t row, std::size_t session) {
    if (!refusal_.empty()) return;
    const std::size_t count = answers_.end_of_ids(session);
    if (row >= count) refuse(fmt::format("expected a row below {}", count));
  }

  const Request& request_;
  TraceAnswers& answers_;
  std::string refusal_;
};

Response json_response(std::string body) {
  Response response;
  response.type = "application/json";
  response.body = std::move(body);
  return response;
}

// `answer` is asked only if nothing is wrong.
template <typename Answer>
Response answered(const Parameters& parameters, Answer answer) {
  if (!parameters.refusal().empty()) return http::refusal_response({400, parameters.refusal()});
  return answer();
}

Response tiles(TraceAnswers& answers, Parameters parameters, const Connection& connection) {
  const std::size_t session = parameters.session();
  const view::TilePlace place = parameters.place();
  const std::vector<std::uint32_t> rows = parameters.rows(session);
  return answered(parameters, [&] {
    Response response;
    response.type = "application/octet-stream";
    response.body = answers.tile(session, place, rows, [&] { return connection.is_open(); });
    return response;
  });
}

// Messages, the first one at once, until all is read. The traces are read as long as somebody listens.
Response progress(TraceAnswers& answers, Parameters, const Connection& connection) {
  Response response;
  response.type = "text/event-stream";
  response.next = [&answers, connection, is_first = true]() mutable -> std::string {
    if (!std::exchange(is_first, false) && !answers.read_on([&] { return connection.is_open(); })) return {};
    return answers.progress();
  };
  return response;
}

Response statistics(TraceAnswers& answers, Parameters parameters, const Connection&) {
  const std::size_t session = parameters.session();
  const TimeRange range = parameters.range();
  const PageStatistics* const of = parameters.statistics(session);
  return answered(parameters, [&] { return json_response(answers.statistics(session, range, {of}).front()); });
}

Response event(TraceAnswers& answers, Parameters parameters, const Connection& connection) {
  const std::size_t session = parameters.session();
  const std::uint32_t row = parameters.row(session);
  const auto ns = parameters.number<std::int64_t>("ns");
  const FindEvent find = parameters.find("find");
  return answered(parameters, [&] {
    return json_response(answers.event(session, row, ns, find, [&] { return connection.is_open(); }));
  });
}

Response events(TraceAnswers& answers, Parameters parameters, const Connection& connection) {
  const std::size_t session = parameters.session();
  const auto ns = parameters.number<std::int64_t>("at");
  const std::size_t before = parameters.count("before", kMaxListedEvents);
  const std::size_t after = parameters.count("after", kMaxListedEvents);
  return answered(parameters, [&] {
    return json_response(answers.events(session, ns, before, after, [&] { return connection.is_open(); }));
  });
}

Response flows(TraceAnswers& answers, Parameters parameters, const Connection& connection) {
  const std::size_t session = parameters.session();
  const TimeRange range = parameters.range();
  const std::size_t most = parameters.count("limit", FlowList::kMost);
  const auto row = parameters.has("row") ? std::optional(parameters.row(session)) : std::nullopt;
  return answered(parameters, [&] {
    return json_response(answers.flows(session, range, row, most, [&] { return connection.is_open(); }));
  });
}

Response why(TraceAnswers& answers, Parameters parameters, const Connection& connection) {
  const std::size_t session = parameters.session();
  const std::uint32_t row = parameters.row(session);
  const TimeRange span = parameters.range();
  return answered(parameters,
                  [&] { return json_response(answers.why(session, row, span, [&] { return connection.is_open(); })); });
}

Response found(TraceAnswers& answers, Parameters parameters, const Connection& connection) {
  const std::size_t session = parameters.session();
  const std::string query = parameters.text("q");
  TraceAnswers::Wanted wanted;
  if (parameters.has("place")) {
    wanted.place = parameters.number<std::size_t>("place");
  } else {
    wanted.ns = parameters.number<std::int64_t>("from");
    wanted.find = parameters.find("dir");
  }
  return answered(parameters, [&] {
    return json_response(answers.find(session, query, wanted, [&] { return connection.is_open(); }));
  });
}

Response matches(TraceAnswers& answers, Parameters parameters, const Connection& connection) {
  const std::size_t session = parameters.session();
  const std::string query = parameters.text("q");
  const TimeRange range = parameters.range();
  const auto step_ns = parameters.number<std::int64_t>("step");
  return answered(parameters, [&] {
    return json_response(answers.matches(session, query, range, step_ns, [&] { return connection.is_open(); }));
  });
}

}  // namespace

void add_view_routes(TraceAnswers& answers, http::Routes* routes) {
  const auto add = [&](const char* path, Response (*answer)(TraceAnswers&, Parameters, const Connection&)) {
    routes->add(path, [&answers, answer](const Request& request, const Connection& connection) {
      return answer(answers, Parameters(request, answers), connection);
    });
  };
  add("/v1/trace", [](TraceAnswers& all, Parameters, const Connection&) { return json_response(all.trace()); });
  add("/v1/progress", progress);
  add("/v1/look", [](TraceAnswers& all, Parameters, const Connection& connection) {
    return json_response(all.look([&] { return connection.is_open(); }));
  });
  add("/v1/rows", [](TraceAnswers& all, Parameters parameters, const Connection&) {
    const std::size_t session = parameters.session();
    return answered(parameters, [&] { return json_response(all.rows(session)); });
  });
  add("/v1/tiles", tiles);
  add("/v1/stats", statistics);
  add("/v1/event", event);
  add("/v1/events", events);
  add("/v1/flows", flows);
  add("/v1/why", why);
  add("/v1/find", found);
  add("/v1/matches", matches);
}

}  // namespace evt::tools
