// The list of normalizers, and what steps of all kinds are made of.
#include "tokenizer/steps.h"

#include <utility>

#include "base/number_text.h"
#include "tokenizer/members.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

std::string without(std::string_view text, bool (*is_left_out)(char32_t)) {
  std::string rest;
  each_code_point(text, [&](char32_t c, std::string_view bytes) {
    if (!is_left_out(c)) rest += bytes;
  });
  return rest;
}

// The form of letters with accents apart, without these.
std::string without_accents(const std::string& text) {
  return without(normal_form(text, NormalForm::D), is_mark_without_width);
}

// Blanks of one kind, and around each Chinese character.
std::string cleaned(const std::string& text, bool clean_text, bool handle_chinese_chars) {
  std::string clean;
  each_code_point(text, [&](char32_t c, std::string_view bytes) {
    if (clean_text && is_unseen(c)) return;
    const bool is_own = handle_chinese_chars && is_chinese(c);
    if (is_own) clean += ' ';
    clean += clean_text && is_blank(c) ? " " : bytes;
    if (is_own) clean += ' ';
  });
  return clean;
}

template <NormalForm kForm>
TextStep in_form(JsonValue) {
  return rewriting([](const std::string& text) { return normal_form(text, kForm); });
}

TextStep strip_accents(JsonValue) {
  return rewriting([](const std::string& text) { return without(text, is_mark); });
}

TextStep prepend(JsonValue json) {
  return rewriting([start = get<std::string>(json, "prepend")](const std::string& text) {
    return text.empty() ? text : start + text;
  });
}

TextStep strip(JsonValue json) {
  const bool left = get(json, "strip_left", true), right = get(json, "strip_right", true);
  return rewriting([=](const std::string& text) {
    std::string_view rest = text;
    if (left) rest.remove_prefix(blanks_at_start(rest));
    if (right) rest.remove_suffix(blanks_at_end(rest));
    return std::string(rest);
  });
}

TextStep replacing(JsonValue json) {
  const Pattern pattern = read_pattern(json);
  const std::string content = get<std::string>(json, "content");
  return [=](Pieces& pieces) {
    for (Piece& piece : pieces) {
      if (Status done = replace(pattern, content, piece.text); !done) return done;
    }
    return ok_status();
  };
}

constexpr StepType kNormalizers[] = {
    {"Sequence", nullptr},
    {"NFC", in_form<NormalForm::C>},
    {"NFD", in_form<NormalForm::D>},
    {"NFKC", in_form<NormalForm::KC>},
    {"NFKD", in_form<NormalForm::KD>},
    {"Lowercase", [](JsonValue) { return rewriting(small_letters); }},
    {"StripAccents", strip_accents},
    {"Prepend", prepend},
    {"Replace", replacing},
    {"Strip", strip},
    {"BertNormalizer", bert_normalizer},
    {"Precompiled", precompiled},
};

}  // namespace

TextStep bert_normalizer(JsonValue json) {
  const bool clean_text = get(json, "clean_text", true),
             chinese = get(json, "handle_chinese_chars", get(json, "tokenize_chinese_chars", true)),
             small = get(json, "lowercase", get(json, "do_lower_case", true)),
             plain = get(json, "strip_accents", small);
  return rewriting([=](const std::string& raw) {
    std::string text = cleaned(raw, clean_text, chinese);
    if (plain) text = without_accents(text);
    return small ? small_letters(text) : text;
  });
}

TextStep read_normalizer(JsonValue json) {
  return read_step(json, "normalizer", "normalizers", kNormalizers);
}

Status within_limit(std::size_t bytes) {
  if (bytes <= kLongestText) return ok_status();
  return Error{.kind = ErrorKind::BadInput,
               .message = "the text is too long for a tokenizer",
               .found = "more than " + bytes_text(kLongestText) + ", or steps that make it so long",
               .expected = "at most " + bytes_text(kLongestText),
               .hint = "give a shorter text"};
}

TextStep rewriting(std::function<std::string(const std::string&)> rewrite) {
  return [rewrite = std::move(rewrite)](Pieces& pieces) {
    std::size_t bytes = 0;
    for (Piece& piece : pieces) bytes += (piece.text = rewrite(piece.text)).size();
    return within_limit(bytes);
  };
}

TextStep sequence_of(std::vector<TextStep> steps) {
  return [steps = std::move(steps)](Pieces& pieces) {
    for (const TextStep& step : steps) {
      if (Status done = step(pieces); !done) return done;
    }
    return ok_status();
  };
}

TextStep read_step(JsonValue json, const std::string& noun, const char* list,
                   std::span<const StepType> types) {
  if (get<std::string>(json, "type") != "Sequence")
    return read_by_type<TextStep>(json, noun, types);
  std::vector<TextStep> steps;
  const auto add = [&](JsonValue item) {
    if (!item.charge(sizeof(TextStep))) return false;
    steps.push_back(read_step(item, noun, list, types));
    return steps.back() != nullptr;
  };
  if (const std::optional<JsonValue> items = member(json, list)) items->each_item(add);
  return sequence_of(std::move(steps));
}

}  // namespace attn::tokenizing
