#include "why_words.h"

#include <fmt/format.h>

namespace evt::report {
namespace {

constexpr std::string_view kLock = "lock";

struct Word {
  WhyKind kind;
  const char* key;   // for programs
  const char* text;  // for people; of several it is only the beginning
};
constexpr Word kWords[] = {
    {WhyKind::kRan, "running", "running"},
    {WhyKind::kOutside, "outside", "running outside the program"},
    {WhyKind::kWaited, "waiting", "waiting"},
    {WhyKind::kCaused, "cause", ""},
    {WhyKind::kOver, "waking", "waking up after the wait ended"},
    {WhyKind::kRunnable, "runnable", "runnable"},
    {WhyKind::kCollected, "collecting", "garbage collection"},
    {WhyKind::kStopped, "stopped", "the process was stopped"},
    {WhyKind::kUncertain, "uncertain", "uncertain: events were lost"},
    {WhyKind::kUnknown, "unknown", "running or waiting"},
    {WhyKind::kAbsent, "absent", "did not exist"},
    {WhyKind::kAndSoOn, "and so on", "and so on"},
};
const Word& word_of(WhyKind kind) { return kWords[static_cast<std::size_t>(kind)]; }

constexpr const char* kCauses[] = {"woke", "held", "sent", "ended", "created"};

}  // namespace

const char* WhyWords::key(const WhyStep& step) const {
  return step.kind == WhyKind::kCaused ? kCauses[static_cast<std::size_t>(step.cause)] : word_of(step.kind).key;
}

std::string WhyWords::thread(std::uint32_t index) const {
  if (index == Actor::kNone) return "another thread";
  if (index >= Actor::kOthers) return "(others)";
  if (!threads_) threads_.emplace(timeline_->actors());
  return threads_->of(index);
}

const WhyPlace* WhyWords::place_of(const WhyStep& step) const {
  return step.place == WhyStep::kNone ? nullptr : &why_->places()[step.place];
}

std::string WhyWords::name(const WhyStep& step) const {
  const WhyPlace* const place = place_of(step);
  return place == nullptr || place->name == WhyPlace::kNone ? "" : timeline_->names().text(place->name);
}

std::uint32_t WhyWords::target_of(const WhyStep& step) const {
  const WhyPlace* const place = place_of(step);
  return place == nullptr ? WhyPlace::kNone : place->target;
}

std::string WhyWords::resource(std::uint32_t target) const {
  if (target == WhyPlace::kNone) return "";
  const std::uint32_t resource = why_->targets()[target].resource;
  return resource == Usage::kNone ? "" : timeline_->names().text(resource);
}

std::string WhyWords::object(std::uint32_t target) const {
  if (target == WhyPlace::kNone) return "";
  const Usage::Target& object = why_->targets()[target];
  if (object.name != Usage::kNone) return timeline_->names().text(object.name);
  return object.number == 0 ? "" : object_number(object.number);
}

// write(orders.log), place order
std::string WhyWords::call_of(const WhyPlace* place) const {
  if (place == nullptr || place->name == WhyPlace::kNone) return "";
  const std::string& name = timeline_->names().text(place->name);
  if (!place->is_call) return name;
  const std::string about = object(place->target);
  return about.empty() ? name : fmt::format("{}({})", name, about);
}

std::string WhyWords::in(const char* what, const WhyStep& step) const {
  const std::string name = call_of(place_of(step));
  return name.empty() ? what : fmt::format("{}: {}", what, name);
}

std::string WhyWords::wait_of(const WhyStep& step) const {
  const WhyPlace* const place = place_of(step);
  const std::string about = object(place->target);
  if (resource(place->target) == kLock && !about.empty()) return fmt::format("waiting for the lock {}", about);
  const bool has_reason = place->reason < timeline_->reasons().size();
  const std::string reason = has_reason ? timeline_->reasons()[place->reason].text : "";
  const std::string name = call_of(place);
  if (place->is_call) return "waiting in " + name;
  std::string words = "waiting";
  if (reason == "sleeping") words = reason;
  if (!reason.empty() && reason != "sleeping" && reason != "blocked") words += ": " + reason;
  if (!about.empty()) words += " for " + about;
  return name.empty() ? words : fmt::format("{} in {}", words, name);
}

std::string WhyWords::cause_of(const WhyStep& step, const WhyStep& above) const {
  const std::string who = thread(step.thread);
  const std::string what = above.kind == WhyKind::kWaited ? resource(target_of(above)) : "";
  switch (step.cause) {
    case WhyCause::kWoke:
      return who + (what == kLock ? " held it" : " woke it");
    case WhyCause::kHeld:
      return who + (what == kLock || what.empty() ? " held it" : " had not ended");
    case WhyCause::kSent:
      return who + " had not sent yet";
    case WhyCause::kEnded:
      return who + " had not ended";
    case WhyCause::kCreated:
      return who + " had not created it";
  }
  return who;
}

const char* WhyWords::unknown_cause(const WhyStep& wait) const {
  return resource(target_of(wait)) == kLock ? "holder not known" : "cause not known";
}

std::string WhyWords::runnable_of(const WhyStep& step) const {
  if (step.thread == WhyStep::kNone) return "runnable";
  if (step.cpu == WhyStep::kNone) return "runnable: it is unknown where it ran next";
  const std::string cpu = timeline_->actors().cpus()[step.cpu].name_or_number("cpu");
  const bool is_recorded = step.other != WhyStep::kNone &&
                           (step.other >= Actor::kOthers || !timeline_->actors().threads()[step.other].is_idle);
  if (!is_recorded) return fmt::format("runnable: {} ran another program, or nothing", cpu);
  return fmt::format("runnable: {} ran {}", cpu, thread(step.other));
}

std::string WhyWords::collection_of(const WhyStep& step) const {
  std::string words = word_of(step.kind).text;
  if (step.leader != WhyStep::kNone) {
    const StreamInfo& leader = timeline_->actors().session().streams[step.leader];
    words += " led by " + (leader.name.empty() ? fmt::format("stream {}", leader.id) : leader.name);
  }
  if (step.other == WhyStep::kNone) return words;
  if (step.leader != WhyStep::kNone) words += ",";
  return words + " asked for by " + (step.other == step.thread ? "itself" : thread(step.other));
}

std::string WhyWords::sentence(const WhyStep& step, const WhyStep& above) const {
  switch (step.kind) {
    case WhyKind::kWaited:
      return wait_of(step);
    case WhyKind::kCaused:
      return cause_of(step, above);
    case WhyKind::kRunnable:
      return runnable_of(step);
    case WhyKind::kCollected:
      return collection_of(step);
    default:
      return in(word_of(step.kind).text, step);
  }
}

}  // namespace evt::report
