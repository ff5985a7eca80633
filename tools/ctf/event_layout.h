// Events of one class of a CTF trace as an event type.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <evt/emit.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "known_events.h"

namespace evt::ctf {

// What runs where, and texts that have numbers: of the whole trace.
struct Surroundings {
  evt_writer* writer = nullptr;
  bool has_waking = false;
  bool is_own = false;              // the trace is of evt convert: what it writes as bytes are bytes
  std::uint64_t cut_sequences = 0;  // that had more elements than an array may have
  std::unordered_map<std::uint64_t, std::uint64_t> running;  // the thread of each cpu
};

// Fields of the contexts and of the payload, in this order; structures are flattened (`a.b`), what has no counterpart
// becomes text, and how many elements a sequence has is no field.
class EventLayout {
 public:
  // Declares the type, with another name than the class's if that is taken by one with other fields. The first event of
  // the class shows what contexts it has.
  EventLayout(Surroundings& surroundings, const bt_event* event);

  // `ticks`: of the writer's clock.
  void write(evt_stream* stream, const bt_event* event, std::uint64_t ticks);
  const std::string& error() const { return error_; }

 private:
  struct Labels {
    std::deque<std::string> texts;
    std::vector<evt_label> all;
  };

  // How a value becomes a field's, member by member of the structures.
  enum class Way : std::uint8_t { kLeftOut, kNumber, kNumbers, kBytes, kFixedBytes, kTexts, kListOfBytes, kText };
  struct Step {
    Way way = Way::kText;
    std::uint32_t width = 0;  // of numbers
  };

  void add(const bt_field_class* type, const std::string& name);
  void add_members(const bt_field_class* type, const std::string& front);
  Way way_of(const bt_field_class* type) const;
  void add_number(const bt_field_class* type, const std::string& name, std::uint16_t shape);
  void add_labels(const bt_field_class* type, evt_field* field);
  evt_field& add_field(const std::string& name, std::uint16_t kind, std::uint16_t shape, std::uint32_t width);
  bool has(std::string_view name) const;
  void declare(const bt_event* event);
  void write_members(evt_row* row, const bt_field* field, const Step** step);
  void write_field(evt_row* row, const bt_field* field, const Step& step);
  std::uint64_t count_of(const bt_field* sequence);
  void append_elements(const bt_field* sequence, std::uint64_t count, std::uint32_t width);
  void write_list(evt_row* row, const bt_field* sequence);
  void write_added(evt_row* row, const bt_event* event);

  Surroundings& surroundings_;
  KnownEvent known_;
  std::string name_;
  std::deque<std::string> names_;
  std::deque<Labels> labels_;
  std::vector<evt_field> fields_;
  std::vector<Step> steps_;
  const evt_type* type_ = nullptr;
  std::string error_;
  std::uint32_t function_ = 0;  // the id of its name
  std::string text_;            // of a field in the making
};

}  // namespace evt::ctf
