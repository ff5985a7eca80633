#include <evt/analysis/event_names.h>
#include <fmt/core.h>

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "archive.h"
#include "parts.h"

namespace evt {
namespace {

constexpr std::uint32_t kMaxIds = 1 << 20;  // looked up in an array; larger ones by their text

}  // namespace

class EventNames::Impl {
 public:
  explicit Impl(const Session& session) : session_(&session), by_type_(session.types.size(), kNotAsked) {}

  std::uint32_t of(const Event& event, Role role) {
    const std::uint32_t said = said_by(event, role);
    return said != kNone ? said : of_type(event.type());
  }

  std::uint32_t said_by(const Event& event, Role role) {
    const Field* const field = event.type().field(role);
    if (field == nullptr) return kNone;
    std::uint64_t number = 0;
    if (field->kind == Kind::kInterned) {
      return event.get_number(role, &number) ? of_interned(static_cast<std::uint32_t>(number)) : kNone;
    }
    if (!field->known()) return kNone;
    if (field->kind == Kind::kText) {
      std::string_view text;
      return event.get_text(role, &text) && !text.empty() ? of_text(text) : kNone;
    }
    return event.get_number(role, &number) ? of_number(event, *field, number) : kNone;
  }

  std::uint32_t of_text(std::string_view text) {
    std::uint32_t& recent = recent_[place_of_recent(text)];
    if (recent < texts_.size() && texts_[recent] == text) return recent;
    const auto known = by_text_.find(text);
    if (known != by_text_.end()) return recent = known->second;
    if (size() == kMax) texts_.emplace_back("(other names)");
    if (is_full()) return kMax;
    texts_.emplace_back(text);
    by_text_.emplace(text, size() - 1);
    return size() - 1;
  }

  const std::string& text(std::uint32_t index) const { return texts_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }
  bool is_full() const { return size() > kMax; }
  void archive(Archive& archive) {
    archive.list(texts_, kMax, [&](std::string& text) { archive.text(text); });
    for (std::uint32_t i = 0; archive.is_reading() && i < size(); ++i) by_text_.emplace(texts_[i], i);
  }

 private:
  static constexpr std::uint32_t kMax = 65536;
  static constexpr std::uint32_t kNotAsked = kNone - 1;

  static constexpr std::size_t kRecent = 256;

  static std::size_t place_of_recent(std::string_view text) {
    if (text.empty()) return 0;
    const auto first = static_cast<unsigned char>(text.front());
    const auto middle = static_cast<unsigned char>(text[text.size() / 2]);
    const auto last = static_cast<unsigned char>(text.back());
    return (text.size() * 31 + first * 7u + middle * 13u + last) % kRecent;
  }

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::uint32_t of_type(const EventType& type) {
    const auto place = place_of(type, *session_);
    if (!place) return of_text(type.name());
    std::uint32_t& index = by_type_[*place];
    if (index == kNotAsked) index = of_text(type.name());
    return index;
  }

  std::uint32_t of_interned(std::uint32_t id) {
    if (id < by_id_.size() && by_id_[id] != kNotAsked) return by_id_[id];
    const std::string* const text = session_->text({id});
    std::uint32_t index = kNone;
    if (text == nullptr) {
      index = of_text(fmt::format("#{}", id));
    } else if (!text->empty()) {
      index = of_text(*text);
    }
    if (id < kMaxIds) {
      if (id >= by_id_.size()) by_id_.resize(std::size_t{id} + 1, kNotAsked);
      by_id_[id] = index;
    }
    return index;
  }

  std::uint32_t of_number(const Event& event, const Field& field, std::uint64_t number) {
    const auto known = by_number_.find({&field, number});
    if (known != by_number_.end()) return known->second;
    const Field::Label* const label = field.label(number);
    std::string text = label != nullptr ? label->text : fmt::format("{} {}", field.name, number);
    if (text.empty()) text = event.type().name();
    const std::uint32_t index = of_text(text);
    if (by_number_.size() < kMax) by_number_.emplace(std::pair(&field, number), index);
    return index;
  }

  const Session* session_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> by_text_;
  std::array<std::uint32_t, kRecent> recent_{};  // found before: usually the same few come again
  std::vector<std::uint32_t> by_type_;           // by place in Session::types
  std::vector<std::uint32_t> by_id_;             // interned
  std::map<std::pair<const Field*, std::uint64_t>, std::uint32_t> by_number_;
};

EventNames::EventNames(const Session& session) : impl_(std::make_unique<Impl>(session)) {}

std::uint32_t EventNames::of(const Event& event, Role role) { return impl_->of(event, role); }
std::uint32_t EventNames::said_by(const Event& event, Role role) { return impl_->said_by(event, role); }
std::uint32_t EventNames::of_text(std::string_view text) { return impl_->of_text(text); }
const std::string& EventNames::text(std::uint32_t index) const { return impl_->text(index); }
std::uint32_t EventNames::size() const { return impl_->size(); }
bool EventNames::is_full() const { return impl_->is_full(); }
void EventNames::archive(Archive& archive) { impl_->archive(archive); }

}  // namespace evt
