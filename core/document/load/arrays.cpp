// Documents made of array files.
#include "document/load/arrays.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/joined.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/row_sample.h"
#include "base/utf8.h"
#include "document/draft/draft.h"
#include "document/load/array_names.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"

namespace attn {
namespace {

constexpr std::size_t kLeastAxes = 2;
constexpr std::size_t kMostDocumentAxes = 5;
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
    Result<OpenedArrays> mapped = open_arrays(file.name);
    if (!mapped) return mapped.error();
    return ArrayFile{file, std::move(mapped->file), std::move(mapped->listing)};
  }
  Result<std::string> read = read_rest(*file.bytes);
  if (!read) return read.error();
  const auto kept = std::make_shared<const std::string>(*std::move(read));
  Result<ArrayListing> listing = list_arrays(*kept);
  if (!listing) return listing.error();
  return ArrayFile{file, kept, *std::move(listing)};
}

template <class T>
Result<BasicTensor<T>> numbers_of(const ArrayFile& from, const std::vector<std::string>& names) {
  if (!from.file.bytes->is_regular_file()) {
    return array_of_names<T>(from.listing, names, from.owner, from.limit());
  }
  const std::string name = std::filesystem::path(from.file.name).filename().string();
  return open_array<T>({name, names}, folder_of(from.file.name), from.limit());
}

Error wrong_axes(const Shape& shape) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.message = "an array with this number of axes is no document by itself";
  error.found = shape_text(shape);
  error.expected =
      "(n_q, n_k), (heads, n_q, n_k), (layers, heads, n_q, n_k) or (layers, samples, "
      "heads, n_q, n_k)";
  error.hint = "refer to it in a document: {\"q\": {\"file\": \"q.npy\"}, …}";
  return error;
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
  for (const ListedArray& listed : listing.arrays) {
    names.push_back(shortened(printable_line(listed.array.name), 40) + " " +
                    shape_text(listed.array.shape));
  }
  for (const std::string& other : listing.left_out) names.push_back(other + " (not read)");
  return Error{
      .kind = ErrorKind::BadInput,
      .message = "no array of the file is called attention, or q and k",
      .found = names.empty() ? "no arrays" : joined_first(names, kNamesShown),
      .expected = "names such as attention, layers.0.attn, or q and k, with or without v",
      .hint =
          "refer to its arrays in a document: {\"attention\": {\"file\": \"FILE\", \"array\": "
          "\"NAME\"}}"};
}

// "attentions", or "12 arrays from layers.0.attn to layers.11.attn".
std::string source_text(const std::vector<std::string>& names) {
  if (names.size() == 1) return "“" + names.front() + "”";
  return std::to_string(names.size()) + " arrays from “" + names.front() + "” to “" + names.back() +
         "”";
}

bool take_texts(const ArrayFile& from, const std::vector<std::string>& names, TokenLists& lists) {
  if (names.empty()) return true;
  const auto array =
      std::ranges::find(from.listing.arrays, names.front(),
                        [](const ListedArray& a) { return std::string_view(a.array.name); });
  const Result<std::vector<std::string>> texts = texts_in(*array, from.limit());
  if (!texts) return false;
  const Shape& shape = array->array.shape;
  const std::size_t length = shape.empty() ? 1 : shape.back();
  for (std::size_t at = 0; at + length <= texts->size(); at += length) {
    const auto first = texts->begin() + static_cast<std::ptrdiff_t>(at);
    lists.emplace_back(
        std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(length)));
  }
  return true;
}

