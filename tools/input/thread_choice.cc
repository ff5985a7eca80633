#include "input/thread_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/report/shared/thread_groups.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

using Names = std::vector<std::string>;

// How sentences list it is the last, here and below. `process`: of a stream, 0 where it states none.
Names names_of_process(const Session& session, std::uint32_t part, std::uint64_t process) {
  Names names;
  if (process != 0 || part == Actor::kNone) names.push_back(std::to_string(process != 0 ? process : session.pid));
  if (part != Actor::kNone) {
    for (const char* const key : {EVT_FACT_PART_PID, EVT_FACT_PART_PROGRAM}) {
      const std::string* const value = session.fact(EVT_FACT_SCOPE_PART, part, key);
      if (value != nullptr) names.push_back(*value);
    }
    names.push_back(session.part_name(part));
  } else if (process == 0 || process == session.pid) {
    const std::string program = session.program.substr(session.program.rfind('/') + 1);
    names.insert(names.end(), {program, fmt::format("{}.{}", program, session.pid)});
  }
  return names;
}

Names names_of_stream(const Session& session, const StreamInfo& stream, std::uint32_t part) {
  Names names = {fmt::format("#{}", stream.id)};
  if (stream.thread != 0) names.push_back(std::to_string(stream.thread));
  if (!stream.name.empty()) names.push_back(stream.name);
  if (part == Actor::kNone) return names;
  Names with_part;
  for (const std::string& name : names) with_part.push_back(session.part_name(part) + ":" + name);
  names.insert(names.begin(), with_part.begin(), with_part.end());
  return names;
}

// Two parts of which that is known.
bool are_of_one_boot(const Session& session, std::uint32_t a, std::uint32_t b) {
  const std::string* const boot = session.fact(EVT_FACT_SCOPE_PART, a, EVT_FACT_PART_BOOT);
  const std::string* const other = session.fact(EVT_FACT_SCOPE_PART, b, EVT_FACT_PART_BOOT);
  return a == b || (boot != nullptr && other != nullptr && *boot == *other);
}

}  // namespace

bool ThreadChoice::Known::matches(const Names& patterns, const Names& names_of_one, bool is_listed) {
  constexpr std::size_t kMostLabels = 8;
  if (patterns.empty()) return true;
  is_met.resize(patterns.size());
  bool is_any = false;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const bool is_one =
        std::ranges::any_of(names_of_one, [&](const std::string& name) { return matches_name(patterns[i], name); });
    is_met[i] = is_met[i] || is_one;
    is_any |= is_one;
  }
  for (const std::string& name : names_of_one) {
    if (!name.starts_with('#')) names.insert(name);
  }
  const bool is_new = std::ranges::find(labels, names_of_one.back()) == labels.end();
  if (is_listed && is_new && labels.size() < kMostLabels) labels.push_back(names_of_one.back());
  return is_any;
}

void ThreadChoice::Known::add_nowhere(const char* what, const Names& patterns, Names* sentences) const {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (i < is_met.size() && is_met[i]) continue;
    std::string end = did_you_mean(patterns[i], {names.begin(), names.end()});
    if (end.empty() && !labels.empty()) end = fmt::format("; there are {}", fmt::join(labels, ", "));
    sentences->push_back(fmt::format("no {} is called {}{}", what, word_in_sentence(patterns[i]), end));
  }
}

bool ThreadChoice::InSession::has(std::uint64_t number, std::uint32_t part) const {
  const auto found = threads.find(number);
  return found != threads.end() && std::ranges::find(found->second, part) != found->second.end();
}

bool ThreadChoice::InSession::has_unnamed(std::size_t stream, std::uint64_t ordinal) const {
  const StreamTurns::Thread thread = turns.at(stream, ordinal);
  return thread.is_any ? has(thread.number, thread.part) : streams[stream];
}

void ThreadChoice::clear() {
  sessions_.clear();
  known_threads_ = known_processes_ = {};
  has_others_ = are_turns_too_many_ = false;
}

