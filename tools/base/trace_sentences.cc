#include "trace_sentences.h"

#include <evt/format.h>
#include <evt/not_kept.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/grouped.h"
#include "base/missing_samples.h"
#include "libtrace-read/text/number_with_unit.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/text_syntax.h"

namespace evt::tools {
namespace {

using Sentences = std::vector<std::string>;

constexpr std::size_t kMaxPlaces = 20;
constexpr std::size_t kMaxLosses = 100;
constexpr std::size_t kMaxSnapshots = 10;

struct Subject {
  const Trace& trace;
  const UnknownTimes& unknown_times;
  bool ends_are_shown = false;
};

const char* plural(std::uint64_t count) { return count == 1 ? "" : "s"; }

// A sentence about each, or about the first ones and how many more there are.
template <typename List, typename SentenceOf, typename More>
Sentences first_of(const List& all, std::size_t most, SentenceOf sentence_of, More more) {
  Sentences out;
  for (const auto& each : all) {
    if (out.size() < most) out.push_back(sentence_of(each));
  }
  if (all.size() > most) out.push_back(more(all.size() - most));
  return out;
}

const char* are(std::uint64_t count) { return count == 1 ? "is" : "are"; }

Sentences spooled(const Subject& subject) {
  const std::uint64_t bytes = subject.trace.spooled_bytes();
  if (bytes == 0) return {};
  return {fmt::format("{} bytes went into a temporary file, to put them in order", bytes)};
}

Sentences lost(const Subject& subject) {
  Sentences out;
  for (const Session& session : subject.trace.sessions()) {
    const auto sentence_of = [](const Loss& loss) {
      return fmt::format("{} {}event{} of stream {} {} lost{}{}", loss.events, loss.is_rest ? "more " : "",
                         plural(loss.events), loss.stream->id, in_quotes(loss.stream->name),
                         loss.cause.empty() ? "" : ": ", loss.cause);
    };
    for (std::string& sentence : first_of(subject.trace.losses(session), kMaxLosses, sentence_of,
                                          [](std::size_t more) { return fmt::format("and {} more losses", more); })) {
      out.push_back(std::move(sentence));
    }
  }
  return out;
}

// Numbers of a session and of its parts add up.
Sentences samples(const Subject& subject) {
  return missing_samples([&](const char* key) {
    std::uint64_t sum = 0;
    for (const Session& session : subject.trace.sessions()) {
      for (const Fact& fact : session.facts) {
        const bool is_of_run = fact.scope == EVT_FACT_SCOPE_SESSION || fact.scope == EVT_FACT_SCOPE_PART;
        std::uint64_t number = 0;
        if (!is_of_run || fact.key != key) continue;
        std::from_chars(fact.value.data(), fact.value.data() + fact.value.size(), number);
        sum += std::min(number, UINT64_MAX - sum);
      }
    }
    return sum;
  });
}

Sentences impossible_stamps(const Subject& subject) {
  Sentences out;
  for (const Session& session : subject.trace.sessions()) {
    for (const StreamInfo& stream : session.streams) {
      const std::uint64_t events = stream.impossible_stamps;
      if (events == 0) continue;
      if (out.size() == kMaxPlaces) {
        out.emplace_back("and events of more streams");
        return out;
      }
      out.push_back(
          fmt::format("{} event{} of stream {} {} {} a time stamp later than {} written: {} shown at the time of the "
                      "event before",
                      events, plural(events), stream.id, in_quotes(stream.name), events == 1 ? "has" : "have",
                      events == 1 ? "it was" : "they were", events == 1 ? "it is" : "each is"));
    }
  }
  return out;
}

Sentences unknown_times(const Subject& subject) {
  Sentences out;
  for (const Session& session : subject.trace.sessions()) {
    const std::uint64_t times = subject.unknown_times.of(session);
    if (times == 0) continue;
    out.push_back(
        fmt::format("{} time{} in fields of events {} from before a step of their clock: when {} was is not "
                    "known",
                    times, plural(times), are(times), times == 1 ? "it" : "each"));
  }
  return out;
}

Sentences missing(const Subject& subject) {
  const auto sentence_of = [&](const MissingRows& missing) {
    const StreamInfo* const stream = subject.trace.sessions()[missing.session].stream(missing.stream);
    const std::string of = stream == nullptr ? "of streams that are not known"
                                             : fmt::format("of stream {} {}", stream->id, in_quotes(stream->name));
    const std::string when = missing.or_later ? "after " + report::seconds_text(missing.from_ns)
                                              : fmt::format("between {} and {}", report::seconds_text(missing.from_ns),
                                                            report::seconds_text(missing.to_ns));
    return fmt::format("{} row{} {} missing, recorded {}", missing.rows, plural(missing.rows), of, when);
  };
  return first_of(subject.trace.missing(), kMaxPlaces, sentence_of,
                  [](std::size_t more) { return fmt::format("and rows in {} more places missing", more); });
}

// Where it is in its file, and in which, if there are several.
std::pair<std::uint64_t, std::string> place_of(const Trace& trace, std::uint64_t offset) {
  const std::vector<Trace::File>& files = trace.files();
  if (files.size() < 2) return {offset, ""};
  const auto behind = std::upper_bound(files.begin() + 1, files.end(), offset,
                                       [](std::uint64_t at, const Trace::File& file) { return at < file.begin; });
  const Trace::File& file = *(behind - 1);
  return {offset - file.begin, fmt::format(" of {}", shown(file.name))};
}

// `place`: an offset in a file, and the words for that file.
template <typename Place>
Sentences sentences_about(const std::vector<Damage>& all, Place place) {
  const auto sentence_of = [&](const Damage& damage) {
    const auto [offset, of_file] = place(damage.offset);
    if (damage.length == 0) return fmt::format("at {}{}: {}", offset, of_file, damage.reason);
    return fmt::format("{} bytes from offset {}{} ignored: {}", grouped(damage.length), grouped(offset), of_file,
                       damage.reason);
  };
  return first_of(all, kMaxPlaces, sentence_of,
                  [](std::size_t more) { return fmt::format("and {} more places", more); });
}

Sentences damaged(const Subject& subject) {
  return sentences_about(subject.trace.damage(), [&](std::uint64_t offset) { return place_of(subject.trace, offset); });
}

Sentences noted(const Subject& subject) { return subject.trace.notes(); }

// What a later format must have written, and what a session should have described first.
Sentences not_understood(const Subject& subject) {
  Sentences out;
  for (const Session& session : subject.trace.sessions()) {
    const std::uint64_t blocks = session.not_understood;
    if (blocks > 0) {
      out.push_back(fmt::format("{} block{} that must be understood {} unknown to this version{}", blocks,
                                plural(blocks), are(blocks), session.abandoned ? ": the session is not read on" : ""));
    }
    const std::uint64_t rows = session.not_decodable - session.without_clock;
    if (rows > 0) {
      out.push_back(
          fmt::format("{} row{} {} stored in a way that is not known to this version", rows, plural(rows), are(rows)));
    }
    if (session.abandoned) continue;
    if (!session.declared) out.push_back("the SESSION block is missing: who was recorded is not known");
    if (session.without_clock > 0) {
      out.push_back(fmt::format("{} row{} {} of a clock that no CLOCK block describes: when they were is not known",
                                session.without_clock, plural(session.without_clock), are(session.without_clock)));
    }
  }
  return out;
}

Sentences rings(const Subject& subject) {
  Sentences out;
  for (const Session& session : subject.trace.sessions()) {
    const std::uint64_t rows = session.ring_rows;
    if (session.ring == RingState::kLive) {
      out.push_back(
          fmt::format("its writer still runs; {} row{} read from its ring {}", rows, plural(rows), session.ring_name));
    } else if (session.ring == RingState::kRecovered && rows == 0) {
      const std::string_view nothing = nothing_lost(subject.trace, session);
      if (subject.ends_are_shown && !nothing.empty()) continue;
      out.push_back(fmt::format("its writer ended without closing it{}{}", nothing.empty() ? "" : "; ", nothing));
    } else if (session.ring == RingState::kRecovered) {
      out.push_back(
          fmt::format("its writer ended without closing it; {} row{} read from its ring {}, which evt check "
                      "--recover puts into the file",
                      rows, plural(rows), session.ring_name));
    } else if (session.ring == RingState::kPrivate && !session.closed) {
      out.push_back("its ring was private memory: what the file lacks is gone");
    }
  }
  return out;
}

bool is_made_from(const Session& session, const Session& other) {
  return other.declared && std::ranges::find(session.origins, other.uuid) != session.origins.end();
}

// Of sessions of which one was made from the other, as a snapshot is, the first two.
Sentences overlapping(const Subject& subject) {
  const std::deque<Session>& sessions = subject.trace.sessions();
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (sessions[i].origins.empty()) continue;
    for (std::size_t k = 0; k < sessions.size(); ++k) {
      if (!is_made_from(sessions[i], sessions[k])) continue;
      return {fmt::format("session {} was made from session {}: events of both may be here twice", i + 1, k + 1)};
    }
  }
  return {};
}

std::string not_kept(std::uint64_t rows, bool is_known, const char* whose) {
  return fmt::format("{}{} row{} {} {} not here: {} not kept", is_known ? "" : "at least ", grouped(rows), plural(rows),
                     whose, are(rows), rows == 1 ? "it was" : "they were");
}

std::string not_kept(const Trace& trace, const Session& session) {
  const std::uint64_t rows = session.not_kept;
  const auto length = length_of_last_rows(trace, session);
  if (!length) return not_kept(rows, session.not_kept_is_known, "of other segments");
  return fmt::format("it has the last {}: {}{} row{} before that {} not kept", report::duration_text(*length),
                     session.not_kept_is_known ? "" : "at least ", grouped(rows), plural(rows),
                     rows == 1 ? "was" : "were");
}

// What is in files that were not given, and what is in several of those that were. None of it is damage.
Sentences segments(const Subject& subject) {
  Sentences out;
  for (const std::string& name : subject.trace.duplicates()) {
    out.push_back(fmt::format("{} begins as another file does: it was not read", shown(name)));
  }
  for (const Session& session : subject.trace.sessions()) {
    if (session.not_kept > 0) out.push_back(not_kept(subject.trace, session));
    if (session.not_kept_of_parts > 0) {
      out.push_back(not_kept(session.not_kept_of_parts, session.not_kept_of_parts_is_known, "of its parts"));
    }
    if (session.goes_on) {
      out.push_back(session.last_segment_is_known
                        ? fmt::format("the session goes on in segment {}", session.last_segment + 1)
                        : "the session goes on in another segment");
    }
    if (session.duplicate_rows > 0) {
      out.push_back(fmt::format("{} row{} {} here twice, and {} read once", grouped(session.duplicate_rows),
                                plural(session.duplicate_rows), are(session.duplicate_rows),
                                are(session.duplicate_rows)));
    }
  }
  return out;
}

// That a session is such a snapshot, or which ones it took of itself.
Sentences snapshots(const Subject& subject) {
  Sentences out;
  std::vector<std::string> taken;
  for (const Session& session : subject.trace.sessions()) {
    for (const Fact& fact : session.facts) {
      if (fact.scope != EVT_FACT_SCOPE_SESSION) continue;
      if (fact.key == EVT_FACT_SNAPSHOT_REASON) out.push_back("it is a snapshot: " + shown(fact.value));
      if (fact.key.starts_with(EVT_FACT_SNAPSHOT)) taken.push_back(fact.value);
      if (fact.key == EVT_FACT_SNAPSHOTS_PASSED_OVER) {
        out.push_back("events that had no snapshot because of rearm and most: " + shown(fact.value));
      }
    }
  }
  const auto sentence_of = [](const std::string& each) { return "snapshot " + shown(each); };
  const auto more = [](std::size_t count) { return fmt::format("and {} more snapshots", count); };
  for (std::string& sentence : first_of(taken, kMaxSnapshots, sentence_of, more)) out.push_back(std::move(sentence));
  return out;
}

// That the last session goes on behind the end of the file, where the status does not say it.
Sentences truncated(const Subject& subject) {
  const Code code = subject.trace.status().code();
  if (code == Code::kOk || code == Code::kTruncated || subject.trace.sessions().empty()) return {};
  if (subject.trace.sessions().back().end() != SessionEnd::kTruncated) return {};
  return {"the last session is truncated: its end is missing"};
}

// All sentences that there may be, in this order. The status itself is a sentence where no part has the details of why
// it is kDamaged.
struct Part {
  Sentences (*of)(const Subject&);
  bool explains_damage;
  bool is_of_end = false;
};
constexpr Part kParts[] = {{spooled, false},       {lost, false},        {samples, false},  {impossible_stamps, false},
                           {unknown_times, false}, {missing, true},      {damaged, true},   {noted, false},
                           {not_understood, true}, {rings, false, true}, {segments, false}, {overlapping, false},
                           {snapshots, false}};

bool is_time(const Field& field) { return field.kind == Kind::kTicks || field.kind == Kind::kTickDelta; }

}  // namespace

