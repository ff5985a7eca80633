// An event type as declared by a trace.
#pragma once

#include <evt/status.h>
#include <evt/value.h>

#include <memory>
#include <string>
#include <vector>

namespace evt {
class MetadataReader;
}

#pragma GCC visibility push(default)
namespace evt {

namespace decoding {

// How to read a struct T from this type's payloads; made once per type and T (see <evt/decode.h>).
struct Binding {
  struct Step {
    std::int32_t index = -1;   // the file's field; -1: the file has none, the default stays
    std::int32_t offset = -1;  // in every payload; -1: after a field of variable size
  };
  bool matches = false;  // the names are equal, and the fields agree
  Status error;          // why they do not
  std::vector<Step> steps;
};

// Where in a payload the field with a role is.
struct RoleField {
  Role role = Role::kNone;
  std::uint8_t width = 0;    // its number's; 0: not a number, or not at a fixed offset
  std::uint8_t count = 0;    // bytes that have the size of its text; 0: as above
  std::uint32_t offset = 0;  // in every payload
  std::uint32_t index = 0;   // the field's
};

}  // namespace decoding

// An additional meaning of an event: as if an event with this role and only these fields happened at its time.
struct Facet {
  struct OfField {
    std::uint16_t field = 0;  // index in the type's fields
    Role role = Role::kNone;
    friend bool operator==(const OfField&, const OfField&) = default;
  };
  Role role = Role::kNone;
  std::vector<OfField> fields;
  friend bool operator==(const Facet&, const Facet&) = default;
};

// The meaning of a type's events, beyond their role and fields.
struct TypeMeaning {
  std::vector<Facet> facets;      // after the type's own role, in their order
  std::string twin_of;            // for a twin that a tool added: the name of its type
  std::string source_file;        // where the program records the event
  std::uint32_t source_line = 0;  // 0: not stated
  std::string source_function;
  std::vector<std::string> tags;  // private roles, in reverse DNS
};

// Lives as long as the trace, or, if the trace does not declare it, as long as the events; beyond 4096 undeclared
// types, some live only as long as their event. One thread at a time.
class EventType {
 public:
  EventType(std::string name, std::uint32_t number) : name_(std::move(name)), number_(number) {}

  // `type#N` for a number that the trace does not declare.
  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  std::uint32_t number() const { return number_; }
  bool declared() const { return declared_; }
  Role role() const { return role_; }
  const std::vector<Field>& fields() const { return fields_; }
  const TypeMeaning& meaning() const { return meaning_; }
  // True if its events have this role, directly or through a facet.
  bool has_role(Role role) const;
  // One type for each facet, with the role of the facet; only its fields have roles.
  const std::vector<EventType>& facet_types() const { return facet_types_; }
  // The first field with this role, or null.
  const Field* field(Role role) const {
    const decoding::RoleField* const found = role_field(role);
    return found != nullptr ? &fields_[found->index] : nullptr;
  }
  // Payload bytes of every row as declared, or EVT_SIZE_VARIABLE. Actual rows may differ.
  std::uint16_t declared_size() const { return declared_size_; }

 private:
  friend class MetadataReader;
  friend class Event;
  friend class TypeLookup;

  const decoding::RoleField* role_field(Role role) const {
    const auto number = static_cast<std::size_t>(role);
    const std::size_t place = number < EVT_ROLE_COUNT ? role_places_[number] : 0;
    return place != 0 ? &role_fields_[place - 1] : nullptr;
  }
  void find_role_fields();
  void make_facet_types();

  // The reader's own types.
  enum class Marker : std::uint8_t { kNone, kLost, kJump, kEnd };

  std::string name_;
  std::string description_;
  std::uint32_t number_;
  bool declared_ = false;
  Marker marker_ = Marker::kNone;
  Role role_ = Role::kNone;
  std::uint16_t declared_size_ = EVT_SIZE_VARIABLE;
  std::vector<Field> fields_;
  TypeMeaning meaning_;
  std::vector<EventType> facet_types_;
  std::vector<decoding::RoleField> role_fields_;                      // the first of each role
  std::uint8_t role_places_[EVT_ROLE_COUNT] = {};                     // 1 + the index in role_fields_, by role; 0: none
  mutable std::vector<std::unique_ptr<decoding::Binding>> bindings_;  // by the number of T
};

}  // namespace evt
#pragma GCC visibility pop
