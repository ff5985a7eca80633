#include "where_filter.h"

#include <utility>
#include <variant>

#include "where_parser.h"

namespace evt::tools {

Status WhereFilter::add(std::string_view text) {
  WhereParsed parsed = parse_where(text);
  if (!parsed.expression) return {Code::kInvalid, parsed.error.in(std::string(text))};
  conditions_.push_back({std::string(text), *std::move(parsed.expression)});
  return {};
}

Status WhereFilter::resolve(const std::vector<const Trace*>& traces, const WantsType& wants_type) {
  all_ = WhereExpression();
  all_.kind = WhereExpression::Kind::kAnd;
  for (const Condition& condition : conditions_) {
    WhereExpression& resolved = all_.parts.emplace_back(condition.expression);
    const auto wrong = resolve_where(&resolved, traces, wants_type);
    if (wrong) return {Code::kInvalid, wrong->in(condition.text)};
  }
  session_ = nullptr;
  lengths_.clear();
  return {};
}

void WhereFilter::look_at(Trace& trace) {
  const std::vector<const WhereComparison*> durations = where_durations(all_);
  if (!durations.empty()) lengths_.look_at(trace, durations);
}

std::vector<std::string> WhereFilter::nowhere_in(const std::vector<const Trace*>& traces) const {
  return where_nowhere_in(all_, traces);
}

void WhereFilter::begin(const Session& session) const {
  session_ = &session;
  scope_.emplace(session, lengths_);
  first_type_ = reinterpret_cast<std::uintptr_t>(session.types.data());
  programs_.clear();
  programs_.resize(session.types.size());
  others_.clear();
}

bool WhereFilter::first_holds_for(const Event& event) const {
  if (&event.session() != session_) begin(event.session());
  const std::uintptr_t place = place_of(event.type());
  if (place >= programs_.size()) return other_holds_for(event);
  programs_[place] = WhereProgram(all_, event.type(), *scope_);
  return programs_[place].holds_for(event);
}

// Types that the trace does not declare may be gone after their events: what was found out of them is kept by their
// names, which say all that there is to say of them.
bool WhereFilter::other_holds_for(const Event& event) const {
  // A trace that is in order has few; a hostile one shall not make this grow with its events.
  constexpr std::size_t kMaxOthers = 4096;
  const auto known = others_.find(event.type().name());
  if (known != others_.end()) return known->second.holds_for(event);
  if (others_.size() == kMaxOthers) return WhereProgram(all_, event.type(), *scope_).holds_for(event);
  return others_.try_emplace(event.type().name(), all_, event.type(), *scope_).first->second.holds_for(event);
}

WhereProgram::WhereProgram(const WhereExpression& expression, const EventType& type, WhereSession& session)
    : first_(add(expression, kYes, kNo, type, session)) {}

// From the last part to the first: each must know where the next one begins. A comparison whose answer is known makes
// no step, so that an expression whose answer it decides has none either.
std::uint32_t WhereProgram::add(const WhereExpression& expression, std::uint32_t if_true, std::uint32_t if_false,
                                const EventType& type, WhereSession& session) {
  switch (expression.kind) {
    case WhereExpression::Kind::kNot:
      return add(expression.parts.front(), if_false, if_true, type, session);
    case WhereExpression::Kind::kAnd:
      for (auto part = expression.parts.rbegin(); part != expression.parts.rend(); ++part) {
        if_true = add(*part, if_true, if_false, type, session);
      }
      return if_true;
    case WhereExpression::Kind::kOr:
      for (auto part = expression.parts.rbegin(); part != expression.parts.rend(); ++part) {
        if_false = add(*part, if_true, if_false, type, session);
      }
      return if_false;
    case WhereExpression::Kind::kComparison:
      break;
  }
  auto made = WhereTest::make(expression.comparison, type, session);
  if (const bool* const known = std::get_if<bool>(&made)) return *known ? if_true : if_false;
  steps_.push_back({std::get<WhereTest>(std::move(made)), {if_false, if_true}});
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

}  // namespace evt::tools
