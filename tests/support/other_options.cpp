// Values other than the usual ones, by the kind of field.
#include "support/other_options.h"

#include "base/number_text.h"
#include "base/parsed_number.h"
#include "figure/text.h"

namespace attn::test {

std::string another_value(const Field<ViewOptions>& field) {
  const std::string usual = field.get(ViewOptions{});
  switch (field.kind) {
    case FieldKind::Flag:
      return usual == "true" ? "false" : "true";
    case FieldKind::Choice:
      return std::string(field.choices.back() == usual ? field.choices.front()
                                                       : field.choices.back());
    case FieldKind::Integer:
      return usual.empty() ? "1" : std::to_string(parse_integer(usual).value() + 1);
    case FieldKind::Number: {
      const float value = usual.empty() ? 0.0F : parse_number(usual).value();
      return plain_text(value == 0.0F ? field.maximum > 1.0 ? 400.0 : 0.25 : value * 0.9F);
    }
    case FieldKind::Text:
      break;
  }
  if (field.name == "font") return all_font_families().front();
  if (field.name == "annotate") return "top 2";
  return field.name == "token" ? "query 1" : "0,2";  // a token, a list of heads, any text
}

}  // namespace attn::test