std::string_view nothing_lost(const Trace& trace, const Session& session) {
  if (session.not_decodable > 0 || session.not_understood > 0 || !trace.damage().empty()) return "";
  return session.lost == 0 && session.missing == 0 ? "nothing is lost" : "nothing else is lost";
}

std::vector<std::string> trace_sentences(const Trace& trace, const UnknownTimes& unknown_times, bool ends_are_shown) {
  const Subject subject{trace, unknown_times, ends_are_shown};
  Sentences all;
  bool is_explained = false;
  for (const Part& part : kParts) {
    const Sentences sentences = part.of(subject);
    is_explained |= part.explains_damage && !sentences.empty();
    all.insert(all.end(), sentences.begin(), sentences.end());
  }
  const Status status = trace.status();
  if (!status.ok() && (status.code() != Code::kDamaged || !is_explained)) all.push_back(status.message());
  const Sentences end = truncated(subject);
  all.insert(all.end(), end.begin(), end.end());
  return all;
}

std::vector<std::string> damage_sentences(const std::vector<Damage>& damage) {
  return sentences_about(damage, [](std::uint64_t offset) { return std::pair(offset, ""); });
}

std::vector<std::string> growing_sentences(const Trace& trace) {
  const UnknownTimes none;
  const Subject subject{trace, none};
  Sentences all;
  for (const Part& part : kParts) {
    const Sentences sentences = part.is_of_end ? Sentences() : part.of(subject);
    all.insert(all.end(), sentences.begin(), sentences.end());
  }
  return all;
}

