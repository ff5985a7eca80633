#include "losses.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/export/src/base/shown.h"

namespace evt::tools {

void Losses::add(const Event& event) {
  const auto count = event.value("count");
  const auto cause = event.value("cause");
  if (!count || !cause) return;
  const std::uint64_t number = cause->as_unsigned();
  const Field::Label* const label = cause->field().label(number);
  const std::string name = label != nullptr ? label->text : fmt::format("cause {}", number);
  Causes& causes = counted_[{&event.session(), event.stream().id}];
  if (!causes.contains(name) && noted_++ >= kMaxNoted) return;
  saturating_add(&causes[name], count->as_unsigned());
}

void Losses::carry(const Trace& before, const Trace& now) {
  std::map<std::pair<const Session*, std::uint32_t>, Causes> carried;
  for (auto& [of, causes] : counted_) {
    const std::size_t i = session_index(before, *of.first);
    if (i < now.sessions().size()) carried[{&now.sessions()[i], of.second}] = std::move(causes);
  }
  counted_ = std::move(carried);
}

std::vector<Losses::Loss> Losses::of(const Session& session) const {
  std::vector<Loss> all;
  for (const StreamInfo& stream : session.streams) {
    std::uint64_t rest = stream.lost;
    const auto causes = counted_.find({&session, stream.id});
    for (const auto& [cause, count] : causes != counted_.end() ? causes->second : Causes()) {
      all.push_back({&stream, cause, count, false});
      rest -= std::min(rest, count);
    }
    if (rest > 0) all.push_back({&stream, "", rest, rest < stream.lost});
  }
  return all;
}

std::string_view nothing_lost(const Trace& trace, const Session& session) {
  if (session.not_decodable > 0 || session.not_understood > 0 || !trace.damage().empty()) return "";
  return session.lost == 0 && session.missing == 0 ? "nothing is lost" : "nothing else is lost";
}

}  // namespace evt::tools
