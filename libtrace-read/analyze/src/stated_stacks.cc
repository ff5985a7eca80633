#include <evt/analysis/stated_stacks.h>
#include <evt/events.h>
#include <evt/format.h>
#include <evt/little_endian.h>
#include <fmt/core.h>

#include <deque>
#include <unordered_map>

#include "unit_time.h"

namespace evt {
namespace {

constexpr std::size_t kId = sizeof(std::uint32_t);

// One, or an array of them.
bool is_reference(const Field& field) { return field.kind == Kind::kReference && field.width == kId; }

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Returns the text of the field with this role, or an empty one.
std::string text_of(const Session& session, const SharedRow& row, Role role) {
  const std::optional<Value> value = row.value(role);
  if (!value || value->is_sequence()) return "";
  if (value->kind() == Kind::kText) return std::string(value->as_text());
  const std::string* const text =
      value->kind() == Kind::kInterned ? session.text({static_cast<std::uint32_t>(value->as_unsigned())}) : nullptr;
  return text == nullptr ? "" : *text;
}

}  // namespace

std::string StatedStacks::Frame::name() const {
  if (!function.empty()) return function;
  if (!address) return std::string(events::kUnknownName);
  return fmt::format("{}{}0x{:x}", base_name(module), module.empty() ? "" : "+", *address);
}

std::string StatedStacks::Frame::module_name() const {
  return module.empty() ? std::string(events::kUnknownName) : base_name(module);
}

class StatedStacks::Impl {
 public:
  explicit Impl(const Session& session) : session_(&session) {}

  bool is_sum(const Event& sample) const {
    return session_->fact(EVT_FACT_SCOPE_TYPE, sample.type().number(), EVT_FACT_SUMS_OF_SAMPLES) != nullptr;
  }

  Stack stack_of(const Event& event) {
    const std::optional<Value> value = event.value(Role::kStack);
    if (!value) return {};
    if (value->field().shape != Shape::kFixed) {
      recent_ = frames_of(*value);
      return {std::nullopt, &recent_};
    }
    if (!is_reference(value->field())) return {};
    const std::uint32_t id = evt_load_u32(value->bytes().data());
    const auto [known, is_new] = stacks_.try_emplace(id);
    if (is_new) {
      const std::optional<SharedRow> row = session_->row({id});
      const std::optional<Value> frames = row ? row->value(Role::kStack) : std::nullopt;
      if (frames) known->second = frames_of(*frames);
    }
    return {id, known->second ? &*known->second : nullptr};
  }

  const Frame& frame(std::uint32_t number) const { return frames_[number]; }

 private:
  // Addresses, texts or references.
  std::vector<std::uint32_t> frames_of(const Value& frames) {
    std::vector<std::uint32_t> numbers;
    if (is_reference(frames.field())) {
      for (std::size_t i = 0; i + kId <= frames.bytes().size(); i += kId) {
        const std::uint32_t id = evt_load_u32(frames.bytes().data() + i);
        numbers.push_back(number_of(&by_reference_, id, [&] { return frame_of_row(id); }));
      }
    } else if (frames.is_sequence()) {
      const bool is_address = frames.field().kind == Kind::kUnsigned;
      frames.for_each([&](const Value& each) {
        const std::uint64_t value = each.as_unsigned();
        numbers.push_back(number_of(is_address ? &by_address_ : &by_text_, value,
                                    [&] { return is_address ? frame_at(value) : frame_called(value); }));
      });
    }
    return numbers;
  }

  template <typename Make>
  std::uint32_t number_of(std::unordered_map<std::uint64_t, std::uint32_t>* known, std::uint64_t key, Make make) {
    const auto [at, is_new] = known->try_emplace(key, static_cast<std::uint32_t>(frames_.size()));
    if (is_new) frames_.push_back(make());
    return at->second;
  }

  static Frame frame_at(std::uint64_t address) { return {std::nullopt, "", "", 0, address}; }

  Frame frame_called(std::uint64_t text) const {
    const std::string* const name = session_->text({static_cast<std::uint32_t>(text)});
    return {std::nullopt, name == nullptr ? "" : *name, "", 0};
  }

  Frame frame_of_row(std::uint32_t id) const {
    const std::optional<SharedRow> row = session_->row({id});
    if (!row) return {id, "", "", 0};
    Frame frame{id, text_of(*session_, *row, Role::kFunction), text_of(*session_, *row, Role::kModule), 0};
    if (const auto line = row->value(Role::kLine)) frame.line = line->as_unsigned();
    if (const auto address = row->value(Role::kAddress)) frame.address = address->as_unsigned();
    if (const auto inlined = row->value(Role::kInlined)) frame.is_inlined = inlined->as_unsigned() != 0;
    return frame;
  }

  const Session* session_;
  std::unordered_map<std::uint32_t, std::optional<std::vector<std::uint32_t>>> stacks_;  // by id
  std::unordered_map<std::uint64_t, std::uint32_t> by_reference_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_address_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_text_;
  std::deque<Frame> frames_;
  std::vector<std::uint32_t> recent_;  // a stack that the event itself has
};

StatedStacks::StatedStacks(const Session& session) : impl_(std::make_unique<Impl>(session)) {}

StatedStacks::Weight StatedStacks::weight_of(const Event& sample) {
  const bool is_wait = sample.type().field(Role::kDuration) != nullptr;
  const Role role = is_wait ? Role::kDuration : Role::kWeight;
  const Field* const weight = sample.type().field(role);
  const std::uint64_t unit_ns = weight == nullptr ? 0 : ns_in(weight->unit);
  return {is_wait, unit_ns == 0 ? std::nullopt : std::optional(sample.number(role).value_or(0) * unit_ns)};
}

bool StatedStacks::is_sum(const Event& sample) const { return impl_->is_sum(sample); }
StatedStacks::Stack StatedStacks::stack_of(const Event& event) { return impl_->stack_of(event); }
const StatedStacks::Frame& StatedStacks::frame(std::uint32_t number) const { return impl_->frame(number); }

}  // namespace evt