std::vector<std::string> missing_ends(const Trace& trace) {
  Sentences all;
  for (const Session& session : trace.sessions()) {
    const bool ends_early = session.left_out && session.left_out->has_range && session.left_out->to_ns != INT64_MAX;
    if (ends_early) {
      all.push_back(fmt::format("it is part of another session: nothing after {} is in it{}",
                                report::seconds_text(session.left_out->to_ns),
                                session.cut.empty() ? "" : fmt::format(" ({})", shown(session.cut))));
    }
    for (const MergedPart& part : session.parts) {
      if (!part.ended) all.push_back(fmt::format("the end of part {} is missing", shown(part.name)));
    }
  }
  if (all.size() <= kMaxPlaces) return all;
  const std::size_t more = all.size() - kMaxPlaces;
  all.resize(kMaxPlaces);
  all.push_back(fmt::format("and the ends of {} more", more));
  return all;
}

std::string left_out_sentence(const Trace& trace, bool keeps_copyable) {
  std::uint64_t blocks = 0;
  for (const Session& session : trace.sessions()) {
    blocks += session.other_blocks - (keeps_copyable ? session.copyable_blocks : 0);
  }
  if (blocks == 0) return "";
  return fmt::format("{} block{} left out, private to a producer or of a type that is not known to this version",
                     blocks, plural(blocks));
}

void UnknownTimes::count(const Event& event) {
  const std::vector<Field>& fields = event.type().fields();
  if (std::ranges::none_of(fields, is_time)) return;
  FieldWalker values = event.values();
  while (const std::optional<Value> value = values.next()) {
    if (!value->is_absent() && !event.is_known(*value)) ++counts_[event.session().uuid];
  }
}

std::uint64_t UnknownTimes::of(const Session& session) const {
  const auto found = counts_.find(session.uuid);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace evt::tools
