// Events as text: `field=value` pairs, the same for people and for the text form.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt::tools {

// How an interned text is shown: as text where that says which id it was, else as #id.
class InternedNames {
 public:
  virtual ~InternedNames() = default;
  // Null: show the id.
  virtual const std::string* name_of(const Event& event, std::uint32_t id) = 0;
};

// For people: whatever text there is.
class AnyText : public InternedNames {
 public:
  const std::string* name_of(const Event& event, std::uint32_t id) override { return event.session().text({id}); }
};

// Appends ` name=value` for each field, then ` +0x...` for bytes that no field describes.
void append_fields(std::string& out, const Event& event, InternedNames& names);

}  // namespace evt::tools
