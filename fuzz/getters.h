// Everything that can be asked of an event and of a session: whatever a trace holds, there is an answer.
#pragma once

#include <evt/trace.h>

#include "fuzz_target.h"

namespace fuzz {

struct Known {
  std::uint32_t thread = 0;
  std::string_view why;
  std::span<const std::uint16_t> numbers;
};

}  // namespace fuzz

template <>
inline constexpr auto evt::schema<fuzz::Known> = evt::event("sched.stop", "",
                                                            evt::field("thread", &fuzz::Known::thread),
                                                            evt::field("why", &fuzz::Known::why),
                                                            evt::field("numbers", &fuzz::Known::numbers));

namespace fuzz {

inline void use_every_getter(const evt::Event& event) {
  event.utc_ns();
  event.ticks_to_ns(event.ticks());
  event.is_known(event.ticks());
  event.delta_to_ns(static_cast<std::int64_t>(event.ticks()));
  event.value("thread");
  event.value(std::size_t{3});
  event.as<Known>();
  for (const evt::Field& field : event.type().fields()) {
    const auto value = event.value(field.role);
    const bool is_text = value && value->kind() == evt::Kind::kText && !value->is_sequence();
    std::string_view text;
    FUZZ_CHECK(event.get_text(field.role, &text) == is_text && (!is_text || text == value->as_text()));
  }
  evt::FieldWalker walker = event.values();
  while (const auto value = walker.next()) {
    value->as_unsigned();
    value->as_signed();
    value->as_double();
    value->as_text();
    std::size_t elements = 0;
    value->for_each([&](const evt::Value& element) { elements += element.bytes().size() < SIZE_MAX ? 1 : 0; });
    FUZZ_CHECK(elements == value->count());
  }
  FUZZ_CHECK(walker.rest().size() <= event.payload().size());
}

inline void use_every_getter(const evt::EventType& type) {
  FUZZ_CHECK(!type.name().empty());
  FUZZ_CHECK(type.fields().size() <= EVT_MAX_FIELDS);
  for (const evt::Field& field : type.fields()) {
    field.known();
    for (const evt::Field::Label& label : field.labels) FUZZ_CHECK(field.label(label.value) != nullptr);
  }
}

inline void use_every_getter(const evt::Session& session) {
  FUZZ_CHECK(session.origins.size() <= EVT_MAX_ORIGINS);
  for (const evt::EventType& type : session.types) {
    use_every_getter(type);
    FUZZ_CHECK(session.type(type.name()) != nullptr);
  }
  for (const auto& [id, text] : session.strings) {
    FUZZ_CHECK(text.size() <= EVT_MAX_STRING);
    FUZZ_CHECK(id == 0 || session.text({id}) == &text);
  }
  std::uint64_t rows = 0;
  const evt::StreamInfo* before = nullptr;
  for (const evt::StreamInfo& stream : session.streams) {
    FUZZ_CHECK(before == nullptr || before->id < stream.id);
    FUZZ_CHECK(session.stream(stream.id) == &stream);
    rows += stream.rows;
    before = &stream;
  }
  FUZZ_CHECK(rows == session.rows);
  for (const evt::Fact& fact : session.facts) {
    FUZZ_CHECK(session.fact(fact.scope, fact.id, fact.key) == &fact.value);
  }
}

inline void use_every_getter(const evt::Trace& trace) {
  for (const evt::Session& session : trace.sessions()) use_every_getter(session);
  for (const evt::Damage& damage : trace.damage()) {
    FUZZ_CHECK(damage.offset <= trace.size() && damage.length <= trace.size() - damage.offset);
    FUZZ_CHECK(!damage.reason.empty());
  }
  if (!trace.damage().empty()) FUZZ_CHECK(!trace.status().ok());
}

}  // namespace fuzz