// Numbers of a vocabulary stand for themselves.
void take_ids(const ArrayFile& from, const std::vector<std::string>& names, TokenLists& lists) {
  if (names.empty() || !lists.empty()) return;
  const Result<Tensor> ids = numbers_of<float>(from, names);
  if (!ids || ids->rank() > 2) return;
  const std::size_t length = ids->rank() == 0 ? 1 : ids->extent(ids->rank() - 1);
  for (std::size_t at = 0; at + length <= ids->size(); at += length) {
    std::vector<std::string> texts;
    for (const float id : ids->values().subspan(at, length)) {
      texts.push_back(std::to_string(static_cast<std::int64_t>(id)));
    }
    lists.emplace_back(std::move(texts));
  }
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

// What the note of the file says beside its arrays.
void take_note(const ArrayListing& listing, DocumentText& text) {
  const Json note = parse_own_json(listing.note);
  if (!note.is_object()) return;
  const auto member = [&](const char* name) {
    const auto found = note.find(name);
    return found == note.end() ? Json() : *found;
  };
  const bool has_keys = member("key_tokens").is_array();
  take_token_json(member("tokens"), has_keys ? text.query_tokens : text.tokens);
  take_token_json(member("key_tokens"), text.key_tokens);
  if (member("title").is_string()) text.title = member("title").get<std::string>();
  if (member("description").is_string()) {
    text.description = member("description").get<std::string>();
  }
  if (!member("causal").is_boolean()) return;
  MaskText& mask = text.mask ? *text.mask : text.mask.emplace();
  mask.causal = member("causal").get<bool>();
  mask.says_causal = true;
}

// Names of axes of an array in the note, as documents have them.
std::vector<std::string> axes_in_note(const ArrayListing& listing, const std::string& array) {
  constexpr std::pair<std::string_view, std::string_view> kAxes[] = {
      {"layers", "layer"}, {"samples", "sample"}, {"heads", "head"},      {"queries", "query"},
      {"keys", "key"},     {"tokens", "token"},   {"features", "feature"}};
  const Json note = parse_own_json(listing.note);
  std::vector<std::string> names;
  if (!note.is_object()) return names;
  const Json axes =
      member_of(member_of(note, "axes", Json::object()), array.c_str(), Json::array());
  for (const Json& axis : axes) {
    const std::string name = axis.is_string() ? axis.get<std::string>() : "";
    const auto known =
        std::ranges::find(kAxes, name, &std::pair<std::string_view, std::string_view>::first);
    names.emplace_back(known == std::end(kAxes) ? name : std::string(known->second));
  }
  return names;
}

// Names of the axes of an array, or of equal arrays stacked as layers; nothing if they follow from
// the rank. `usual`: those of one layer.
std::optional<std::vector<std::string>> axes_of(const ArrayFile& from,
                                                const std::vector<std::string>& names,
                                                std::size_t rank, std::vector<std::string> usual) {
  const bool stacked = names.size() > 1;
  std::vector<std::string> axes = axes_in_note(from.listing, names.front());
  if (axes.empty() && stacked) {
    const std::size_t own = std::min(rank - 1, usual.size());
    axes.assign(usual.end() - static_cast<std::ptrdiff_t>(own), usual.end());
  }
  if (axes.empty()) return std::nullopt;
  if (stacked) axes.insert(axes.begin(), "layer");
  return axes;
}

Status take_weights(const ArrayFile& from, const std::vector<std::string>& names,
                    DocumentText& text) {
  Result<Tensor> numbers = numbers_of<float>(from, names);
  if (!numbers) return numbers.error();
  text.attention = *std::move(numbers);
  const std::size_t rank = text.attention.rank();
  if (rank < kLeastAxes || rank > kMostDocumentAxes) return wrong_axes(text.attention.shape());
  text.axes = axes_of(from, names, rank, {"sample", "head", "query", "key"});
  return ok_status();
}

// Axes of queries, keys or values. Libraries of hooks record them with the heads behind the tokens.
std::optional<std::vector<std::string>> axes_of_rows(const ArrayFile& from,
                                                     const std::vector<std::string>& names,
                                                     std::size_t rank) {
  std::vector<std::string> usual{"sample", "head", "token", "feature"};
  const bool hooked = names.front().find("hook_") != std::string::npos;
  if (hooked) std::swap(usual[1], usual[2]);
  std::optional<std::vector<std::string>> axes = axes_of(from, names, rank, usual);
  if (!axes && hooked && rank > kLeastAxes && rank <= usual.size()) {
    axes.emplace(usual.end() - static_cast<std::ptrdiff_t>(rank), usual.end());
  }
  if (!axes) return axes;
  std::ranges::replace(*axes, "query", "token");
  std::ranges::replace(*axes, "key", "token");
  return axes;
}

Status take_rows(const ArrayFile& from, const ArrayMeanings& meanings, DocumentText& text,
                 std::string& taken) {
  std::vector<std::string> sources;
  for (const auto& [names, tensor] :
       {std::pair{&meanings.q, &text.q}, {&meanings.k, &text.k}, {&meanings.v, &text.v}}) {
    if (names->empty()) continue;
    Result<Tensor> numbers = numbers_of<float>(from, *names);
    if (!numbers) return numbers.error();
    *tensor = *std::move(numbers);
    sources.push_back(source_text(*names));
    const auto axes = axes_of_rows(from, *names, tensor->rank());
    if (tensor == &text.q) text.axes = axes;
    if (axes == text.axes) continue;
    return Error{.kind = ErrorKind::BadInput,
                 .message = sources.back() + " has other axes than " + sources.front(),
                 .found = axes ? joined(*axes) : "none named",
                 .expected = text.axes ? joined(*text.axes) : "none named",
                 .hint = "name the axes of q, k and v in the same order in the file's note"};
  }
  taken = (text.v.empty() ? "queries and keys without values from "
                          : "queries, keys and values from ") +
          joined(sources);
  return ok_status();
}

// Masks are dropped again where they do not fit the numbers.
void take_masks(const ArrayFile& from, ArrayMeanings& meanings, DocumentText& text) {
  const auto take = [&]<class T>(std::vector<std::string>& names, BasicTensor<T> Mask::*member) {
    if (names.empty()) return;
    const Result<BasicTensor<T>> read = numbers_of<T>(from, names);
    if (read && names.size() == 1) {
      (text.mask ? *text.mask : text.mask.emplace()).*member = *read;
    } else {
      meanings.unused.insert(meanings.unused.end(), names.begin(), names.end());
      names.clear();
    }
  };
  take(meanings.visible, &Mask::visible);
  take(meanings.bias, &Mask::bias);
}

Status take_numbers(const ArrayFile& from, ArrayMeanings& meanings, DocumentText& text,
                    std::string& taken) {
  if (meanings.attention.empty()) {
    if (meanings.q.empty() || meanings.k.empty()) return no_meaning(from.listing);
    return take_rows(from, meanings, text, taken);
  }
  taken = "attention from " + source_text(meanings.attention);
  for (const auto* names : {&meanings.q, &meanings.k, &meanings.v}) {
    meanings.unused.insert(meanings.unused.end(), names->begin(), names->end());
  }
  return take_weights(from, meanings.attention, text);
}

void take_tokens(const ArrayFile& from, const ArrayMeanings& meanings, DocumentText& text) {
  take_texts(from, meanings.query_tokens, text.query_tokens);
  take_texts(from, meanings.key_tokens, text.key_tokens);
  if (text.key_tokens.empty() && text.query_tokens.empty()) {
    take_texts(from, meanings.tokens, text.tokens);
    take_ids(from, meanings.ids, text.tokens);
  }
}

// What was taken of a file.
struct TakenArrays {
  DocumentText text;
  std::string note;
  ArrayMeanings meanings;
};

Status take_arrays(const ArrayFile& from, TakenArrays& taken) {
  if (from.listing.arrays.size() == 1 && from.listing.note.empty()) {
    Result<Tensor> array = numbers_of<float>(from, {});
    if (!array) return array.error();
    if (array->rank() < kLeastAxes || array->rank() > kMostDocumentAxes) {
      return wrong_axes(array->shape());
    }
    taken.note = meaning(*array);
    taken.text.attention = *std::move(array);
    return ok_status();
  }
  DocumentText& text = taken.text;
  taken.meanings = meanings_of(from.listing);
  take_note(from.listing, text);
  if (text.tokens.empty() && text.query_tokens.empty()) take_tokens(from, taken.meanings, text);
  take_masks(from, taken.meanings, text);
  return take_numbers(from, taken.meanings, text, taken.note);
}

// The document; masks that do not fit its numbers are left out.
Reading completed_without_other_masks(TakenArrays& taken, const ArrayFile& from) {
  ArrayMeanings& of = taken.meanings;
  const auto complete = [&] {
    return completed(taken.text, from.limit(), from.file.options.progress);
  };
  Reading reading = complete();
  const auto leave_out = [&](const char* pointer, std::vector<std::string>& names, auto& tensor) {
    if (names.empty() || reading.errors.empty()) return;
    if (!reading.errors.front().pointer.starts_with(pointer)) return;
    of.unused.push_back(names.front() + " " + shape_text(tensor.shape()));
    tensor = {};
    reading = complete();
  };
  if (taken.text.mask) {
    leave_out("/mask/visible", of.visible, taken.text.mask->visible);
    leave_out("/mask/bias", of.bias, taken.text.mask->bias);
  }
  if (!of.unused.empty()) taken.note += "; not used: " + joined_first(of.unused, kNamesShown);
  return reading;
}

}  // namespace

Reading read_array_document(const DocumentFile& file) {
  const auto refused = [&](Error error) {
    error.file = file.name;
    error.pointer.clear();
    return Reading{.errors = {std::move(error)}};
  };
  const Result<ArrayFile> from = opened(file);
  if (!from) return refused(from.error());
  const std::filesystem::path path(file.name == "-" ? "" : file.name);
  TakenArrays taken;
  if (!path.empty()) taken.text.title = path.stem().string();
  if (!path.empty()) taken.text.source = path.filename().string();
  if (const Status read = take_arrays(*from, taken); !read) return refused(read.error());
  Reading reading = completed_without_other_masks(taken, *from);
  if (!reading.errors.empty()) return refused(std::move(reading.errors.front()));
  reading.notes.insert(reading.notes.begin(), taken.note);
  return reading;
}

}  // namespace attn
