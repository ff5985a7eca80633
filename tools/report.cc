#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "text_syntax.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMostDamage = 20;
constexpr std::size_t kMostLosses = 100;

const char* plural(std::uint64_t count) { return count == 1 ? "" : "s"; }

}  // namespace

void Report::say(const std::string& sentence) const {
  // Names in sentences come from users and files.
  const std::string line = text_from([&](TextBuffer& out) {
    out += command_;
    out += ": ";
    append_harmless(out, sentence);
    out += '\n';
  });
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int Report::usage(const std::string& sentence) const {
  say(sentence);
  std::fputs("Run with --help for more information.\n", stderr);
  return kExitUsage;
}

int Report::no_answer(const Status& status) const {
  say(status.message());
  return kExitNoAnswer;
}

void Report::say_losses(const std::string& name, const Session& session) const {
  const std::vector<Losses::Loss> losses = losses_.of(session);
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const Losses::Loss& loss = losses[i];
    if (i == kMostLosses) return say(fmt::format("{}: and {} more losses", name, losses.size() - i));
    say(fmt::format("{}: {} {}event{} of stream {} {} lost{}{}", name, loss.events, loss.is_rest ? "more " : "",
                    plural(loss.events), loss.stream->id, in_quotes(loss.stream->name), loss.cause.empty() ? "" : ": ",
                    loss.cause));
  }
}

void Report::say_missing(const std::string& name, const Trace& trace) const {
  const auto seconds = [](std::int64_t ns) { return text_from([ns](TextBuffer& out) { append_seconds(out, ns); }); };
  std::size_t shown = 0;
  for (const MissingRows& missing : trace.missing()) {
    if (shown++ == kMostDamage) {
      say(fmt::format("{}: and rows in {} more places missing", name, trace.missing().size() - kMostDamage));
      return;
    }
    const StreamInfo* const stream = trace.sessions()[missing.session].stream(missing.stream);
    const std::string of = stream == nullptr ? "of streams that are not known"
                                             : fmt::format("of stream {} {}", stream->id, in_quotes(stream->name));
    const std::string when = missing.or_later
                                 ? "after " + seconds(missing.from_ns)
                                 : fmt::format("between {} and {}", seconds(missing.from_ns), seconds(missing.to_ns));
    say(fmt::format("{}: {} row{} {} missing, recorded {}", name, missing.rows, plural(missing.rows), of, when));
  }
}

void Report::say_damage(const std::string& name, const Trace& trace) const {
  std::size_t shown = 0;
  for (const Damage& damage : trace.damage()) {
    if (shown++ == kMostDamage) {
      say(fmt::format("{}: and {} more places", name, trace.damage().size() - kMostDamage));
      return;
    }
    if (damage.length > 0) {
      say(fmt::format("{}: {} bytes at {} cannot be used: {}", name, damage.length, damage.offset, damage.reason));
    } else {
      say(fmt::format("{}: at {}: {}", name, damage.offset, damage.reason));
    }
  }
}

bool Report::say_not_known(const std::string& name, const Session& session) const {
  const std::uint64_t blocks = session.not_understood;
  if (blocks > 0) {
    say(fmt::format("{}: {} block{} that must be understood {} not known to this version{}", name, blocks,
                    plural(blocks), blocks == 1 ? "is" : "are",
                    session.abandoned ? ": the session is not read on" : ""));
  }
  const std::uint64_t rows = session.not_decodable - session.without_clock;
  if (rows > 0) {
    say(fmt::format("{}: {} row{} {} stored in a way that is not known to this version", name, rows, plural(rows),
                    rows == 1 ? "is" : "are"));
  }
  return blocks > 0 || rows > 0;
}

bool Report::say_not_described(const std::string& name, const Session& session) const {
  if (session.abandoned) return false;
  if (!session.declared) say(name + ": the SESSION block is missing: who was recorded is not known");
  const std::uint64_t rows = session.without_clock;
  if (rows > 0) {
    say(fmt::format("{}: {} row{} {} of a clock that no CLOCK block tells of: when they were is not known", name, rows,
                    plural(rows), rows == 1 ? "is" : "are"));
  }
  return !session.declared || rows > 0;
}

void Report::say_ring(const std::string& name, const Trace& trace, const Session& session) const {
  const std::uint64_t rows = session.ring_rows;
  if (session.ring == RingState::kLive) {
    say(fmt::format("{}: its writer still runs; {} row{} read from its ring {}", name, rows, plural(rows),
                    session.ring_name));
  } else if (session.ring == RingState::kRecovered && rows == 0) {
    const std::string_view nothing = nothing_lost(trace, session);
    say(fmt::format("{}: its writer ended without closing it{}{}", name, nothing.empty() ? "" : "; ", nothing));
  } else if (session.ring == RingState::kRecovered) {
    say(
        fmt::format("{}: its writer ended without closing it; {} row{} read from its ring {}, which evt check "
                    "--recover puts into the file",
                    name, rows, plural(rows), session.ring_name));
  } else if (session.ring == RingState::kPrivate && !session.closed) {
    say(fmt::format("{}: its ring was private memory: what the file lacks is gone", name));
  }
}

int Report::finish(const std::string& name, const Trace& trace) const {
  if (trace.spooled_bytes() > 0) {
    say(fmt::format("{}: {} bytes went into a temporary file, to put them in order", name, trace.spooled_bytes()));
  }
  for (const Session& session : trace.sessions()) say_losses(name, session);
  say_missing(name, trace);
  say_damage(name, trace);
  const Status status = trace.status();
  bool explained = !trace.damage().empty();
  for (const Session& session : trace.sessions()) {
    explained |= session.missing > 0;
    // A session of a later format as a whole is what the status tells of.
    const bool told_below = status.code() == Code::kNewerFormat && session.abandoned && !session.declared;
    if (!told_below) explained |= say_not_known(name, session);
    explained |= say_not_described(name, session);
  }
  for (const Session& session : trace.sessions()) say_ring(name, trace, session);
  if (status.ok()) return kExitOk;
  if (status.code() != Code::kDamaged || !explained) say(fmt::format("{}: {}", name, status.message()));
  const Session* const last = trace.sessions().empty() ? nullptr : &trace.sessions().back();
  if (status.code() != Code::kCut && last != nullptr && !last->closed && !last->abandoned &&
      last->ring != RingState::kRecovered && last->ring != RingState::kLive) {
    say(fmt::format("{}: the last session was cut: its end is missing", name));
  }
  return kExitPartly;
}

}  // namespace evt::tools
