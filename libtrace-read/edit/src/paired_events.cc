#include "paired_events.h"

namespace evt {
namespace {

constexpr std::uint64_t kSeed = 0x9E3779B97F4A7C15;

std::uint64_t mixed(std::uint64_t a) {
  a = (a ^ a >> 30) * 0xBF58476D1CE4E5B9;
  a = (a ^ a >> 27) * 0x94D049BB133111EB;
  return a ^ a >> 31;
}

std::uint64_t hash_of(std::uint64_t seed, Bytes bytes) {
  for (const std::byte byte : bytes) seed = mixed(seed ^ static_cast<std::uint64_t>(byte)) + kSeed;
  return mixed(seed ^ bytes.size());
}

// Numbers of any width are equal values, and so are interned and other texts.
std::uint64_t hash_of(std::uint64_t seed, const Value& value, const Session& session) {
  const bool is_small = !value.is_sequence() && value.bytes().size() <= sizeof(std::uint64_t);
  switch (value.kind()) {
    case Kind::kInterned:
      if (const std::string* text =
              is_small ? session.text(
                             {value.as_unsigned() <= UINT32_MAX ? static_cast<std::uint32_t>(value.as_unsigned()) : 0})
                       : nullptr) {
        return hash_of(seed, {reinterpret_cast<const std::byte*>(text->data()), text->size()});
      }
      break;
    case Kind::kUnsigned:
    case Kind::kEnumeration:
      if (is_small) return mixed(seed ^ mixed(value.as_unsigned() + kSeed));
      break;
    case Kind::kSigned:
      if (is_small) return mixed(seed ^ mixed(static_cast<std::uint64_t>(value.as_signed()) + kSeed));
      break;
    default:
      break;
  }
  return hash_of(seed, value.bytes());
}

std::optional<Value> field_of(const Event& event, const std::string& name) {
  return name.empty() ? event.value(std::size_t{0}) : event.value(name);
}

}  // namespace

void SeenMessages::read(Trace& trace, const Session& session, std::size_t scale) {
  EventOptions options;
  options.by_ns = true;
  // Other sessions of the trace are not read.
  options.range = [&](const Session& each) { return &each == &session ? TimeRange{} : TimeRange{1, 0}; };
  Events events = trace.events(options);
  while (const Event* const event = events.next()) {
    if (&event->session() != &session) continue;
    for (std::size_t i = 0; i < matched_.size(); ++i) {
      const bool is_sent = event->type().name() == matched_[i].send;
      if (!is_sent && event->type().name() != matched_[i].receive) continue;
      const auto value = field_of(*event, matched_[i].field);
      if (!value) continue;
      const std::uint64_t hash = hash_of(mixed(i + kSeed), *value, session);
      note(is_sent ? sent_ : received_, hash, scale, later_ns(session.start_ns, event->ns()));
    }
  }
}

void SeenMessages::note(Sightings& sightings, std::uint64_t value, std::size_t scale, std::int64_t ns) {
  if (value > highest_) return;
  const auto [place, is_new] = sightings.try_emplace(value, Sighting{scale, ns, false});
  if (!is_new) place->second.again = true;
  while (sent_.size() + received_.size() > kMax) {
    highest_ /= 2;
    for (Sightings* const each : {&sent_, &received_}) each->erase(each->upper_bound(highest_), each->end());
  }
}

std::vector<SeenMessages::Pair> SeenMessages::pairs() const {
  std::vector<Pair> pairs;
  for (const auto& [value, sent] : sent_) {
    const auto received = received_.find(value);
    if (received == received_.end() || sent.again || received->second.again) continue;
    if (sent.scale == received->second.scale) continue;
    pairs.push_back({sent.scale, sent.ns, received->second.scale, received->second.ns});
  }
  return pairs;
}

}  // namespace evt
