#include "metadata_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace evt::ctf {
namespace {

struct NamedRole {
  Scope scope;
  const char* name;
  Role role;
};

// TSDL has roles by name (CTF 1.8.3, sections 5 and 6).
constexpr NamedRole kRoleNames[] = {{Scope::kPacketHeader, "magic", Role::kMagic},
                                    {Scope::kPacketHeader, "stream_id", Role::kStreamClass},
                                    {Scope::kPacketContext, "packet_size", Role::kPacketSize},
                                    {Scope::kPacketContext, "content_size", Role::kContentSize},
                                    {Scope::kPacketContext, "timestamp_begin", Role::kTime},
                                    {Scope::kPacketContext, "timestamp_end", Role::kEndTime},
                                    {Scope::kPacketContext, "events_discarded", Role::kDiscarded},
                                    {Scope::kPacketContext, "packet_seq_num", Role::kSequence},
                                    {Scope::kEventHeader, "id", Role::kEventClass},
                                    {Scope::kEventHeader, "timestamp", Role::kTime}};

bool is_number(const FieldClass& field) {
  return field.kind == FieldKind::kInteger || field.kind == FieldKind::kBool || field.kind == FieldKind::kVariableInt;
}

// The last one of that name that begins before the current field.
FieldClass* member_of(const FieldClass& around, const std::string& name) {
  if (around.kind != FieldKind::kStructure && around.kind != FieldKind::kVariant) return nullptr;
  const auto member = std::find_if(around.members.rbegin(), around.members.rend(), [&](const Member& each) {
    return each.name == name && (each.field->is_placed || !is_number(*each.field));
  });
  return member == around.members.rend() ? nullptr : member->field.get();
}

FieldClass* below(FieldClass* from, const std::vector<std::string>& path) {
  for (const std::string& name : path) {
    if (from != nullptr) from = member_of(*from, name);
  }
  return from;
}

bool has_ranges(const FieldClass& variant) {
  return std::ranges::any_of(variant.members, [](const Member& option) { return !option.ranges.empty(); });
}

// In TSDL, labels of the same name choose options. Returns the number of ranges.
std::size_t set_ranges(FieldClass* variant, const FieldClass& source) {
  std::unordered_map<std::string_view, std::vector<Range>> ranges;
  for (const Label& label : source.labels) ranges[label.text].push_back(label.range);
  std::size_t count = 0;
  for (Member& option : variant->members) {
    const auto known = ranges.find(option.name);
    if (known != ranges.end()) option.ranges = known->second;
    count += option.ranges.size();
  }
  return count;
}

// Maps signed numbers to unsigned ones of the same order.
std::uint64_t ordered(std::uint64_t number, bool is_signed) {
  return is_signed ? number ^ std::uint64_t{1} << 63 : number;
}

// If ranges overlap, the first option gets the common part.
void set_choices(FieldClass* field) {
  std::map<std::uint64_t, FieldClass::Choice> all;  // by their beginnings
  for (std::uint32_t option = 0; option < field->members.size(); ++option) {
    for (const Range& range : field->members[option].ranges) {
      std::uint64_t low = ordered(range.low, field->is_source_signed);
      const std::uint64_t high = ordered(range.high, field->is_source_signed);
      auto next = all.upper_bound(low);
      if (next != all.begin() && std::prev(next)->second.high >= low) --next;
      for (bool is_left = low <= high; is_left;) {
        const bool is_next = next != all.end() && next->first <= high;
        const std::uint64_t end = is_next ? next->first - 1 : high;
        if (!is_next || next->first > low) all.emplace(low, FieldClass::Choice{low, end, option});
        is_left = is_next && next->second.high < high;
        if (is_left) low = (next++)->second.high + 1;
      }
    }
  }
  for (const auto& [low, choice] : all) field->choices.push_back(choice);
}

std::string joined(const std::vector<std::string>& path) {
  std::string all;
  for (const std::string& name : path) all += (all.empty() ? "" : ".") + name;
  return all;
}

}  // namespace

const Clock* MetadataBuilder::clock(const std::string& name) const {
  const auto known = std::ranges::find_if(clocks_, [&](const Clock& each) { return each.name == name; });
  return known == clocks_.end() ? nullptr : &*known;
}

bool MetadataBuilder::count(const FieldClass& field) {
  // Names are long only if made so on purpose.
  constexpr std::size_t kOfOne = 64;
  fields_ += 1 + field.labels.size();
  for (const Label& label : field.labels) fields_ += label.text.size() / kOfOne;
  for (const Member& member : field.members) {
    fields_ += member.ranges.size() + member.name.size() / kOfOne;
    if (fields_ > kMaxFields || !count(*member.field)) return false;
  }
  if (field.element != nullptr && !count(*field.element)) return false;
  return fields_ <= kMaxFields;
}

