// Tokens, ids and the note of files of arrays.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/joined.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/load/taken_arrays.h"
#include "document/problem.h"

namespace attn {
namespace {

void take_rows(const std::vector<std::string>& texts, const Shape& shape, TokenLists& lists) {
  const std::size_t length = shape.empty() ? 1 : shape.back();
  for (auto row = texts.begin(); row != texts.end(); row += static_cast<std::ptrdiff_t>(length)) {
    lists.emplace_back(std::vector<std::string>(row, row + static_cast<std::ptrdiff_t>(length)));
  }
}

void take_texts(const ArrayFile& from, const std::vector<std::string>& names, TokenLists& lists) {
  if (names.empty()) return;
  const auto array = std::ranges::find(from.listing.arrays, names.front(), &StoredArray::name);
  const Result<std::vector<std::string>> texts = texts_of(*array, from.limit());
  if (texts) take_rows(*texts, array->shape, lists);
}

// Takes numbers of a vocabulary as texts of tokens.
void take_ids(const ArrayFile& from, const std::vector<std::string>& names, TokenLists& lists) {
  if (names.empty() || !lists.empty()) return;
  const Result<Tensor> ids = numbers_of<float>(from, names);
  const auto is_whole = [](float id) { return id == std::trunc(id) && std::abs(id) < 1e15F; };
  if (!ids || ids->rank() > 2 || !std::ranges::all_of(ids->values(), is_whole)) return;
  std::vector<std::string> texts;
  for (const float id : ids->values()) {
    texts.push_back(std::to_string(static_cast<std::int64_t>(id)));
  }
  take_rows(texts, ids->shape(), lists);
}

// A list of texts, or a list of such lists.
void take_token_json(const Json& json, TokenLists& lists) {
  if (!json.is_array() || json.empty()) return;
  if (json.front().is_array()) {
    for (const Json& list : json) take_token_json(list, lists);
    return;
  }
  std::vector<std::string> texts;
  for (const Json& text : json) texts.push_back(text.is_string() ? text.get<std::string>() : "");
  lists.emplace_back(std::move(texts));
}

// Reads a mask in the form of documents, without other files.
Result<MaskText> mask_in(const std::string& json) {
  JsonReader reader(json, {});
  MaskText mask;
  if (json.find("\"file\"") != json.npos) {
    return refusal_at("", "the mask that the file notes refers to another file", json,
                      "its numbers");
  }
  read_as(reader.root(), kMaskObject, mask);
  if (!reader.errors().empty()) return reader.errors().front();
  return mask;
}

// "layer" for "layers", as documents name it.
std::string singular(const std::string& axis) {
  if (axis == "queries") return "query";
  return axis.ends_with('s') ? axis.substr(0, axis.size() - 1) : axis;
}

// Keeps the tokens of the only attention, of those of two sequences.
void keep_tokens_of(Side side, DocumentText& text) {
  TokenLists& own = side == Side::Key ? text.key_tokens : text.query_tokens;
  if (!own.empty()) text.tokens = std::move(own);
  text.query_tokens.clear();
  text.key_tokens.clear();
}

// BadInput if words name arrays as tokens that are none.
Status check_tokens(const ArrayWords& words, const DocumentText& text) {
  for (const auto& [key, lists] : {std::pair{"tokens", &text.tokens},
                                   {"query_tokens", &text.query_tokens},
                                   {"key_tokens", &text.key_tokens}}) {
    const auto said = words.find(key);
    if (said == words.end() || said->second.empty() || !lists->empty()) continue;
    if (!text.tokens.empty() || !text.query_tokens.empty()) continue;
    return refusal_at("", "these are no " + std::string(key), joined(said->second),
                      "an array of text, or for tokens of whole numbers, with one or two axes");
  }
  return ok_status();
}

std::size_t longest(const TokenLists& lists) {
  std::size_t length = 0;
  for (const TokenList& list : lists) length = std::max(length, list.size());
  return length;
}

// "[PAD]", "<pad>", "<|pad|>", "pad".
bool is_padding_token(const std::string& token) {
  std::string letters;
  for (const char c : in_small_letters(token)) {
    if (std::string_view("[]<>|_").find(c) == std::string_view::npos) letters += c;
  }
  return letters == "pad" || letters == "padding" || letters == "blank";
}

// True for the constant run at the end of a list, if it is that of the padding.
std::vector<bool> end_run(const std::vector<std::string>& ids, const std::string& padding) {
  std::vector<bool> pads(ids.size(), false);
  for (std::size_t i = ids.size(); i-- > 0 && ids[i] == padding;) pads[i] = true;
  return pads;
}

// The id that ends some list at least twice; "" if there is none, or several.
std::string padding_id(const TokenLists& lists) {
  std::string found;
  for (const TokenList& list : lists) {
    const std::vector<std::string>& ids = list.texts();
    if (ids.size() < 2 || ids.back() != ids[ids.size() - 2]) continue;
    if (!found.empty() && found != ids.back()) return "";
    found = ids.back();
  }
  return found;
}

// Finds tokens that pad: by their texts, or of ids by constant runs at the ends.
std::vector<std::vector<bool>> padding_of(const TokenLists& lists, bool are_ids) {
  std::vector<std::vector<bool>> all;
  const std::string padding = are_ids ? padding_id(lists) : "";
  bool any = false;
  for (const TokenList& list : lists) {
    std::vector<bool>& pads = all.emplace_back();
    if (are_ids) {
      pads = end_run(list.texts(), padding);
    } else {
      for (const std::string& token : list.texts()) pads.push_back(is_padding_token(token));
    }
    any = any || std::ranges::count(pads, true) > 0;
  }
  return any ? all : std::vector<std::vector<bool>>();
}

}  // namespace

Status take_note(const ArrayListing& listing, DocumentText& text) {
  const Json note = parse_own_json(listing.note);
  const bool has_keys = note.is_object() && note.contains("key_tokens");
  take_token_json(member_of(note, "tokens", Json::array()),
                  has_keys ? text.query_tokens : text.tokens);
  take_token_json(member_of(note, "key_tokens", Json::array()), text.key_tokens);
  const auto take_text = [&](const char* name, std::optional<std::string>& said) {
    const auto found = note.find(name);
    if (found != note.end() && found->is_string()) said = found->get<std::string>();
  };
  take_text("title", text.title);
  take_text("description", text.description);
  const Json layers = member_of(note, "layers", Json::array());
  if (std::ranges::all_of(layers, &Json::is_number_unsigned)) {
    text.layer_numbers = layers.get<std::vector<std::uint64_t>>();
  }
  const auto mask_said = note.find("mask");
  if (mask_said != note.end() && mask_said->is_object()) {
    Result<MaskText> mask = mask_in(mask_said->dump());
    if (!mask) return mask.error();
    text.mask = *std::move(mask);
  }
  const auto causal = note.find("causal");
  if (causal == note.end() || !causal->is_boolean()) return ok_status();
  MaskText& mask = text.mask ? *text.mask : text.mask.emplace();
  mask.causal = causal->get<bool>();
  mask.says_causal = true;
  return ok_status();
}

std::map<std::string, std::vector<std::string>> axes_in_note(const ArrayListing& listing) {
  std::map<std::string, std::vector<std::string>> names;
  const Json arrays = member_of(parse_own_json(listing.note), "axes", Json::object());
  for (const auto& [array, axes] : arrays.items()) {
    if (!axes.is_array()) continue;
    for (const Json& axis : axes) {
      names[array].push_back(axis.is_string() ? singular(axis.get<std::string>()) : "");
    }
  }
  return names;
}

Status take_tokens(const ArrayFile& from, TakenArrays& taken) {
  DocumentText& text = taken.text;
  const ArrayMeanings& of = taken.meanings;
  bool are_ids = false;
  if (text.tokens.empty() && text.query_tokens.empty()) {
    take_texts(from, of.query_tokens, text.query_tokens);
    take_texts(from, of.key_tokens, text.key_tokens);
    if (text.key_tokens.empty() && text.query_tokens.empty()) {
      take_texts(from, of.tokens, text.tokens);
      are_ids = text.tokens.empty();
      take_ids(from, of.ids, text.tokens);
    }
  }
  const Status sound = check_tokens(taken.choices.words, text);
  if (!sound) return sound.error();
  if (of.only) keep_tokens_of(*of.only, text);
  TokenFacts& facts = taken.choices.tokens;
  const TokenLists& keys = text.tokens.empty() ? text.key_tokens : text.tokens;
  facts.all = longest(text.tokens);
  facts.queries = longest(text.query_tokens);
  facts.keys = longest(text.key_tokens);
  facts.lists = std::max({text.tokens.size(), text.query_tokens.size(), keys.size()});
  facts.padding = padding_of(keys, are_ids);
  return ok_status();
}

void fit_tokens(TakenArrays& taken) {
  DocumentText& text = taken.text;
  ArrayReading& reading = taken.choices.fitting.front();
  const std::size_t n_q = reading.extent("query"), n_k = reading.extent("key");
  const std::size_t n = longest(text.tokens);
  if (n == 0 || !text.self_attention.empty() || !text.encoder_attention.empty()) return;
  const std::size_t lists = text.tokens.size(), samples = reading.extent("sample");
  const bool has_lists = lists == 1 || lists == samples;
  if (n_q == n && n_k == n && has_lists) return;
  if (n_q == n && has_lists) {
    text.query_tokens = std::exchange(text.tokens, {});
    text.key_tokens = {TokenList::counted(n_k)};
  } else if (n_k == n && has_lists) {
    text.key_tokens = std::exchange(text.tokens, {});
    text.query_tokens = {TokenList::counted(n_q)};
  } else {
    text.tokens.clear();
    const std::string why =
        has_lists ? counted(n, "token") + " for " + std::to_string(n_q) + " rows and " +
                        std::to_string(n_k) + " columns"
                  : counted(lists, "list") + " of tokens for " + counted(samples, "sample");
    const bool are_noted = reading.names.tokens.empty() && reading.names.ids.empty();
    if (are_noted) taken.choices.left_out.push_back("the file's list of tokens: " + why);
    for (auto* names : {&reading.names.tokens, &reading.names.ids}) {
      if (names->empty()) continue;
      reading.names.unused[names->front()] = why;
      names->clear();
    }
  }
}

}  // namespace attn
