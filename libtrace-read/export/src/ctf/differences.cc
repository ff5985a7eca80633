#include "differences.h"

#include "libtrace-read/text/counted_sentence.h"

namespace evt {
namespace {

bool has_type_meaning(const EventType& type) {
  const TypeMeaning& meaning = type.meaning();
  return type.role() != Role::kNone || !type.description().empty() || !meaning.facets.empty() ||
         !meaning.twin_of.empty() || !meaning.source_file.empty() || meaning.source_line != 0 ||
         !meaning.source_function.empty() || !meaning.tags.empty();
}

bool has_field_meaning(const Field& field) {
  return field.role != Role::kNone || field.unit != Unit::kNone || !field.description.empty() ||
         field.scope != Scope::kNotStated || !field.unit_text.empty() || !field.tags.empty();
}

}  // namespace

void CtfDifferences::add_type(const EventType& type) {
  has_meanings = has_meanings || has_type_meaning(type);
  for (const Field& field : type.fields()) {
    has_meanings = has_meanings || has_field_meaning(field);
    flags += field.is_flags ? 1 : 0;
    absent += field.absent ? 1 : 0;
    scaled += field.scale != 0 ? 1 : 0;
    times += field.known() && (field.kind == Kind::kTicks || field.kind == Kind::kTickDelta) ? 1 : 0;
  }
}

std::vector<std::string> CtfDifferences::sentences() const {
  std::vector<std::string> all;
  if (has_meanings)
    all.emplace_back("roles, units, descriptions and the like of types and fields have no place in CTF");
  if (has_facts) all.emplace_back("facts of the session have no place in CTF");
  add_counted(flags, " field of flags is an enumeration in CTF", " fields of flags are enumerations in CTF", &all);
  add_counted(absent, " field has a number in CTF where its value means none",
              " fields have a number in CTF where their value means none", &all);
  add_counted(scaled, " field has its number in CTF, without its scale",
              " fields have their numbers in CTF, without their scales", &all);
  add_counted(times, " field of times or durations has nanoseconds in CTF, as a number",
              " fields of times or durations have nanoseconds in CTF, as numbers", &all);
  add_counted(names, " field has another name in CTF, which has no such names",
              " fields have other names in CTF, which has no such names", &all);
  add_counted(other_forms, " event that lacks fields, or has more bytes, is of an event class of its own",
              " events that lack fields, or have more bytes, are of event classes of their own", &all);
  add_counted(zeros_in_texts, " event with a byte 0 in a text has its texts as bytes",
              " events with a byte 0 in a text have their texts as bytes", &all);
  add_counted(late, " event that is earlier than others of its stream is in a file of its own",
              " events that are earlier than others of their streams are in files of their own", &all);
  add_counted(moved, " event at a time that CTF cannot hold is at another",
              " events at times that CTF cannot hold are at others", &all);
  add_counted(impossible_stamps, " impossible time as it was recorded has no place in CTF",
              " impossible times as they were recorded have no place in CTF", &all);
  add_counted(undeclared, " event of a type that is not declared, behind 4096 such types: left out",
              " events of types that are not declared, behind 4096 such types: left out", &all);
  add_counted(scheduled, " event of a thread that runs, stops or is woken has only Linux's fields",
              " events of threads that run, stop or are woken have only Linux's fields", &all);
  add_counted(jumps, " step of time back by intent has no place in CTF",
              " steps of time back by intent have no place in CTF", &all);
  add_counted(losses, " loss of events has its cause left out", " losses of events have their causes left out", &all);
  add_counted(streams, " stream without events: left out", " streams without events: left out", &all);
  return all;
}

}  // namespace evt
