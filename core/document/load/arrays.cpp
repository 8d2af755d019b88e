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
  std::shared_ptr<const void> owner;
  std::string_view bytes;
  if (file.bytes->is_regular_file()) {
    Result<std::shared_ptr<const MappedFile>> mapped = MappedFile::open(file.name);
    if (!mapped) return mapped.error();
    bytes = (*mapped)->bytes();
    owner = *std::move(mapped);
  } else {
    Result<std::string> read = read_rest(*file.bytes);
    if (!read) return read.error();
    const auto kept = std::make_shared<const std::string>(*std::move(read));
    bytes = *kept;
    owner = kept;
  }
  Result<ArrayListing> listing = list_arrays(bytes);
  if (!listing) return listing.error();
  return ArrayFile{file, std::move(owner), *std::move(listing)};
}

Result<Tensor> numbers_of(const ArrayFile& from, const std::vector<std::string>& names) {
  if (!from.file.bytes->is_regular_file()) {
    return array_of_names<float>(from.listing, names, from.owner, from.limit());
  }
  const std::string name = std::filesystem::path(from.file.name).filename().string();
  return open_array<float>({name, names}, folder_of(from.file.name), from.limit());
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
// More rows than these tell no more, and a file of gigabytes is not read to its end.
constexpr std::size_t kMostRowsRead = std::size_t{1} << 16U;

// First row that does not sum to 1, or the number of rows.
std::size_t first_odd_row(const Tensor& array, std::size_t rows, double& sum) {
  const std::size_t columns = array.extent(array.rank() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    sum = sum_of(array.values().subspan(row * columns, columns));
    if (!(std::abs(sum - 1.0) <= kSumsToOne)) return row;
  }
  return rows;
}

std::string meaning(const Tensor& array) {
  double sum = 0.0;
  const std::size_t all = array.size() / array.extent(array.rank() - 1);
  const std::size_t rows = std::min(all, kMostRowsRead);
  const std::size_t row = first_odd_row(array, rows, sum);
  if (row == rows) {
    return rows == all
               ? "read as finished attention: every row sums to 1"
               : "read as finished attention: the first " + grouped_text(rows) + " rows sum to 1";
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
      .message = "no array of the file is called attention, or q and k and v",
      .found = names.empty() ? "no arrays" : joined_first(names, kNamesShown),
      .expected = "names such as attention, layers.0.attn, q, k and v",
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
  const Result<Tensor> ids = numbers_of(from, names);
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

// Weights of several arrays, one a layer, have the layers in front.
void set_axes(const ArrayFile& from, const std::vector<std::string>& names, std::size_t rank,
              DocumentText& text) {
  std::vector<std::string> axes;
  if (names.size() == 1) axes = axes_in_note(from.listing, names.front());
  if (names.size() > 1 && rank == 3) axes = {"layer", "query", "key"};
  if (!axes.empty()) text.axes = std::move(axes);
}

Status take_numbers(const ArrayFile& from, const ArrayMeanings& meanings, DocumentText& text,
                    std::string& taken) {
  const bool has_qkv = !meanings.q.empty() && !meanings.k.empty() && !meanings.v.empty();
  const auto take = [&](const std::vector<std::string>& names, Tensor& tensor) {
    Result<Tensor> numbers = numbers_of(from, names);
    if (!numbers) return Status(numbers.error());
    tensor = *std::move(numbers);
    return ok_status();
  };
  if (meanings.attention.empty() && !has_qkv) return no_meaning(from.listing);
  if (!meanings.attention.empty()) {
    if (const Status read = take(meanings.attention, text.attention); !read) return read;
    set_axes(from, meanings.attention, text.attention.rank(), text);
    taken = "attention from " + source_text(meanings.attention);
    return ok_status();
  }
  for (const auto& [names, tensor] :
       {std::pair{&meanings.q, &text.q}, {&meanings.k, &text.k}, {&meanings.v, &text.v}}) {
    if (const Status read = take(*names, *tensor); !read) return read;
  }
  taken = "queries, keys and values from " + source_text(meanings.q) + ", " +
          source_text(meanings.k) + " and " + source_text(meanings.v);
  return ok_status();
}

void take_tokens(const ArrayFile& from, const ArrayMeanings& meanings, DocumentText& text) {
  take_texts(from, meanings.query_tokens, text.query_tokens);
  take_texts(from, meanings.key_tokens, text.key_tokens);
  if (text.key_tokens.empty() && text.query_tokens.empty()) {
    take_texts(from, meanings.tokens, text.tokens);
    take_ids(from, meanings.ids, text.tokens);
  }
}

Status take_arrays(const ArrayFile& from, DocumentText& text, std::string& note) {
  if (from.listing.arrays.size() == 1 && from.listing.note.empty()) {
    Result<Tensor> array = numbers_of(from, {});
    if (!array) return array.error();
    if (array->rank() < kLeastAxes || array->rank() > kMostDocumentAxes) {
      return wrong_axes(array->shape());
    }
    note = meaning(*array);
    text.attention = *std::move(array);
    return ok_status();
  }
  const ArrayMeanings meanings = meanings_of(from.listing);
  take_note(from.listing, text);
  if (text.tokens.empty() && text.query_tokens.empty()) take_tokens(from, meanings, text);
  const Status taken = take_numbers(from, meanings, text, note);
  if (!meanings.unused.empty()) note += "; not used: " + joined_first(meanings.unused, kNamesShown);
  return taken;
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
  DocumentText text;
  if (!path.empty()) text.title = path.stem().string();
  if (!path.empty()) text.source = path.filename().string();
  std::string note;
  if (const Status taken = take_arrays(*from, text, note); !taken) return refused(taken.error());
  Reading reading = completed(std::move(text), from->limit(), file.options.progress);
  if (!reading.errors.empty()) return refused(std::move(reading.errors.front()));
  reading.notes.insert(reading.notes.begin(), note);
  return reading;
}

}  // namespace attn
