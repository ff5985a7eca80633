// Types of TSDL, and their names.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metadata_builder.h"
#include "tsdl_words.h"

namespace evt::ctf {

// Takes types from the words, and counts their parts. Refers to both while it lives.
class TsdlTypes {
 public:
  TsdlTypes(TsdlWords& words, MetadataBuilder& builder) : words_(words), builder_(builder) { begin_block(); }

  // Names that are declared in a block are known in it, and in nested ones.
  void begin_block() { names_.emplace_back(); }
  void end_block() { names_.pop_back(); }
  // True if types or their names are declared here, not a field: by `typealias`, `typedef`, `struct` ...
  bool is_declaration() const;
  void take_declaration();
  // Null after an error.
  FieldPtr take_type();

 private:
  // Structures, variants and enumerations have separate names: `struct x`.
  using Names = std::unordered_map<std::string, FieldPtr>;

  bool is_alias() const { return words_.is("typealias") || words_.is("typedef"); }
  void take_alias();
  FieldPtr make(FieldKind kind) const;
  FieldPtr find(const std::string& name);
  void declare(const std::string& name, FieldPtr field);
  FieldPtr counted(FieldPtr field);
  std::string take_type_name();
  FieldPtr take_named();
  FieldPtr take_declared(const std::string& word, const std::string& name);
  FieldPtr take_structure();
  FieldPtr take_variant();
  Location take_location(std::string_view end);
  void take_members(FieldClass* around);
  void take_declarator(Member* member);
  FieldPtr take_enumeration();
  void take_labels(FieldClass* type);
  void set_align(FieldClass* type, const TsdlValue& value);
  void set_order(FieldClass* type, const TsdlValue& value);
  FieldPtr take_integer();
  FieldPtr take_float();
  FieldPtr take_string();

  TsdlWords& words_;
  MetadataBuilder& builder_;
  std::vector<Names> names_;
  std::size_t depth_ = 0;
};

}  // namespace evt::ctf
