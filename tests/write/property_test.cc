// Random types, streams and events through writer and reader, compared with a model that knows what was emitted.
#include <evt/emit.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

struct ModelField {
  std::string name;
  std::uint16_t kind;
  std::uint16_t shape;
  std::uint32_t width;
};

struct ModelType {
  std::string name;
  std::vector<ModelField> fields;
  const evt_type* handle = nullptr;
};

struct ModelEvent {
  std::uint64_t key;  // the largest time of its stream so far
  std::uint64_t ticks;
  std::uint32_t stream;
  std::string type;
  std::vector<std::string> values;  // the bytes of each field, without its count
};

class Model {
 public:
  explicit Model(unsigned seed) : random_(seed) {}

  // Records a random session and returns its bytes.
  std::string record() {
    std::string bytes;
    evt_session_info session = {};
    session.exact = 1;
    evt_clock clock = {};
    clock.hz = 1'000'000'000;
    evt_options options = {};
    options.session = &session;
    options.clock = &clock;
    options.buffer_size = static_cast<std::uint32_t>(4096 << below(4));
    options.flush_inline = below(2) == 0 ? 1 : 0;
    options.full_wait_ms = EVT_WAIT_FOR_EVER;  // a machine that is busy must lose nothing either
    const auto keep = [](void* out, const void* data, std::size_t size) {
      static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
      return 0;
    };
    evt_writer* const writer = evt_open_sink(keep, &bytes, &options, nullptr);
    const std::size_t streams = 1 + below(5);
    for (std::size_t i = 0; i < streams; ++i) streams_.push_back(evt_stream_open(writer, "s"));
    times_.assign(streams, 1000);
    keys_.assign(streams, 0);
    const std::size_t events = below(800);
    for (std::size_t i = 0; i < events; ++i) {
      if (types_.empty() || below(40) == 0) declare(writer);
      emit(below(streams));
    }
    evt_close(writer, nullptr);
    const auto earlier = [](const ModelEvent& a, const ModelEvent& b) {
      return a.key != b.key ? a.key < b.key : a.stream < b.stream;
    };
    std::stable_sort(events_.begin(), events_.end(), earlier);
    return bytes;
  }

  const std::vector<ModelEvent>& events() const { return events_; }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  void declare(evt_writer* writer) {
    static constexpr std::uint32_t kWidths[] = {1, 2, 4, 8};
    ModelType type;
    type.name = "type." + std::to_string(types_.size());
    const std::size_t count = below(7);
    for (std::size_t i = 0; i < count; ++i) {
      const auto shape = static_cast<std::uint16_t>(below(5));
      const bool has_width = shape == EVT_SHAPE_FIXED || shape == EVT_SHAPE_ARRAY;
      // Kinds that are not known, and combinations that make no sense, must come through as well.
      // Only times are left out: random ones are farther from now than their text can say.
      static constexpr std::uint16_t kKinds[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 77};
      type.fields.push_back(
          {"f" + std::to_string(i), kKinds[below(std::size(kKinds))], shape, has_width ? kWidths[below(4)] : 0});
    }
    std::vector<evt_field> fields;
    for (const ModelField& f : type.fields) {
      evt_field field = {};
      field.name = f.name.c_str();
      field.kind = f.kind;
      field.shape = f.shape;
      field.width = f.width;
      fields.push_back(field);
    }
    evt_event_type declared = {};
    declared.name = type.name.c_str();
    declared.number = below(4) == 0 ? static_cast<std::uint32_t>(70000 + types_.size()) : 0;
    declared.field_count = static_cast<std::uint32_t>(fields.size());
    declared.fields = fields.data();
    type.handle = evt_declare(writer, &declared, nullptr);
    types_.push_back(std::move(type));
  }

  std::string random_bytes(std::size_t size) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random_());
    return bytes;
  }

  // Appends a random value and returns its bytes as the reader will show them.
  std::string append(evt_row* row, const ModelField& field) {
    std::string value;
    const std::size_t size = below(100) == 0 ? below(9000) : below(12);
    if (field.shape == EVT_SHAPE_FIXED) {
      value = random_bytes(field.width);
      evt_raw(row, value.data(), value.size());
    } else if (field.shape == EVT_SHAPE_COUNTED16) {
      value = random_bytes(size);
      evt_bytes(row, value.data(), static_cast<std::uint16_t>(size));
    } else if (field.shape == EVT_SHAPE_COUNTED32) {
      value = random_bytes(below(50) == 0 ? 70000 : size);
      evt_long_bytes(row, value.data(), static_cast<std::uint32_t>(value.size()));
    } else if (field.shape == EVT_SHAPE_ARRAY) {
      value = random_bytes(size * field.width);
      evt_u16(row, static_cast<std::uint16_t>(size));
      evt_raw(row, value.data(), value.size());
    } else {
      evt_u16(row, static_cast<std::uint16_t>(size));
      for (std::size_t i = 0; i < size; ++i) {
        const std::string element = random_bytes(below(5));
        evt_bytes(row, element.data(), static_cast<std::uint16_t>(element.size()));
        value += static_cast<char>(element.size());
        value += '\0';
        value += element;
      }
    }
    return value;
  }

  void emit(std::size_t stream) {
    const std::uint64_t kind_of_step = below(50);
    const std::uint64_t step = kind_of_step == 0 ? std::uint64_t{1} << (32 + below(8)) : below(20);
    times_[stream] =
        kind_of_step == 1 ? times_[stream] - std::min<std::uint64_t>(times_[stream], 500) : times_[stream] + step;
    keys_[stream] = std::max(keys_[stream], times_[stream]);
    const ModelType& type = types_[below(types_.size())];
    ModelEvent event{keys_[stream], times_[stream], static_cast<std::uint32_t>(stream + 1), type.name, {}};
    evt_row row = evt_begin_at(streams_[stream], type.handle, times_[stream]);
    for (const ModelField& field : type.fields) event.values.push_back(append(&row, field));
    evt_commit(&row);
    events_.push_back(std::move(event));
  }

  std::mt19937_64 random_;
  std::vector<evt_stream*> streams_;
  std::vector<std::uint64_t> times_;
  std::vector<std::uint64_t> keys_;
  std::vector<ModelType> types_;
  std::vector<ModelEvent> events_;
};

class RoundTrip : public ::testing::TestWithParam<unsigned> {};

TEST_P(RoundTrip, GivesBackWhatWasEmittedInOrder) {
  for (unsigned i = 0; i < 15; ++i) {
    Model model(GetParam() * 1000 + i);
    const std::string bytes = model.record();
    Trace trace = open_trace(bytes, {.memory_budget = 1u << (10 + i)});
    Events events = trace.events();
    for (const ModelEvent& expected : model.events()) {
      const Event* const event = events.next();
      ASSERT_NE(event, nullptr) << events.status().message();
      ASSERT_EQ(event->ticks(), expected.ticks);
      ASSERT_EQ(event->stream().id, expected.stream);
      ASSERT_EQ(event->type().name(), expected.type);
      FieldWalker walker = event->values();
      for (const std::string& value : expected.values) {
        const auto read = walker.next();
        ASSERT_TRUE(read.has_value());
        ASSERT_EQ(std::string(read->as_text()), value);
      }
      ASSERT_TRUE(walker.rest().empty());
    }
    ASSERT_EQ(events.next(), nullptr);
    ASSERT_TRUE(events.status().ok()) << events.status().message();
    // And as text, to the same trace again.
    const std::string text = text_of(trace);
    ASSERT_EQ(text_of_trace(trace_from_text(text)), text);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace evt::testing
