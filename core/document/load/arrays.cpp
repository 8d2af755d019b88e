// Documents made of array files.
#include "document/load/arrays.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/joined.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/row_sample.h"
#include "base/utf8.h"
#include "document/axes.h"
#include "document/draft/draft.h"
#include "document/load/array_reading.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"

namespace attn {
namespace {

constexpr std::size_t kNamesShown = 6;

// A listed file. The bytes of what is no regular file are kept.
struct ArrayFile {
  const DocumentFile& file;
  std::shared_ptr<const void> owner;
  ArrayListing listing;

  std::uint64_t limit() const { return file.options.memory_limit_bytes; }
};

Result<ArrayFile> opened(const DocumentFile& file) {
  if (file.bytes->is_regular_file()) {
    Result<OpenedArrays> mapped = open_arrays(file.name, file.bytes->hand_over());
    if (!mapped) return mapped.error();
    return ArrayFile{file, std::move(mapped->file), std::move(mapped->listing)};
  }
  Result<std::string> read = read_rest(*file.bytes);
  if (!read) return read.error();
  const auto kept = std::make_shared<const std::string>(*std::move(read));
  Result<ArrayListing> listing = list_arrays(*kept, file.name);
  if (!listing) return listing.error();
  return ArrayFile{file, kept, *std::move(listing)};
}

// Arrays with their axes and heads as they lie, of which none are said where they are in order.
template <class T>
Result<BasicTensor<T>> numbers_of(const ArrayFile& from, const std::vector<std::string>& names,
                                  const std::vector<std::string>& axes = {},
                                  std::size_t heads = 0) {
  const std::filesystem::path path(from.file.name);
  const TensorReference what{path.filename().string(), names, axes, heads};
  if (from.file.bytes->is_regular_file()) {
    return open_array<T>(what, folder_of(from.file.name), from.limit());
  }
  return referred_array<T>(from.listing, what, from.owner, from.limit());
}

// --- one array

constexpr double kSumsToOne = 1e-2;

std::string meaning(const Tensor& array) {
  const RowSample sample = sample_of_rows(array);
  double sum = 0.0;
  std::size_t row = 0;
  const bool are_shares = look_at_rows(array, sample, [&](std::size_t at, auto numbers) {
    row = at;
    sum = sum_of(numbers);
    return std::abs(sum - 1.0) <= kSumsToOne;
  });
  if (are_shares) {
    return "read as finished attention: " +
           (sample.is_all() ? "every row sums" : "each of the " + sample.words() + " sums") +
           " to 1";
  }
  return "shown as it is, like finished attention, although row " + std::to_string(row) +
         " sums to " + short_text(sum) +
         "; to use the array as q, k, v or anything else, refer to it in a document: {\"q\": "
         "{\"file\": \"q.npy\"}, …}";
}

// --- several arrays

Error no_meaning(const ArrayListing& listing) {
  std::vector<std::string> names;
  for (const StoredArray& array : listing.arrays) {
    names.push_back(shortened(printable_line(array.name), 40) + " " + shape_text(array.shape));
  }
  for (const std::string& other : listing.left_out)
    names.push_back(shortened(printable_line(other), 60) + " (not read)");
  const bool are_parameters = std::ranges::all_of(listing.arrays, [](const StoredArray& array) {
    return array.name.ends_with(".weight") || array.name.ends_with(".bias");
  });
  if (are_parameters && !names.empty()) {
    return refusal_at("", "the file holds parameters of a model, and no attention",
                      joined_first(names, kNamesShown),
                      "what the model computes: attention, or q and k",
                      "run the model and record its attention");
  }
  return refusal_at("", "no array of the file is called attention, or q and k",
                    names.empty() ? "no arrays" : joined_first(names, kNamesShown),
                    "names such as attention, layers.0.attn, or q and k, with or without v",
                    "say which is attention: --arrays attention=NAME; or refer to it in a "
                    "document: {\"attention\": {\"file\": \"FILE\", \"array\": \"NAME\"}}");
}

// The refusal of attention, queries or keys of usual names that are not read.
std::optional<Error> unread_attention(const ArrayListing& listing) {
  ArrayListing all{listing.arrays, "", {}};
  for (const std::string& other : listing.left_out) {
    all.arrays.emplace_back().name = other.substr(0, other.find(": "));
  }
  const ArrayMeanings usual = meanings_of(all);
  for (const auto* names : {&usual.attention, &usual.q, &usual.k}) {
    for (const std::string& name : *names) {
      if (auto refused = left_out_refusal(listing.left_out, name)) return refused;
    }
    if (!usual.attention.empty()) return std::nullopt;
  }
  return std::nullopt;
}

// The rows of an array of texts.
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

// Numbers of a vocabulary stand for themselves.
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

// A mask as documents have it, without other files.
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

// What the note of the file says beside its arrays.
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

// "layer" for "layers", as documents have them.
std::string singular(const std::string& axis) {
  if (axis == "queries") return "query";
  return axis.ends_with('s') ? axis.substr(0, axis.size() - 1) : axis;
}

// Names of the axes of arrays in the note.
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

// The numbers of an array with its axes in the order of documents, which `axes` lists.
Result<Tensor> numbers_laid(const ArrayFile& from, const LaidArray& laid,
                            std::vector<std::string>& axes) {
  const std::vector<std::string> none;
  axes.clear();
  for (const std::string_view axis : known_axes(laid.key)) {
    if (std::ranges::count(laid.axes, axis) > 0) axes.emplace_back(axis);
  }
  const bool is_lone = from.listing.arrays.size() == 1;
  Result<Tensor> numbers = numbers_of<float>(from, is_lone ? none : laid.names,
                                             axes == laid.axes ? none : laid.axes, laid.heads);
  if (!numbers || numbers->size() == element_count(laid.shape)) return numbers;
  return Error{.kind = ErrorKind::BadInput, .message = "the file has just changed"};
}

// Numbers of layers in the names of stacked arrays, else of the note; none if they count the
// layers, or do not fit them.
void take_layer_numbers(const LaidArray& laid, DocumentText& text) {
  std::vector<std::uint64_t>& numbers = text.layer_numbers;
  const std::vector<std::uint64_t> named = layers_in(laid.names);
  if (laid.names.size() > 1 && !named.empty()) numbers = named;
  std::set<std::uint64_t> all(numbers.begin(), numbers.end());
  const bool fits =
      !all.empty() && all.size() == numbers.size() && all.size() == laid.extent("layer");
  const bool counts = fits && std::ranges::is_sorted(numbers) && numbers.back() + 1 == all.size();
  if (!fits || counts) numbers.clear();
}

Status take_numbers(const ArrayFile& from, const ArrayReading& reading, DocumentText& text) {
  for (const LaidArray& laid : reading.laid) {
    Result<Tensor> numbers = numbers_laid(from, laid, text.axes.emplace());
    if (!numbers) return numbers.error();
    Tensor& tensor = laid.key == "q"   ? text.q
                     : laid.key == "k" ? text.k
                     : laid.key == "v" ? text.v
                                       : text.attention;
    tensor = *std::move(numbers);
  }
  return ok_status();
}

// A mask as it broadcasts to (layers, samples, heads, queries, keys), if the note names its axes.
template <class T>
BasicTensor<T> broadcast_by_note(const std::vector<std::string>& axes, const BasicTensor<T>& mask) {
  if (axes.size() != mask.rank()) return mask;
  Shape shape;
  std::size_t next = 0;
  for (const char* axis : {"layer", "sample", "head", "query", "key"}) {
    const bool there = next < axes.size() && axes[next] == axis;
    if (there || !shape.empty()) shape.push_back(there ? mask.extent(next++) : 1);
  }
  return next == axes.size() ? mask.reshaped(shape) : mask;
}

// Weights of the decoder and of the encoder beside those across, with their axes.
Status take_own_weights(const ArrayFile& from, const ArrayChoices& choices, ArrayMeanings& meanings,
                        DocumentText& text) {
  const LaidArray& across = choices.fitting.front().laid.front();
  for (const auto& [names, tensor] : {std::pair{&meanings.self_attention, &text.self_attention},
                                      {&meanings.encoder_attention, &text.encoder_attention}}) {
    if (names->empty()) continue;
    const Result<Tensor> numbers = numbers_of<float>(from, *names);
    if (!numbers) return numbers.error();
    if (numbers->rank() != across.axes.size() ||
        choices.noted_axes(names->front()) != choices.noted_axes(across.names.front())) {
      meanings.unused.push_back(names->front() + " (its axes are other than those of attention)");
      continue;
    }
    std::vector<std::string> axes;
    Result<Tensor> sorted =
        numbers_laid(from, {across.key, *names, numbers->shape(), across.axes}, axes);
    if (!sorted) return sorted.error();
    *tensor = *std::move(sorted);
  }
  if (text.self_attention.empty() && text.encoder_attention.empty()) return ok_status();
  if (!text.tokens.empty()) text.query_tokens = std::exchange(text.tokens, {});
  if (text.mask && text.mask->says_causal && !text.self_attention.empty()) {
    text.self_mask.emplace().causal = std::exchange(text.mask->causal, false);
    text.self_mask->says_causal = std::exchange(text.mask->says_causal, false);
  }
  return ok_status();
}

// Masks are dropped again where they do not fit the numbers. BadInput for one that words ask for
// and that is no mask.
Status take_masks(const ArrayFile& from, const ArrayChoices& choices, ArrayMeanings& meanings,
                  DocumentText& text) {
  Status taken = ok_status();
  const auto take = [&]<class T>(const char* key, std::vector<std::string>& names,
                                 BasicTensor<T> Mask::*member) {
    if (names.empty()) return;
    const Result<BasicTensor<T>> read = numbers_of<T>(from, names);
    if (read && names.size() == 1) {
      (text.mask ? *text.mask : text.mask.emplace()).*member =
          broadcast_by_note(choices.noted_axes(names.front()), *read);
    } else if (!read && choices.words.contains(key)) {
      taken = read.error();
    } else {
      meanings.unused.insert(meanings.unused.end(), names.begin(), names.end());
      names.clear();
    }
  };
  take("mask", meanings.visible, &Mask::visible);
  take("bias", meanings.bias, &Mask::bias);
  return taken;
}

// Of tokens of two sequences, those of the only attention.
void keep_tokens_of(Side side, DocumentText& text) {
  TokenLists& own = side == Side::Key ? text.key_tokens : text.query_tokens;
  if (!own.empty()) text.tokens = std::move(own);
  text.query_tokens.clear();
  text.key_tokens.clear();
}

void take_tokens(const ArrayFile& from, const ArrayMeanings& meanings, DocumentText& text) {
  take_texts(from, meanings.query_tokens, text.query_tokens);
  take_texts(from, meanings.key_tokens, text.key_tokens);
  if (text.key_tokens.empty() && text.query_tokens.empty()) {
    take_texts(from, meanings.tokens, text.tokens);
    take_ids(from, meanings.ids, text.tokens);
  }
}

// BadInput if words name arrays of tokens that are none.
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

// What was taken of a file.
struct TakenArrays {
  DocumentText text;
  std::string note;
  ArrayMeanings meanings;
  ArrayChoices choices;
};

// A lone array of any name is shown, like attention; so is one beside known ones.
ArrayChoices choices_in(const ArrayListing& listing) {
  ArrayChoices choices{facts_of(listing), meanings_of(listing), axes_in_note(listing),
                       listing.left_out};
  ArrayMeanings& usual = choices.usual;
  if (usual.attention.empty() && usual.q.empty() && usual.unused.size() == 1) {
    usual.attention.swap(usual.unused);
  }
  if (listing.arrays.size() == 1) {
    const std::optional<Side> only = usual.only;
    usual = {};
    usual.attention = {choices.arrays.front().name};
    usual.only = only;
  }
  return choices;
}

void count_tokens(const DocumentText& text, ArrayChoices& choices) {
  const TokenLists& lists = text.tokens.empty() ? text.query_tokens : text.tokens;
  choices.samples = lists.size();
  for (const auto& list : lists) choices.tokens = std::max(choices.tokens, list.size());
}

// What else could be meant.
std::string other_reading(const ArrayChoices& choices) {
  if (!choices.is_ambiguous()) return "";
  const ArrayReading& other = choices.fitting[1];
  ArrayWords words = choices.words;
  words["axes"] = other.laid.front().axes;
  return "its axes could as well be " + joined(words["axes"]) + ", " +
         other.sentence.substr(0, other.sentence.find(", ")) + ": --arrays '" +
         array_words_text(words) + "'";
}

Status take_arrays(const ArrayFile& from, TakenArrays& taken) {
  const Result<ArrayWords> words = parse_array_words(from.file.options.arrays);
  if (!words) return words.error();
  ArrayChoices& choices = taken.choices = choices_in(from.listing);
  choices.words = *words;
  DocumentText& text = taken.text;
  Result<ArrayMeanings> meanings = names_in_words(choices, *words);
  if (!meanings) return meanings.error();
  ArrayMeanings& of = taken.meanings = *std::move(meanings);
  if (!words->contains("attention") && !words->contains("q")) {
    if (auto unread = unread_attention(from.listing)) return *std::move(unread);
  }
  if (of.attention.empty() && (of.q.empty() || of.k.empty())) return no_meaning(from.listing);
  const std::vector<std::string> noted =
      choices.noted_axes(of.attention.empty() ? of.q.front() : of.attention.front());
  if (std::ranges::count(noted, "measure") > 0) {
    return refusal_at("", "the file holds measures of heads, and no attention", joined(noted),
                      "axes with queries and keys",
                      "compute --stage weights writes a file that can be opened");
  }
  if (const Status note = take_note(from.listing, text); !note) return note;
  if (text.tokens.empty() && text.query_tokens.empty()) take_tokens(from, of, text);
  if (const Status tokens = check_tokens(*words, text); !tokens) return tokens.error();
  if (of.only) keep_tokens_of(*of.only, text);
  count_tokens(text, choices);
  Result<std::vector<ArrayReading>> readings = array_readings(choices, *words);
  if (!readings) return readings.error();
  choices.fitting = *std::move(readings);
  if (Status masks = take_masks(from, choices, of, text); !masks) return masks;
  taken.note = choices.fitting.front().sentence;
  take_layer_numbers(choices.fitting.front().laid.front(), text);
  if (!of.attention.empty()) {
    for (const auto* names : {&of.q, &of.k, &of.v}) {
      std::ranges::copy_if(*names, std::back_inserter(of.unused), [&](const std::string& name) {
        return std::ranges::count(of.attention, name) == 0;
      });
    }
  }
  Status numbers = take_numbers(from, choices.fitting.front(), text);
  if (numbers && !text.attention.empty()) numbers = take_own_weights(from, choices, of, text);
  const bool is_lone = from.listing.arrays.size() == 1 && !text.attention.empty();
  if (numbers && is_lone) taken.note += ", " + meaning(text.attention);
  return numbers;
}

// The document; masks and further attentions that do not fit its numbers are left out.
Reading completed_without_other_masks(TakenArrays& taken, const ArrayFile& from) {
  ArrayMeanings& of = taken.meanings;
  const auto complete = [&] {
    return completed(taken.text, from.limit(), from.file.options.progress);
  };
  Reading reading = complete();
  const auto leave_out = [&](const char* pointer, std::vector<std::string>& names, auto& tensor) {
    if (names.empty() || reading.errors.empty()) return;
    if (!reading.errors.front().pointer.starts_with(pointer)) return;
    of.unused.push_back(names.front() + " " + shape_text(tensor.shape()) + " (" +
                        reading.errors.front().message + ")");
    tensor = {};
    reading = complete();
  };
  leave_out("/self_attention", of.self_attention, taken.text.self_attention);
  leave_out("/encoder_attention", of.encoder_attention, taken.text.encoder_attention);
  if (taken.text.mask) {
    leave_out("/mask/visible", of.visible, taken.text.mask->visible);
    leave_out("/mask/bias", of.bias, taken.text.mask->bias);
  }
  if (!taken.text.self_attention.empty()) {
    taken.note += ", the decoder's from " + source_text(of.self_attention);
  }
  if (!taken.text.encoder_attention.empty()) {
    taken.note += ", the encoder's from " + source_text(of.encoder_attention);
  }
  if (!of.unused.empty()) taken.note += "; not used: " + joined_first(of.unused, kNamesShown);
  const std::vector<std::string>& left_out = from.listing.left_out;
  if (!left_out.empty()) taken.note += "; not read: " + joined_first(left_out, kNamesShown);
  return reading;
}

}  // namespace

Reading read_array_document(const DocumentFile& file) {
  TakenArrays taken;
  const auto refused = [&](Error error) {
    error.file = file.name;
    error.pointer.clear();
    return Reading{.arrays = std::make_shared<ArrayChoices>(std::move(taken.choices)),
                   .errors = {std::move(error)}};
  };
  const Result<ArrayFile> from = opened(file);
  if (!from) return refused(from.error());
  const std::filesystem::path path(file.name == "-" ? "" : file.name);
  if (!path.empty()) taken.text.title = path.stem().string();
  if (!path.empty()) taken.text.source = path.filename().string();
  if (const Status read = take_arrays(*from, taken); !read) return refused(read.error());
  Reading reading = completed_without_other_masks(taken, *from);
  if (!reading.errors.empty()) return refused(std::move(reading.errors.front()));
  const std::string other = other_reading(taken.choices);
  if (!other.empty()) reading.notes.insert(reading.notes.begin(), other);
  reading.notes.insert(reading.notes.begin(), taken.note);
  reading.arrays = std::make_shared<ArrayChoices>(std::move(taken.choices));
  return reading;
}

}  // namespace attn