void MetadataBuilder::fail(std::size_t line, const std::string& why) {
  if (error_.empty()) error_ = line > 0 ? fmt::format("line {}: {}", line, why) : why;
}

std::string MetadataBuilder::finish() {
  Roots roots = {};
  roots[0] = metadata_.packet_header.get();
  finish_root(roots, Scope::kPacketHeader);
  for (auto& [id, stream] : metadata_.streams) finish_stream(&stream, roots);
  return error_;
}

void MetadataBuilder::finish_stream(StreamClass* stream, Roots roots) {
  stream_ = stream;
  const auto finish = [&](Scope scope, const FieldPtr& root) {
    roots[static_cast<std::size_t>(scope)] = root.get();
    finish_root(roots, scope);
  };
  finish(Scope::kPacketContext, stream->packet_context);
  finish(Scope::kEventHeader, stream->event_header);
  finish(Scope::kCommonContext, stream->common_context);
  for (auto& [id, event] : stream->events) {
    roots[static_cast<std::size_t>(Scope::kContext)] = roots[static_cast<std::size_t>(Scope::kPayload)] = nullptr;
    finish(Scope::kContext, event.context);
    finish(Scope::kPayload, event.payload);
  }
  stream_ = nullptr;
}

void MetadataBuilder::finish_root(const Roots& roots, Scope scope) {
  FieldClass* const root = roots[static_cast<std::size_t>(scope)];
  if (root == nullptr) return;
  if (root->kind != FieldKind::kStructure) return fail(root->line, "it is no structure");
  finish_field(roots, scope, "", root);
}

void MetadataBuilder::finish_field(const Roots& roots, Scope scope, const std::string& name, FieldClass* field) {
  field->is_placed = true;
  if (field->order == ByteOrder::kOfTrace) field->order = metadata_.order;
  if (metadata_.is_tsdl) set_role(scope, name, field);
  if (scope == Scope::kPacketContext && name == "cpu_id" && is_number(*field)) field->role = Role::kCpu;
  if (field->role == Role::kTime && stream_ != nullptr && !stream_->clock) {
    const Clock* const named = clock(field->clock);
    stream_->clock = named != nullptr ? *named : clocks_.size() == 1 ? clocks_.front() : Clock();
  }
  const bool has_source = (field->kind == FieldKind::kArray && !field->is_length_fixed) ||
                          field->kind == FieldKind::kVariant || field->kind == FieldKind::kOption;
  if (has_source) find_source(roots, field);
  const bool is_structure = field->kind == FieldKind::kStructure;
  if (is_structure) around_.push_back(field);
  for (Member& member : field->members) {
    finish_field(roots, scope, member.name, member.field.get());
    if (is_structure) field->align = std::max(field->align, member.field->align);
  }
  if (is_structure) around_.pop_back();
  if (field->element == nullptr) return;
  finish_field(roots, scope, "", field->element.get());
  field->align = std::max(field->align, field->element->align);
  const FieldClass& element = *field->element;
  field->is_text = field->is_text || (element.is_character && element.bits == 8 && element.align == 8);
}

void MetadataBuilder::set_role(Scope scope, const std::string& name, FieldClass* field) {
  if (field->kind == FieldKind::kInteger && !field->clock.empty() && scope == Scope::kEventHeader) {
    field->role = Role::kTime;
  }
  for (const NamedRole& named : kRoleNames) {
    if (named.scope == scope && named.name == name && field->kind == FieldKind::kInteger) field->role = named.role;
  }
}

void MetadataBuilder::find_source(const Roots& roots, FieldClass* field) {
  FieldClass* const source = find(roots, field->location);
  const std::string called = joined(field->location.path);
  if (source == nullptr) return fail(field->line, fmt::format("no field {} is before it", called));
  if (!is_number(*source)) return fail(field->line, fmt::format("the field {} is no integer", called));
  if (source->slot == FieldClass::kNoSlot) source->slot = metadata_.slots++;
  field->source = source->slot;
  field->is_source_signed = source->is_signed;
  if (field->kind == FieldKind::kVariant && !has_ranges(*field)) fields_ += set_ranges(field, *source);
  if (fields_ > kMaxFields) return fail(field->line, fmt::format("there are more than {} fields", kMaxFields));
  set_choices(field);
}

FieldClass* MetadataBuilder::find(const Roots& roots, const Location& location) const {
  if (location.path.empty()) return nullptr;
  if (location.scope) return below(roots[static_cast<std::size_t>(*location.scope)], location.path);
  if (location.up) {
    return *location.up < around_.size() ? below(around_[around_.size() - 1 - *location.up], location.path) : nullptr;
  }
  for (std::size_t i = around_.size(); i > 0; --i) {
    if (member_of(*around_[i - 1], location.path[0]) != nullptr) return below(around_[i - 1], location.path);
  }
  return nullptr;
}

}  // namespace evt::ctf