void ThreadChoice::look_at(Trace& trace) {
  if (empty()) return;
  EventOptions all;
  all.markers = true;
  Events events = trace.events(all);
  RoleEvents roles(trace, events);
  while (roles.next_session()) {
    StreamTurns turns;
    while (const RoleEvent* const event = roles.next()) {
      const bool may_name_one = event->role == Role::kNone && event->event != nullptr;
      if (may_name_one) roles.actors().other_thread(*event->event, Role::kThread);
      turns.take(*event, roles.actors());
    }
    are_turns_too_many_ |= turns.are_too_many();
    sessions_[&roles.actors().session()].turns = std::move(turns);
    look_at(roles.actors().session(), roles.actors());
  }
  // Those behind a place that cannot be read.
  for (const Session& session : trace.sessions()) {
    Actors none(session);
    if (!sessions_.contains(&session)) look_at(session, none);
  }
}

void ThreadChoice::look_at(const Session& session, Actors& actors) {
  InSession& found = sessions_[&session];
  std::unordered_map<std::uint64_t, std::uint64_t> by_thread;
  for (const StreamInfo& stream : session.streams) by_thread.try_emplace(stream.thread, stream.process);
  has_others_ |= actors.threads().has_others();
  for (std::uint32_t i = 0; i < actors.threads().size(); ++i) {
    const Actor& thread = actors.threads()[i];
    if (thread.is_stream || thread.is_idle || i == Actor::kOthers) continue;
    const auto process = thread.part == Actor::kNone ? by_thread.find(thread.number) : by_thread.end();
    const bool is_thread = known_threads_.matches(threads, report::names_of_thread(actors, i));
    const bool is_of_process = known_processes_.matches(
        processes, names_of_process(session, thread.part, process == by_thread.end() ? 0 : process->second));
    if (is_thread && is_of_process) found.threads[thread.number].push_back(thread.part);
  }
  const bool has_threads = !known_threads_.labels.empty();
  for (const StreamInfo& stream : session.streams) {
    const std::uint32_t part = actors.part_of(stream);
    const bool is_thread =
        known_threads_.matches(threads, names_of_stream(session, stream, part), stream.thread != 0 || !has_threads);
    const bool is_of_process = known_processes_.matches(processes, names_of_process(session, part, stream.process));
    found.streams.push_back((is_thread && is_of_process) || (stream.thread != 0 && found.has(stream.thread, part)));
    found.parts.push_back(part);
  }
}

// Where the scope of its field is the boot, parts of one boot have it in common.
bool ThreadChoice::wants_thread(const Session& session, std::uint64_t number, const StreamInfo& stream,
                                Scope scope) const {
  const InSession& found = in(session);
  const auto chosen = found.threads.find(number);
  if (chosen == found.threads.end()) return false;
  const std::uint32_t own = found.parts[static_cast<std::size_t>(&stream - session.streams.data())];
  return std::ranges::any_of(chosen->second, [&](std::uint32_t part) {
    if (scope == Scope::kBoot) return are_of_one_boot(session, own, part);
    return part == (scope == Scope::kNetwork ? Actor::kNone : own);
  });
}

bool ThreadChoice::wants(const Event& event, const Actor* thread) const {
  const Session& session = event.session();
  const StreamInfo& stream = event.stream();
  std::uint64_t number = 0;
  if (thread != nullptr && !thread->is_stream) return in(session).has(thread->number, thread->part);
  if (event.get_number(Role::kThread, &number)) {
    return wants_thread(session, number, stream, event.type().field(Role::kThread)->scope);
  }
  return in(session).has_unnamed(static_cast<std::size_t>(&stream - session.streams.data()), event.ordinal());
}

bool ThreadChoice::wants(const Session& session, const StreamInfo& stream, const EventType& type, Bytes fields,
                         std::uint64_t ordinal) const {
  FieldWalker walker(type.fields(), fields);
  while (const auto value = walker.next()) {
    if (value->field().role != Role::kThread || value->is_sequence()) continue;
    return wants_thread(session, value->as_unsigned(), stream, value->field().scope);
  }
  return in(session).has_unnamed(static_cast<std::size_t>(&stream - session.streams.data()), ordinal);
}

Names ThreadChoice::nowhere() const {
  Names sentences;
  known_threads_.add_nowhere("thread", threads, &sentences);
  known_processes_.add_nowhere("process", processes, &sentences);
  if (has_others_) {
    sentences.push_back(
        fmt::format("there are more than {} threads: --thread and --process know no others", Actor::kOthers));
  }
  if (are_turns_too_many_) {
    sentences.push_back(
        fmt::format("threads take more than {} turns on streams: --thread and --process know no later ones of events "
                    "that name no thread",
                    StreamTurns::kMost));
  }
  return sentences;
}

}  // namespace evt::tools
