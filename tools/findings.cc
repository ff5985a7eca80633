#include "findings.h"

#include <fmt/core.h>

#include "libtrace-read/export/src/base/shown.h"
#include "libtrace-read/export/src/json/plain_value.h"
#include "libtrace-read/report/src/session_texts.h"
#include "trace_json.h"
#include "trace_sentences.h"

namespace evt::tools {
namespace {

const char* word_of(const Status& status) {
  switch (status.code()) {
    case Code::kOk:
      return "ok";
    case Code::kTruncated:
      return "truncated";
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

void append_loss(TextBuffer& out, const Loss& loss) {
  out += fmt::format("{{\"stream\":{}", loss.stream->id);
  append_text(out, ",\"name\":", loss.stream->name);
  out += ",\"cause\":";
  if (loss.cause.empty()) {
    out += "null";
  } else {
    append_json_text(out, loss.cause);
  }
  out += fmt::format(",\"events\":{}}}", loss.events);
}

void append_misfit(TextBuffer& out, const Misfit& misfit) {
  append_text(out, "{\"type\":", misfit.type);
  out += fmt::format(",\"events\":{},\"first_size\":{}}}", misfit.events, misfit.first_size);
}

void append_session(TextBuffer& out, const Session& session, const Counted& counted, const std::vector<Loss>& losses) {
  append_text(out, "{\"program\":", session.program);
  append_text(out, ",\"uuid\":", uuid_text(session.uuid));
  out += fmt::format(",\"declared\":{},\"events\":{},\"rows\":{},\"lost\":{}", session.declared, counted.events,
                     session.rows, session.lost);
  append_list(out, ",\"losses\":", losses, [&](const Loss& loss) { append_loss(out, loss); });
  out += fmt::format(",\"missing\":{},\"knows_all_missing\":{},\"not_decodable\":{},\"without_clock\":{}",
                     session.missing, !session.is_truncated(), session.not_decodable, session.without_clock);
  out += fmt::format(",\"not_understood\":{}", session.not_understood);
  if (!counted.misfits.empty()) {
    append_list(out, ",\"misfits\":", counted.misfits, [&](const Misfit& misfit) { append_misfit(out, misfit); });
  }
  if (counted.unknown_times > 0) out += fmt::format(",\"unknown_times\":{}", counted.unknown_times);
  if (!session.facts.empty()) {
    append_list(out, ",\"facts\":", session.facts, [&](const Fact& fact) { append_fact_as_json(out, fact); });
  }
  append_text(out, ",\"end\":", word_of(session.end()));
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
                     missing.or_later ? "null" : std::to_string(missing.to_ns), missing.offset);
}

}  // namespace

void append_findings(TextBuffer& out, const std::string& file, const Trace& trace,
                     const std::vector<Counted>& counted) {
  std::size_t i = 0;
  for (const Session& session : trace.sessions()) {
    const std::uint64_t count = counted[i++].events;
    out += fmt::format("{}: session of {}, {} event{}, {} lost", shown(file), shown_program(session), count,
                       count == 1 ? "" : "s", session.lost);
    if (session.missing > 0) {
      out += fmt::format(", {}{} row{} missing", session.is_truncated() ? "at least " : "", session.missing,
                         session.missing == 1 ? "" : "s");
    }
    const bool was_recovered = session.end() == SessionEnd::kKilled;
    const std::string_view nothing = was_recovered ? nothing_lost(trace, session) : "";
    out += fmt::format(": {}{}{}\n", word_of(session.end()), nothing.empty() ? "" : ", ", nothing);
  }
}

void append_findings_as_json(TextBuffer& out, const std::string& file, const Trace& trace,
                             const std::vector<Counted>& counted, const Report& report) {
  const std::vector<std::string>& unread = report.unread(file);
  append_text(out, "{\"file\":", file);
  append_text(out, ",\"status\":", unread.empty() ? word_of(trace.status()) : "damaged");
  std::size_t i = 0;
  append_list(out, ",\"sessions\":", trace.sessions(),
              [&](const Session& session) { append_session(out, session, counted[i++], trace.losses(session)); });
  append_list(out, ",\"damage\":", trace.damage(), [&](const Damage& damage) {
    out += fmt::format("{{\"offset\":{},\"length\":{}", damage.offset, damage.length);
    append_text(out, ",\"reason\":", damage.reason);
    out += '}';
  });
  append_list(out, ",\"missing\":", trace.missing(),
              [&](const MissingRows& missing) { append_missing(out, trace, missing); });
  if (!unread.empty()) {
    append_list(out, ",\"unread\":", unread, [&](const std::string& sentence) { append_json_text(out, sentence); });
  }
  out += "}\n";
}

}  // namespace evt::tools
