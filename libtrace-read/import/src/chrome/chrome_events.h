// A file of Chrome's format -> rows in order of time, the types of these, and who recorded them.
#pragma once

#include <evt/session.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chrome_event.h"
#include "chrome_threads.h"
#include "chrome_types.h"
#include "json_scan.h"
#include "libtrace-read/import/src/row_sort.h"
#include "span_order.h"

namespace evt::chrome {

// A statement about a process, a thread or the whole file.
struct ChromeFact {
  enum class Of : std::uint8_t { kFile, kProcess, kThread };
  Of of = Of::kFile;
  std::uint32_t thread = 0;  // its index, also for a process
  std::string key;
  std::string value;
};

// Reads the file once.
class ChromeEvents {
 public:
  // A row is the number of its type, the index of its thread, and the fields; for a loss the number is 0, and the
  // fields are the number of lost events.
  static constexpr std::size_t kRowFront = SpanOrder::kRowFront;
  static constexpr std::uint32_t kLoss = 0;

  explicit ChromeEvents(ByteSource& file) : file_(file), scan_(file) {}

  // Returns kNotATrace if it is JSON but not a trace; kIo if there is no room to sort.
  Status run();

  SpanOrder& rows() { return ordered_; }
  ChromeTypes& types() { return types_; }
  ChromeThreads& threads() { return threads_; }
  const std::vector<ChromeFact>& facts() const { return facts_; }
  const std::vector<Damage>& damage() const { return damage_; }
  // Sentences about it, other than damage.
  std::vector<std::string> notes() const;
  bool is_closed() const { return scan_.is_closed(); }
  // In the file's times: 0, if it states what that is; else the first event.
  std::int64_t start_ns() const { return origin_utc_ns_ ? 0 : first_ns_; }
  std::int64_t start_utc_ns() const { return origin_utc_ns_.value_or(0); }

 private:
  static constexpr std::size_t kInMemory = 12 << 20;
  static constexpr std::size_t kMaxFacts = 4 << 20;
  static constexpr std::size_t kMaxDamage = 10'000;
  static constexpr std::size_t kMaxOpen = 65536;
  static constexpr std::size_t kMaxNamed = 4;

  struct OpenAsync {
    std::int64_t ns;
    EventKind kind;
  };

  void take(const JsonScan::Element& element);
  void read(const JsonScan::Element& element);
  void note_broken(const JsonScan::Element& element);
  const char* understand(const ChromeEvent& event);
  void name(const ChromeEvent& event);
  bool take_counter(const ChromeEvent& event, std::int64_t ns);
  std::uint32_t thread_of_counter(const ChromeEvent& event, std::uint32_t thread);
  std::string counter_name(const ChromeEvent& event, std::uint32_t thread);
  EventKind kind_of_own(const ChromeEvent& event, char phase, std::uint32_t thread, std::int64_t ns,
                        std::int64_t* duration_ns);
  std::uint64_t id_of(const ChromeEvent& event, bool is_flow) const;
  void put(std::uint32_t thread, std::int64_t ns, std::uint64_t rank, std::uint32_t type);
  void put_loss();
  void refuse(const JsonScan::Element& element, std::string_view why);
  void note(Damage damage);
  void add_fact(ChromeFact fact);
  void leave_out(std::string_view fact);
  void take_properties();
  Status no_events();
  void end_file();
  void note_facts();
  std::optional<std::int64_t> property_number(std::string_view key) const;

  ByteSource& file_;
  JsonScan scan_;
  ChromeEventReader reader_;
  std::string mended_;
  ChromeTypes types_;
  ChromeThreads threads_;
  RowSort rows_{kInMemory};
  SpanOrder ordered_{rows_, types_};
  std::vector<std::byte> row_;
  std::vector<ChromeFact> facts_;
  std::size_t facts_size_ = 0;
  std::vector<Damage> damage_;
  bool has_room_ = true;
  std::uint64_t understood_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t offset_ = 0;          // the current event's
  std::uint64_t lost_ = 0;            // refused, and in no row yet
  std::uint64_t negative_ = 0;        // durations
  std::uint64_t first_negative_ = 0;  // offset of its event
  std::uint64_t facts_left_out_ = 0;
  std::vector<std::string> names_left_out_;  // names of the first of these
  std::uint32_t last_thread_ = 0;
  std::int64_t last_ns_ = 0;
  std::int64_t first_ns_ = INT64_MAX;
  std::optional<std::int64_t> origin_utc_ns_;
  // For files that evt made: the kinds of slices, and which of them overlap others.
  bool is_own_ = false;
  std::vector<std::vector<EventKind>> open_;  // by thread
  std::unordered_map<std::uint64_t, OpenAsync> open_async_;
  // The thread that wrote a counter first, by process, name and id. Beyond kMaxOpen of them it belongs to the process.
  std::unordered_map<std::uint64_t, std::uint32_t> counters_;
  std::unordered_map<std::uint64_t, std::uint64_t> own_counters_;  // ids, by thread and name
};

}  // namespace evt::chrome
