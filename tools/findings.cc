#include "findings.h"

#include <fmt/format.h>

#include "plain_value.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

struct End {
  const char* word;
  const char* sentence;
};

End end_of(const Session& session) {
  if (session.closed) return {"closed", "closed"};
  switch (session.ring) {
    case RingState::kLive:
      return {"living", "its writer still runs"};
    case RingState::kRecovered:
      return {"killed", "its writer ended without closing it, nothing is lost"};
    case RingState::kNone:
    case RingState::kPrivate:
    case RingState::kAway:
      break;
  }
  return {"cut", "cut"};
}

const char* word_of(const Status& status) {
  switch (status.code()) {
    case Code::kOk:
      return "ok";
    case Code::kCut:
      return "cut";
    case Code::kNewerFormat:
      return "newer";
    default:
      return "damaged";
  }
}

// `key`: with its quotes and colon, and the comma before it.
void append_text(TextBuffer& out, std::string_view key, std::string_view text) {
  out += key;
  append_json_text(out, text);
}

void append_session(TextBuffer& out, const Session& session, std::uint64_t events) {
  append_text(out, "{\"program\":", session.program);
  append_text(out, ",\"uuid\":", uuid_text(session.uuid));
  out += fmt::format(",\"events\":{},\"rows\":{},\"lost\":{},\"missing\":{},\"not_decodable\":{}", events, session.rows,
                     session.lost, session.missing, session.not_decodable);
  append_text(out, ",\"end\":", end_of(session).word);
  out += '}';
}

void append_missing(TextBuffer& out, const Trace& trace, const MissingRows& missing) {
  out += fmt::format("{{\"session\":{},\"stream\":", missing.session);
  const StreamInfo* const stream = trace.sessions()[missing.session].stream(missing.stream);
  if (stream == nullptr) {
    out += "null";
  } else {
    out += fmt::format("{}", stream->id);
    append_text(out, ",\"name\":", stream->name);
  }
  out += fmt::format(",\"rows\":{},\"from_ns\":{},\"to_ns\":{},\"offset\":{}}}", missing.rows, missing.from_ns,
                     missing.to_ns, missing.offset);
}

// ,"key":[...]
template <typename List, typename Append>
void append_list(TextBuffer& out, std::string_view key, const List& list, Append append) {
  out += key;
  out += '[';
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

}  // namespace

void append_findings(TextBuffer& out, const std::string& file, const Trace& trace,
                     const std::vector<std::uint64_t>& events) {
  std::size_t i = 0;
  for (const Session& session : trace.sessions()) {
    const std::uint64_t count = events[i++];
    out += fmt::format("{}: session of {}, {} event{}, {} lost: {}\n", shown(file), shown(session.program), count,
                       count == 1 ? "" : "s", session.lost, end_of(session).sentence);
  }
}

void append_findings_as_json(TextBuffer& out, const std::string& file, const Trace& trace,
                             const std::vector<std::uint64_t>& events) {
  append_text(out, "{\"file\":", file);
  append_text(out, ",\"status\":", word_of(trace.status()));
  std::size_t i = 0;
  append_list(out, ",\"sessions\":", trace.sessions(),
              [&](const Session& session) { append_session(out, session, events[i++]); });
  append_list(out, ",\"damage\":", trace.damage(), [&](const Damage& damage) {
    out += fmt::format("{{\"offset\":{},\"length\":{}", damage.offset, damage.length);
    append_text(out, ",\"reason\":", damage.reason);
    out += '}';
  });
  append_list(out, ",\"missing\":", trace.missing(),
              [&](const MissingRows& missing) { append_missing(out, trace, missing); });
  out += "}\n";
}

}  // namespace evt::tools
