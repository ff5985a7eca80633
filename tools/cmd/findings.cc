#include "cmd/findings.h"

#include <fmt/core.h>

#include "base/json_object.h"
#include "base/trace_sentences.h"
#include "cmd/trace_json.h"
#include "libtrace-read/text/shown.h"

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

void add_loss(JsonObject& json, const Loss& loss) {
  json.number("stream", loss.stream->id);
  json.name_text("name", loss.stream->name);
  json.text_or_null("cause", loss.cause);
  json.number("events", loss.events);
}

void add_misfit(JsonObject& json, const Misfit& misfit) {
  json.name_text("type", misfit.type);
  json.number("events", misfit.events);
  json.number("first_size", misfit.first_size);
}

void add_session(JsonObject& json, const Session& session, const Counted& counted, const std::vector<Loss>& losses) {
  json.name_text("program", session.program);
  json.name_text("uuid", uuid_text(session.uuid));
  json.truth("declared", session.declared);
  json.number("events", counted.events);
  json.number("rows", session.rows);
  json.number("lost", session.lost);
  json.objects("losses", losses, add_loss);
  json.number("missing", session.missing);
  json.truth("knows_all_missing", !session.is_truncated());
  json.number("not_decodable", session.not_decodable);
  json.number("without_clock", session.without_clock);
  json.number("not_understood", session.not_understood);
  json.objects_if_any("misfits", counted.misfits, add_misfit);
  json.number_unless_0("unknown_times", counted.unknown_times);
  json.objects_if_any("facts", session.facts, add_fact);
  json.name_text("end", word_of(session.end()));
}

void add_missing(JsonObject& json, const Trace& trace, const MissingRows& missing) {
  json.number("session", missing.session);
  const StreamInfo* const stream = trace.sessions()[missing.session].stream(missing.stream);
  if (stream == nullptr) {
    json.null("stream");
  } else {
    json.number("stream", stream->id);
    json.name_text("name", stream->name);
  }
  json.number("rows", missing.rows);
  json.number("from_ns", missing.from_ns);
  json.number_or_null("to_ns", missing.to_ns, !missing.or_later);
  json.number("offset", missing.offset);
}

void add_damage(JsonObject& json, const Damage& damage) {
  json.number("offset", damage.offset);
  json.number("length", damage.length);
  json.name_text("reason", damage.reason);
}

// Fields at the end may be missing, as of a program that was compiled before they were added; not a part of one. Nor is
// there anything behind the last field, unless the shape of a field is not known.
bool fits(const Event& event) {
  FieldWalker fields = event.values();
  while (fields.next()) {
  }
  const bool met_unknown_shape = fields.index() < event.type().fields().size();
  return met_unknown_shape || fields.rest().empty();
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
                             const std::vector<Counted>& counted, const std::vector<Damage>& breaches,
                             const Report& report) {
  const std::vector<std::string>& unread = report.unread(file);
  append_json_line(out, [&](JsonObject& json) {
    json.name_text("file", file);
    json.name_text("status", unread.empty() ? word_of(trace.status()) : "damaged");
    std::size_t i = 0;
    json.objects("sessions", trace.sessions(), [&](JsonObject& each, const Session& session) {
      add_session(each, session, counted[i++], trace.losses(session));
    });
    json.objects("damage", trace.damage(), add_damage);
    json.objects("missing", trace.missing(),
                 [&](JsonObject& each, const MissingRows& missing) { add_missing(each, trace, missing); });
    json.objects_if_any("breaches", breaches, add_damage);
    json.texts("unread", unread);
  });
}

void Misfits::add(const Event& event) {
  if (!event.type().declared() || fits(event)) return;
  Misfit& misfit = found_[event.type().number()];
  if (misfit.events++ > 0) return;
  misfit.type = event.type().name();
  misfit.first_size = event.payload().size();
}

std::vector<Misfit> Misfits::finish() {
  std::vector<Misfit> all;
  for (auto& [number, misfit] : found_) all.push_back(std::move(misfit));
  found_.clear();
  return all;
}

std::string sentence_of(const Misfit& misfit) {
  return fmt::format("{} event{} of type {} {} not hold the fields that were declared: {} {} byte{}", misfit.events,
                     misfit.events == 1 ? "" : "s", misfit.type, misfit.events == 1 ? "does" : "do",
                     misfit.events == 1 ? "it has" : "the first has", misfit.first_size,
                     misfit.first_size == 1 ? "" : "s");
}

}  // namespace evt::tools
