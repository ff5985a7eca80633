// Events of one class of a CTF trace as an event type.
#pragma once

#include <evt/describe.h>

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "field_reader.h"
#include "known_events.h"
#include "libtrace-read/import/src/imported_types.h"
#include "metadata.h"

namespace evt::ctf {

// Common knowledge about all traces that become one session.
struct Surroundings {
  ImportedTypes types;
  std::unordered_map<std::string, std::uint32_t> functions;  // their names, by their ids
  bool has_waking = false;
  bool is_own = false;              // evt convert made the traces: bytes are what it writes as such
  std::uint64_t cut_sequences = 0;  // that had more elements than an array may have
  std::uint64_t cut_texts = 0;      // in lists, that had more bytes than one of them may have

  // The id of a name; 0 if there are too many.
  std::uint32_t function(const std::string& name);
};

// Row data that is known only in order of time: which thread runs on which cpu.
struct Running {
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  std::uint32_t cpu = kUnknown;
  std::uint32_t next = 0;  // for a switch: the thread that runs from now on
  bool is_switch = false;
  bool has_no_thread = false;  // the last 4 bytes of the row are for the thread that runs on the cpu
};

// Fields of the contexts and of the payload, in this order; structures are flattened (`a.b`), values without a
// counterpart become text, and the number of elements of a sequence is not a field.
class EventType {
 public:
  static constexpr std::size_t kMaxRow = 4 << 20;

  EventType(Surroundings& surroundings, const Metadata& metadata, const StreamClass& stream, const EventClass& event);

  // 0: there are too many types.
  std::uint32_t number() const { return number_; }
  // Reads an event after its header: its fields become the row's. Returns false if it cannot be read; the reader has
  // the reason. Bytes beyond kMaxRow are left out.
  bool read(FieldReader* reader, std::vector<std::byte>* row, Running* running);

 private:
  struct Labels {
    std::deque<std::string> texts;
    std::vector<evt_label> all;
  };

  // How a value becomes a field's, member by member of the structures.
  enum class Way : std::uint8_t {
    kLeftOut,
    kNumber,
    kReal,
    kNumbers,
    kReals,
    kBytes,
    kFixedBytes,
    kTexts,
    kListOfBytes,
    kText
  };
  // Other uses of a value.
  enum class Use : std::uint8_t { kNone, kThreadId, kCpuId, kNext, kState, kAddress };
  static constexpr std::size_t kUses = 6;
  struct Step {
    Way way = Way::kText;
    std::uint32_t width = 0;  // for numbers
    Use use = Use::kNone;
    std::uint8_t rank = 0;  // the lowest of several values of one use counts
  };

  void add_root(const FieldClass* root, Scope scope);
  void add(const FieldClass& field, const std::string& name, Scope scope, bool is_member_of_root);
  void add_members(const FieldClass& structure, const std::string& front, Scope scope, bool is_root);
  Way way_of(const FieldClass& field) const;
  void add_number(const FieldClass& field, const std::string& name, std::uint16_t shape);
  void add_labels(const FieldClass& field, evt_field* to);
  evt_field& add_field(const std::string& name, std::uint16_t kind, std::uint16_t shape, std::uint32_t width);
  bool has(std::string_view name) const;
  static void set_use(const std::string& name, Scope scope, Step* step);
  void declare();
  void add_meanings(std::vector<std::vector<evt_facet_field>>* lists, std::vector<evt_facet>* facets);

  bool read_members(FieldReader* reader, const FieldClass& structure, const Step** step);
  bool read_field(FieldReader* reader, const FieldClass& field, const Step& step);
  template <typename Read, typename Append>
  bool read_sequence(FieldReader* reader, const FieldClass& field, Read read, Append append);
  bool read_numbers(FieldReader* reader, const FieldClass& field, const Step& step);
  bool read_list(FieldReader* reader, const FieldClass& field, const Step& step);
  bool read_bytes_in(FieldReader* reader, const FieldClass& structure, std::string* out);
  std::size_t begin_count();
  void end_count(std::size_t place, std::uint64_t count);
  void append_little(std::uint64_t number, std::uint32_t width);
  void append_bytes(std::string_view bytes);
  void append_added(const FieldReader& reader, Running* running);
  std::optional<std::uint64_t> used(Use use) const;

  Surroundings& surroundings_;
  bool is_tsdl_;
  KnownEvent known_;
  std::string name_;
  std::vector<const FieldClass*> roots_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> places_;  // places of fields, by their names
  std::unordered_map<std::string, std::uint32_t> duplicates_;   // number of further fields with the name
  std::deque<Labels> labels_;
  std::size_t label_count_ = 0;
  std::vector<evt_field> fields_;
  std::vector<Step> steps_;
  bool is_text_ = false;  // there are too many fields: all of them become one text
  bool has_thread_ = false;
  std::uint32_t number_ = 0;
  std::uint32_t function_ = 0;  // the id of its name
  // For the current event.
  std::vector<std::byte>* row_ = nullptr;
  std::string text_;
  struct Used {
    std::uint64_t value = 0;
    std::uint8_t rank = UINT8_MAX;
  };
  Used used_[kUses];
};

}  // namespace evt::ctf
