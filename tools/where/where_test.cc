#include "where_test.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace evt::tools {
namespace {

bool is_negation(WhereOperator op) { return op == WhereOperator::kNotEqual || op == WhereOperator::kMatchesNot; }

}  // namespace

bool where_name_passes(const WhereComparison& comparison, const std::string& name) {
  return matches_pattern(comparison.value, name) != is_negation(comparison.op);
}

bool where_stream_passes(const WhereComparison& comparison, const StreamInfo& stream) {
  const bool is_it =
      matches_pattern(comparison.value, stream.name) || comparison.value == fmt::format("#{}", stream.id);
  return is_it != is_negation(comparison.op);
}

std::shared_ptr<const std::vector<bool>> WhereSession::streams(const WhereComparison& comparison) {
  auto& known = streams_[&comparison];
  if (known == nullptr) {
    auto made = std::make_shared<std::vector<bool>>();
    for (const StreamInfo& stream : session_->streams) made->push_back(where_stream_passes(comparison, stream));
    known = std::move(made);
  }
  return known;
}

std::shared_ptr<std::vector<WhereSession::Verdict>> WhereSession::texts(const WhereComparison& comparison) {
  auto& known = texts_[&comparison];
  if (known == nullptr) known = std::make_shared<std::vector<Verdict>>();
  return known;
}

std::variant<bool, WhereTest> WhereTest::make(const WhereComparison& comparison, const EventType& type,
                                              WhereSession& session) {
  const WhereSubject& subject = comparison.subject;
  const auto& fields = type.fields();
  const auto by_test = [&](auto is_it) -> std::variant<bool, WhereTest> {
    const auto found = std::ranges::find_if(fields, is_it);
    if (found == fields.end()) return false;
    return of_field(comparison, type, static_cast<std::size_t>(found - fields.begin()), session);
  };
  const auto by_role = [&](Role role) { return by_test([&](const Field& field) { return field.role == role; }); };
  if (subject.kind == WhereSubject::Kind::kRole) return by_role(subject.role);
  if (subject.kind != WhereSubject::Kind::kProperty) {
    return by_test([&](const Field& field) { return field.name == subject.name; });
  }
  switch (subject.property) {
    case WhereProperty::kTime:
      return of_range(Source::kTime, bind_where_moment(comparison, session.session()));
    case WhereProperty::kStream:
      return of_streams(comparison, session);
    case WhereProperty::kThread:
      if (type.field(Role::kThread) != nullptr) return by_role(Role::kThread);
      return of_range(Source::kStreamThread, bind_where_number(comparison));
    case WhereProperty::kType:
      return where_name_passes(comparison, type.name());
    case WhereProperty::kSize:
      return of_range(Source::kSize, bind_where_number(comparison));
    case WhereProperty::kDuration:
      if (type.field(Role::kDuration) != nullptr) return by_role(Role::kDuration);
      return of_lengths(session.lengths(comparison));
    case WhereProperty::kOrdinal:
      break;
  }
  return of_range(Source::kOrdinal, bind_where_number(comparison));
}

std::variant<bool, WhereTest> WhereTest::of_field(const WhereComparison& comparison, const EventType& type,
                                                  std::size_t index, WhereSession& session) {
  const Field& field = type.fields()[index];
  WhereBound bound = bind_where(comparison, field, session.session());
  if (!bound.error.empty()) return false;
  WhereTest test;
  const auto is_fixed = [](const Field& each) { return each.shape == Shape::kFixed; };
  const auto end = type.fields().begin() + static_cast<std::ptrdiff_t>(index);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < index; ++i) offset += type.fields()[i].width;
  const bool has_place = is_fixed(field) && std::all_of(type.fields().begin(), end, is_fixed);
  if (bound.range && has_place && offset <= EVT_MAX_EVENT_ROW) {
    test.integer_ = integer_at(static_cast<std::uint32_t>(offset), field);
    test.range_ = bound.range->in_highest(8 * field.width, field.kind == Kind::kSigned);
  } else {
    test.source_ = Source::kValue;
    test.index_ = index;
    test.value_test_ = std::move(bound.test);
    if (field.known() && field.kind == Kind::kInterned) test.texts_ = session.texts(comparison);
  }
  return test;
}

WhereTest::Integer WhereTest::integer_at(std::uint32_t offset, const Field& field) {
  constexpr std::uint32_t kEight = 8;
  Integer made;
  made.width = static_cast<std::uint8_t>(field.width);
  made.end = offset + field.width;
  made.room = std::max(made.end, kEight);
  made.at = made.room - kEight;
  made.shift = static_cast<std::uint8_t>(8 * (made.room - made.end));
  made.mask = ~std::uint64_t{0} << (64 - 8 * field.width);
  made.sign = field.kind == Kind::kSigned ? kWhereSign : 0;
  return made;
}

std::variant<bool, WhereTest> WhereTest::of_range(Source source, const WhereBound& bound) {
  if (!bound.range) return false;
  WhereTest test;
  test.source_ = source;
  test.range_ = *bound.range;
  return test;
}

WhereTest WhereTest::of_streams(const WhereComparison& comparison, WhereSession& session) {
  WhereTest test;
  test.source_ = Source::kStream;
  test.streams_ = session.streams(comparison);
  test.first_stream_ = session.session().streams.data();
  return test;
}

std::variant<bool, WhereTest> WhereTest::of_lengths(std::shared_ptr<const WhereEvents> lengths) {
  if (lengths == nullptr) return false;
  WhereTest test;
  test.source_ = Source::kDuration;
  test.lengths_ = std::move(lengths);
  return test;
}

bool WhereTest::other_holds_for(const Event& event) const {
  switch (source_) {
    case Source::kTime:
      return range_.contains(WhereRange::key(event.ns()));
    case Source::kStream:
      return (*streams_)[static_cast<std::size_t>(&event.stream() - first_stream_)];
    case Source::kStreamThread:  // 0: it has none
      return event.stream().thread != 0 && range_.contains(WhereRange::key(event.stream().thread));
    case Source::kSize:
      return range_.contains(WhereRange::key(std::uint64_t{event.payload().size()}));
    case Source::kOrdinal:
      return range_.contains(WhereRange::key(event.ordinal()));
    case Source::kDuration:
      return lengths_->has(event);
    default:
      return field_holds_for(event);
  }
}

bool WhereTest::field_holds_for(const Event& event) const {
  const std::optional<Value> value = event.value(index_);
  if (!value) return false;
  if (!value->is_sequence()) return value_passes(event, *value);
  bool any = false;
  value->for_each([&](const Value& element) { any = any || value_passes(event, element); });
  return any;
}

// The same few texts come again and again: each is looked at once.
bool WhereTest::value_passes(const Event& event, const Value& value) const {
  using Verdict = WhereSession::Verdict;
  constexpr std::uint64_t kMaxTexts = 65536;  // writers number them from 1 on; ids of a forged trace may be anything
  if (texts_ == nullptr) return value_test_(event, value);
  if (value.as_unsigned() >= kMaxTexts) return value_test_(event, value);
  const auto id = static_cast<std::size_t>(value.as_unsigned());
  if (id >= texts_->size()) texts_->resize(id + 1);
  Verdict& verdict = (*texts_)[id];
  if (verdict == Verdict::kNotKnown) verdict = value_test_(event, value) ? Verdict::kPasses : Verdict::kFails;
  return verdict == Verdict::kPasses;
}

}  // namespace evt::tools
