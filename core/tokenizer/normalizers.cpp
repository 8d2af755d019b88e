// The list of normalizers.
#include <algorithm>

#include "tokenizer/members.h"
#include "tokenizer/steps.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

constexpr std::string_view kNothing = "(?!)";
// Characters that are not seen.
constexpr std::string_view kUnseen = R"([\p{Cc}\p{Cf}\p{Co}\x{FFFD}](?<![\t\n\r]))";
// Chinese characters, each of which is a token of BERT's vocabularies, without blanks between them.
constexpr const char* kForThemselves =
    R"([\x{4E00}-\x{9FFF}\x{3400}-\x{4DBF}\x{20000}-\x{2A6DF}\x{2A700}-\x{2B81F})"
    R"(\x{2B920}-\x{2CEAF}\x{F900}-\x{FAFF}\x{2F800}-\x{2FA1F}])";

TextStep replace(const StepOptions& options) {
  return [options](Pieces& pieces) {
    for (Piece& piece : pieces) {
      if (Status done = options.pattern.replace(piece.text, options.content); !done) return done;
    }
    return ok_status();
  };
}

// A step that is a function of the text, which at most doubles it some times.
template <class Rewrite>
TextStep rewriting(Rewrite rewrite) {
  return [rewrite](Pieces& pieces) {
    std::size_t bytes = 0;
    for (Piece& piece : pieces) bytes += (piece.text = rewrite(piece.text)).size();
    return within_limit(bytes);
  };
}

template <NormalForm kForm>
TextStep in_form(const StepOptions&) {
  return rewriting([](const std::string& text) { return normal_form(text, kForm); });
}

TextStep lowercase(const StepOptions&) { return rewriting(small_letters); }

// Puts a text in place of what an expression matches. Precondition: it is sound.
TextStep replacing(std::string_view expression, const std::string& content) {
  return replace({.content = content, .pattern = *Pattern::of_expression(expression)});
}

TextStep strip_accents(const StepOptions&) { return replacing(R"(\p{M}+)", ""); }

// Leaves out texts of ASCII, which have no accents and no letters of Chinese: most of English.
TextStep beyond_ascii(const TextStep& step) {
  return [step](Pieces& pieces) {
    const auto is_ascii = [](const Piece& piece) { return is_all_ascii(piece.text); };
    return std::ranges::all_of(pieces, is_ascii) ? ok_status() : step(pieces);
  };
}

TextStep prepend(const StepOptions& options) {
  return rewriting([start = options.prepend](const std::string& text) {
    return text.empty() ? text : start + text;
  });
}

TextStep strip(const StepOptions& options) {
  return sequence_of({replacing(options.strip_left ? R"(\A\s+)" : kNothing, ""),
                      replacing(options.strip_right ? R"((?<!\s)\s++\z)" : kNothing, "")});
}

constexpr StepType kNormalizers[] = {
    {"Sequence", nullptr},
    {"NFC", in_form<NormalForm::C>},
    {"NFD", in_form<NormalForm::D>},
    {"NFKC", in_form<NormalForm::KC>},
    {"NFKD", in_form<NormalForm::KD>},
    {"Lowercase", lowercase},
    {"StripAccents", strip_accents},
    {"Prepend", prepend},
    {"Replace", replace},
    {"Strip", strip},
    {"BertNormalizer", bert_normalizer},
    {"Precompiled", precompiled},
};

}  // namespace

TextStep bert_normalizer(const StepOptions& options) {
  const std::string own = kForThemselves;
  std::vector<TextStep> steps;
  if (options.clean_text) {
    steps.push_back(replacing(kUnseen, ""));
    steps.push_back(replacing(R"(\s)", " "));
  }
  if (options.handle_chinese_chars) {
    steps.push_back(beyond_ascii(replacing("(?=" + own + ")", " ")));
    steps.push_back(beyond_ascii(replacing(own + "\\K", " ")));
  }
  if (options.strip_accents.value_or(options.lowercase)) {
    steps.push_back(in_form<NormalForm::D>({}));
    steps.push_back(beyond_ascii(replacing(R"(\p{Mn}+)", "")));
  }
  if (options.lowercase) steps.push_back(lowercase({}));
  return sequence_of(std::move(steps));
}

bool read_normalizer(JsonValue json, TextStep& step) {
  return read_step(json, "normalizer", kNormalizers, step);
}

}  // namespace attn::tokenizing
