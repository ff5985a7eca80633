// evt stats summary: the declarations of a trace.

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/session_texts.h"
#include "libtrace-read/text/shown.h"

namespace evt::report {
namespace {

Table session_table(const Session& session, std::uint64_t events, TimeRange range) {
  const std::uint64_t span = length_of(range);
  return new_facts(
      "summary", "session",
      {session.program, uuid_text(session.uuid), utc_text(session.start_utc_ns), range.from_ns, range.to_ns, span,
       events, rate_of(events, span), session.lost, missing_of(session, session.missing),
       std::uint64_t{session.streams.size()}, std::uint64_t{session.types.size()}, word_of(session.end())});
}

Table streams_table(const Session& session) {
  Table table = new_table("summary", "streams");
  for (const StreamInfo& stream : session.streams) {
    const std::uint64_t span = length_of({stream.first_ns, stream.last_ns});
    const auto moment = [&](std::int64_t ns) { return stream.rows > 0 ? Cell(ns) : Cell(); };
    table.add({std::uint64_t{stream.id}, stream.name, stream.rows, moment(stream.first_ns), moment(stream.last_ns),
               rate_of(stream.rows, span), stream.lost, missing_of(session, stream.missing)});
  }
  return table;
}

Table losses_table(const std::vector<Loss>& losses) {
  Table table = new_table("summary", "losses");
  for (const Loss& loss : losses) {
    table.add({std::uint64_t{loss.stream->id}, loss.cause.empty() ? Cell() : Cell(loss.cause), loss.events});
  }
  return table;
}

Table clocks_table(const Session& session) {
  Table table = new_table("summary", "clocks");
  for (const ClockInfo& clock : session.clocks) {
    table.add({std::uint64_t{clock.id}, words_of(NumberList::kClock, clock.kind), clock.name,
               clock.hz / clock.hz_denominator, std::uint64_t{clock.tolerance_ns}});
  }
  return table;
}

Table parts_table(const Session& session) {
  Table table = new_table("summary", "parts");
  for (const MergedPart& part : session.parts) {
    table.add({part.name, std::uint64_t{part.first_stream}, std::uint64_t{part.stream_count}, alignment_text(part),
               part.bound_ns});
  }
  return table;
}

}  // namespace

Findings summary_of(const Trace& trace, const Session& session, const NamedCounts& counts, TimeRange range) {
  Findings findings;
  findings.tables.push_back(session_table(session, sum_of(counts), range));
  findings.tables.push_back(table_of_counts("summary", "types", counts, range));
  findings.tables.push_back(streams_table(session));
  if (session.lost > 0) findings.tables.push_back(losses_table(trace.losses(session)));
  if (!session.clocks.empty()) findings.tables.push_back(clocks_table(session));
  if (!session.parts.empty()) findings.tables.push_back(parts_table(session));
  return findings;
}

}  // namespace evt::report
