#include <fmt/core.h>

#include <algorithm>

#include "metadata.h"
#include "metadata_builder.h"
#include "tsdl_types.h"

namespace evt::ctf {
namespace {

// Contents of `event { ... }` and the like.
struct Block {
  std::vector<std::pair<std::string, TsdlValue>> values;
  std::vector<std::pair<std::string, FieldPtr>> fields;  // `fields := struct ...`
  std::size_t line = 0;
};

class TsdlParser {
 public:
  explicit TsdlParser(std::string_view text) : words_(text), types_(words_, builder_) {}

  Result<Metadata> run() {
    while (words_.ok() && words_.token().kind != Token::kEnd) take_statement();
    if (words_.ok()) place_events();
    const std::string error = words_.ok() ? builder_.finish() : words_.error();
    if (!error.empty()) return Status(Code::kNotATrace, error);
    return builder_.take();
  }

 private:
  void take_statement() {
    const std::size_t line = words_.token().line;
    if (words_.accept(";")) return;
    if (types_.is_declaration()) return types_.take_declaration();
    const std::string word = words_.take_name();
    if (!words_.ok()) return;
    if (word == "env") {
      take_environment();
    } else if (word == "clock") {
      take_clock(line);
    } else if (word == "trace" || word == "stream" || word == "event" || word == "callsite") {
      Block block = take_block();
      block.line = line;
      if (!words_.ok()) return;
      if (word == "trace") take_trace(&block);
      if (word == "stream") take_stream(&block);
      if (word == "event") events_.push_back(std::move(block));
    } else {
      words_.fail_at(line, fmt::format("\"{}\" begins nothing that metadata of CTF 1.8 has", word.substr(0, 40)));
    }
    words_.expect(";");
  }

  Block take_block() {
    Block block;
    types_.begin_block();
    words_.expect("{");
    while (words_.ok() && !words_.accept("}")) {
      if (types_.is_declaration()) {
        types_.take_declaration();
        continue;
      }
      std::string name = words_.take_path();
      if (words_.accept(":=")) {
        block.fields.emplace_back(std::move(name), types_.take_type());
      } else {
        words_.expect("=");
        block.values.emplace_back(std::move(name), words_.take_value());
      }
      words_.expect(";");
    }
    types_.end_block();
    return block;
  }

  void take_environment() {
    for (auto& [name, value] : words_.take_values()) {
      auto& entry = builder_.metadata().environment[name];
      if (value.is_number) {
        entry = value.signed_number();
      } else {
        entry = std::move(value.text);
      }
    }
  }

  void take_clock(std::size_t line) {
    Clock clock;
    std::int64_t seconds = 0;
    std::int64_t ticks = 0;
    for (const auto& [name, value] : words_.take_values()) {
      if (name == "name") clock.name = value.text;
      if (name == "freq") clock.hz = value.number;
      if (name == "offset_s") seconds = value.signed_number();
      if (name == "offset") ticks = value.signed_number();
    }
    if (clock.hz == 0 || clock.hz > Clock::kMaxHz) {
      return words_.fail_at(line, fmt::format("a clock has a frequency of 1 to {} Hz", Clock::kMaxHz));
    }
    clock.set_offset(seconds, ticks);
    builder_.add_clock(std::move(clock));
  }

  void take_trace(Block* block) {
    for (const auto& [name, value] : block->values) {
      if (name == "byte_order" && value.text == "native")
        words_.fail_at(value.line, "the byte order of a trace is le or be");
      if (name == "byte_order") builder_.metadata().order = words_.order_of(value).value_or(ByteOrder::kLittle);
    }
    for (auto& [name, field] : block->fields) {
      if (name == "packet.header") builder_.metadata().packet_header = std::move(field);
    }
  }

  static bool has(const Block& block, std::string_view wanted) {
    return std::ranges::any_of(block.values, [&](const auto& each) { return each.first == wanted; });
  }
  static std::uint64_t number_in(const Block& block, std::string_view wanted) {
    const auto value = std::ranges::find_if(block.values, [&](const auto& each) { return each.first == wanted; });
    return value == block.values.end() ? 0 : value->second.number;
  }

  void take_stream(Block* block) {
    StreamClass stream;
    stream.id = number_in(*block, "id");
    for (auto& [name, field] : block->fields) {
      if (name == "packet.context") stream.packet_context = std::move(field);
      if (name == "event.header") stream.event_header = std::move(field);
      if (name == "event.context") stream.common_context = std::move(field);
    }
    const std::uint64_t id = stream.id;
    if (!builder_.metadata().streams.emplace(id, std::move(stream)).second) {
      words_.fail_at(block->line, fmt::format("there are two streams {}", id));
    }
  }

  // After the streams, which may come later in the file.
  void place_events() {
    for (Block& block : events_) {
      EventClass event;
      event.id = number_in(block, "id");
      for (const auto& [name, value] : block.values) {
        if (name == "name") event.name = value.text;
      }
      for (auto& [name, field] : block.fields) {
        if (name == "context") event.context = std::move(field);
        if (name == "fields") event.payload = std::move(field);
      }
      auto& streams = builder_.metadata().streams;
      const bool is_of_the_one = !has(block, "stream_id") && builder_.metadata().streams.size() == 1;
      const std::uint64_t of =
          is_of_the_one ? builder_.metadata().streams.begin()->first : number_in(block, "stream_id");
      if (streams.empty()) streams[of].id = of;
      const auto stream = streams.find(of);
      if (stream == streams.end()) return words_.fail_at(block.line, fmt::format("there is no stream {}", of));
      const std::uint64_t id = event.id;
      if (!stream->second.events.emplace(id, std::move(event)).second) {
        return words_.fail_at(block.line, fmt::format("there are two events {} of the stream {}", id, of));
      }
    }
  }

  TsdlWords words_;
  MetadataBuilder builder_{true};
  TsdlTypes types_;
  std::vector<Block> events_;
};

}  // namespace

Result<Metadata> parse_tsdl(std::string_view text) { return TsdlParser(text).run(); }

}  // namespace evt::ctf
