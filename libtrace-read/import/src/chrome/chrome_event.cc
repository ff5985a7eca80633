#include "chrome_event.h"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace evt::chrome {
namespace {

struct Known {
  std::string_view key;
  JsonValue ChromeEvent::*member;
};

constexpr Known kKnown[] = {{"ph", &ChromeEvent::phase},     {"name", &ChromeEvent::name},
                            {"cat", &ChromeEvent::category}, {"ts", &ChromeEvent::time},
                            {"dur", &ChromeEvent::duration}, {"pid", &ChromeEvent::process},
                            {"tid", &ChromeEvent::thread},   {"id", &ChromeEvent::id},
                            {"id2", &ChromeEvent::id2},      {"scope", &ChromeEvent::scope}};

}  // namespace

// Called by RapidJSON for each token. The event is at depth 1, its arguments are at depth 2; anything nested in another
// member, or in an argument, becomes the text of that.
class ChromeEventReader::Parser {
 public:
  Parser(ChromeEvent& event, std::string& decoded) : event_(event), decoded_(decoded) {}

  std::string_view run(std::string_view text) {
    text_ = text;
    depth_ = 0;
    in_args_ = false;
    decoded_.clear();
    decoded_.reserve(text.size());  // so that references to it stay valid
    rapidjson::MemoryStream stream(text.data(), text.size());
    stream_ = &stream;
    constexpr unsigned kFlags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
    const rapidjson::ParseResult result = reader_.Parse<kFlags>(stream, *this);
    return result.IsError() ? rapidjson::GetParseError_En(result.Code()) : std::string_view();
  }

  bool Null() { return take({JsonKind::kNull, "null"}); }
  bool Bool(bool value) { return take({JsonKind::kBool, value ? "true" : "false"}); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return take({JsonKind::kNumber, kept(text, size)});
  }
  bool String(const char* text, rapidjson::SizeType size, bool) { return take({JsonKind::kText, kept(text, size)}); }
  // Numbers come as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (is_nested()) return true;
    key_ = kept(text, size);
    return true;
  }
  bool StartObject() {
    if (depth_ == 1 && key_ == "args") {
      in_args_ = true;
      args_at_ = stream_->Tell();
    }
    return start();
  }
  bool EndObject(rapidjson::SizeType) {
    if (in_args_ && depth_ == 2) {
      in_args_ = false;
      event_.args = {JsonKind::kNested, text_.substr(args_at_, stream_->Tell() + 1 - args_at_)};
      --depth_;
      return true;
    }
    return end();
  }
  bool StartArray() { return start(); }
  bool EndArray(rapidjson::SizeType) { return end(); }

 private:
  // Deeper than the object whose members are read.
  std::size_t own_depth() const { return in_args_ ? 2 : 1; }
  bool is_nested() const { return depth_ > own_depth(); }

  std::string_view kept(const char* text, std::size_t size) {
    if (is_nested()) return {};
    const std::size_t at = decoded_.size();
    decoded_.append(text, size);
    return std::string_view(decoded_).substr(at);
  }
  bool start() {
    if (depth_ > 0 && depth_ == own_depth()) nested_at_ = stream_->Tell();
    ++depth_;
    return true;
  }
  bool end() {
    --depth_;
    if (depth_ == 0 || depth_ != own_depth()) return true;
    return take({JsonKind::kNested, text_.substr(nested_at_, stream_->Tell() + 1 - nested_at_)});
  }
  bool take(JsonValue value) {
    if (is_nested()) return true;
    if (depth_ == 0) return false;
    if (!in_args_) {
      for (const Known& known : kKnown) {
        if (known.key != key_) continue;
        event_.*known.member = value;
        return true;
      }
    }
    event_.members.push_back({key_, value, in_args_});
    return true;
  }

  ChromeEvent& event_;
  std::string& decoded_;
  rapidjson::Reader reader_;
  std::string_view text_;
  const rapidjson::MemoryStream* stream_ = nullptr;
  std::size_t depth_ = 0;
  bool in_args_ = false;
  std::size_t args_at_ = 0;
  std::size_t nested_at_ = 0;
  std::string_view key_;
};

ChromeEventReader::ChromeEventReader() : parser_(std::make_unique<Parser>(event_, decoded_)) {}
ChromeEventReader::~ChromeEventReader() = default;

std::string_view ChromeEventReader::read(std::string_view text) {
  std::vector<JsonMember> members = std::move(event_.members);
  members.clear();
  event_ = {};
  event_.members = std::move(members);
  event_.text = text;
  if (!text.starts_with('{')) return "it is no object.";
  return parser_->run(text);
}

}  // namespace evt::chrome
