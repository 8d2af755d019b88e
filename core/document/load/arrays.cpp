// Makes documents of array files.
#include "document/load/arrays.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "base/joined.h"
#include "base/row_sample.h"
#include "base/utf8.h"
#include "document/axes.h"
#include "document/draft/draft.h"
#include "document/load/taken_arrays.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"

namespace attn {
namespace {

constexpr std::size_t kArraysShown = 6;

Result<ArrayFile> opened(const DocumentFile& file) {
  if (file.bytes->is_regular_file()) {
    Result<OpenedArrays> mapped = open_arrays(file.name, file.options, file.bytes->hand_over());
    if (!mapped) return mapped.error();
    return ArrayFile{file, std::move(mapped->file), std::move(mapped->listing)};
  }
  Result<std::string> read = read_rest(*file.bytes);
  if (!read) return read.error();
  const auto kept = std::make_shared<const std::string>(*std::move(read));
  Result<ArrayListing> listing = list_arrays(*kept, file.name, file.options);
  if (!listing) return listing.error();
  return ArrayFile{file, kept, *std::move(listing)};
}

// --- facts

// Reads rows of arrays that may be attention by their names, or of all if none is. The first row of
// an unknown array that does not sum to 1 ends its pass.
Status read_rows(const ArrayFile& from, bool of_unknown, ArrayChoices& choices) {
  const bool is_lone = choices.arrays.size() == 1;
  for (const ArrayGroup& group : choices.groups) {
    const bool is_known = group.has_role(NameRole::Weights) || group.has_role(NameRole::Scores) ||
                          group.has_role(NameRole::Perhaps);
    const bool is_asked =
        is_lone || (of_unknown ? !group.known && group.shape.size() > 1 : is_known);
    if (!is_asked || group.type == NameType::Text || group.shape.empty()) continue;
    for (const std::size_t place : group.places) {
      ArrayFacts& array = choices.arrays[place];
      const Result<Tensor> numbers =
          floats_of(from.listing.arrays[place], from.owner, from.limit());
      if (!numbers) continue;  // using it is refused
      Result<RowFacts> rows = row_facts(*numbers, is_known || is_lone, from.progress());
      if (!rows) return rows.error();
      array.rows = *std::move(rows);
      if (of_unknown && !array.rows.sum_to_one) break;
    }
  }
  return ok_status();
}

Result<ArrayChoices> choices_in(const ArrayFile& from) {
  ArrayChoices choices = choices_of(facts_of(from.listing));
  choices.axes = axes_in_note(from.listing);
  choices.left_out = from.listing.left_out;
  for (const bool of_unknown : {false, true}) {
    if (Status read = read_rows(from, of_unknown, choices); !read) return read.error();
    choices.usual = meanings_of(choices);
    const bool has_rows = !choices.usual.q.empty() && !choices.usual.k.empty();
    if (!choices.usual.attention.empty() || has_rows) break;
  }
  ArrayMeanings& usual = choices.usual;
  if (choices.arrays.size() == 1) {
    const std::optional<Side> only = usual.only;
    usual = {};
    usual.attention = {choices.arrays.front().name};
    usual.only = only;
  }
  return choices;
}

// --- refusals

// Reading of the largest group as attention, as a hint.
std::string would_be_read(const ArrayChoices& choices) {
  const auto possible = possible_attentions(choices);
  if (possible.empty()) return "";
  return possible.front().second +
         " would be read: " + arrays_flag({{"attention", {possible.front().first}}});
}

Error no_meaning(const ArrayChoices& choices) {
  std::vector<std::string> names;
  bool has_parameters = false;
  for (const ArrayGroup& group : choices.groups) {
    const std::string count =
        group.names.size() > 1 ? std::to_string(group.names.size()) + " × " : "";
    names.push_back(shortened(printable_line(group.pattern), 40) + " " + count +
                    shape_text(group.shape));
    has_parameters = has_parameters || is_parameter(group.pattern);
  }
  for (const std::string& other : choices.left_out)
    names.push_back(shortened(printable_line(other), 60) + " (not read)");
  const std::string found = names.empty() ? "no arrays" : joined_first(names, kArraysShown);
  if (has_parameters) {
    return refusal_at("", "the file holds parameters of a model, and no attention", found,
                      "what the model computes: attention, or q and k",
                      "run the model and record its attention; or write a document with tokens, "
                      "embeddings and the parameters: {\"projections\": {\"w_q\": {\"file\": "
                      "\"FILE\", \"array\": \"NAME\"}, …}, …}");
  }
  for (const ArrayGroup& group : choices.groups) {
    if (!group.has_role(NameRole::Sparse)) continue;
    return refusal_at("", "the file holds a sparse matrix, or the edges of a graph", found,
                      "attention as a matrix whose rows sum to 1",
                      "write it as a dense matrix, or say which array it is: --arrays "
                      "attention=NAME");
  }
  const std::string read = would_be_read(choices);
  return refusal_at("", "no array of the file is called attention, or q and k", found,
                    "names such as attention, layers.0.attn, or q and k, with or without v",
                    (read.empty() ? "say which is attention: --arrays attention=NAME" : read) +
                        "; or refer to it in a document: {\"attention\": {\"file\": \"FILE\", "
                        "\"array\": \"NAME\"}}");
}

// Refusal for attention, queries or keys with usual names that are not read.
std::optional<Error> unread_attention(const ArrayChoices& choices) {
  const std::vector<std::string>& taken = choices.usual.attention;
  const auto known = taken.empty() ? std::nullopt : known_name(taken.front());
  for (const std::string& other : choices.left_out) {
    const std::string name = other.substr(0, other.find(": "));
    const std::optional<KnownName> row = known_name(name);
    if (!row) continue;
    const bool is_attention = row->role == NameRole::Weights;
    const bool is_row = row->role == NameRole::Q || row->role == NameRole::K;
    const bool is_taken =
        is_attention ? !known || row->rank <= known->rank : is_row && taken.empty();
    if (is_taken) return left_out_refusal(choices.left_out, name);
  }
  return std::nullopt;
}

// --- numbers

// The numbers of an array with its axes in the order of documents, which `axes` lists.
Result<Tensor> numbers_in_order(const ArrayFile& from, const ArrayLayout& layout,
                                std::vector<std::string>& axes) {
  const std::vector<std::string> none;
  axes.clear();
  for (const std::string_view axis : known_axes(layout.key)) {
    if (std::ranges::count(layout.axes, axis) > 0) axes.emplace_back(axis);
  }
  const bool is_lone = from.listing.arrays.size() == 1;
  const std::vector<std::string>& names = is_lone ? none : layout.names;
  const auto array =
      std::ranges::find(from.listing.arrays, layout.names.front(), &StoredArray::name);
  // A reference cannot express axes of names, or one of extent 1, that are moved.
  Shape stored = array->shape;
  if (layout.names.size() > 1) stored.insert(stored.begin(), layout.names.size());
  const bool is_in_order = axes == layout.axes;
  const bool has_queries = layout.key != "attention" || std::ranges::count(axes, "query") > 0;
  if (layout.heads > 0 || (stored.size() == layout.shape.size() && has_queries)) {
    return numbers_of<float>(from, names, is_in_order ? none : layout.axes, layout.heads);
  }
  const Result<Tensor> numbers = numbers_of<float>(from, names);
  if (!numbers) return numbers.error();
  std::vector<std::size_t> places;
  for (const std::string& axis : layout.axes) {
    const auto known = known_axes(layout.key);
    places.push_back(static_cast<std::size_t>(std::ranges::find(known, axis) - known.begin()));
  }
  Tensor sorted = with_sorted_axes(numbers->reshaped(layout.shape), places);
  if (has_queries) return sorted;
  Shape shape = sorted.shape();
  shape.insert(shape.end() - 1, 1);
  axes.insert(axes.end() - 1, "query");
  return sorted.reshaped(shape);
}

// Numbers of layers in the names of stacked arrays, else in the note; none if they count the
// layers, or do not fit them.
void take_layer_numbers(const ArrayChoices& choices, const ArrayLayout& layout,
                        DocumentText& text) {
  std::vector<std::uint64_t>& numbers = text.layer_numbers;
  const auto group = std::ranges::find(choices.groups, layout.names, &ArrayGroup::names);
  const bool is_named = layout.names.size() > 1 && group != choices.groups.end();
  if (is_named && !group->layers.empty()) numbers = group->layers;
  std::set<std::uint64_t> all(numbers.begin(), numbers.end());
  const bool fits =
      !all.empty() && all.size() == numbers.size() && all.size() == layout.extent("layer");
  const bool counts = fits && std::ranges::is_sorted(numbers) && numbers.back() + 1 == all.size();
  if (!fits || counts) numbers.clear();
}

Status take_numbers(const ArrayFile& from, const ArrayReading& reading, DocumentText& text) {
  for (const ArrayLayout& layout : reading.layouts) {
    Result<Tensor> numbers = numbers_in_order(from, layout, text.axes.emplace());
    if (!numbers) return numbers.error();
    const std::size_t count = element_count(layout.shape);
    if (numbers->size() != count) {
      return Error{.kind = ErrorKind::BadInput, .message = "the file has just changed"};
    }
    Tensor& tensor = layout.key == "q"   ? text.q
                     : layout.key == "k" ? text.k
                     : layout.key == "v" ? text.v
                                         : text.attention;
    tensor = *std::move(numbers);
  }
  return ok_status();
}

// Takes the decoder's and the encoder's own weights, with the axes of those across.
Status take_own_weights(const ArrayFile& from, TakenArrays& taken) {
  ArrayReading& reading = taken.choices.fitting.front();
  const ArrayLayout across = reading.layouts.front();
  DocumentText& text = taken.text;
  for (const auto& [names, tensor] :
       {std::pair{&reading.names.self_attention, &text.self_attention},
        {&reading.names.encoder_attention, &text.encoder_attention}}) {
    if (names->empty()) continue;
    const Result<Tensor> numbers = numbers_of<float>(from, *names);
    if (!numbers) return numbers.error();
    const std::string first = names->front();
    if (numbers->rank() != across.axes.size() ||
        taken.choices.noted_axes(first) != taken.choices.noted_axes(across.names.front())) {
      reading.names.unused[first] = "its axes differ from those of attention";
      names->clear();
      continue;
    }
    std::vector<std::string> axes;
    Result<Tensor> sorted = numbers_in_order(
        from, {across.key, *names, numbers->shape(), across.axes, 0, across.stacked}, axes);
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

Status take_arrays(const ArrayFile& from, TakenArrays& taken) {
  const Result<ArrayWords> words = parse_array_words(from.file.options.arrays);
  if (!words) return words.error();
  Result<ArrayChoices> found = choices_in(from);
  if (!found) return found.error();
  ArrayChoices& choices = taken.choices = *std::move(found);
  choices.words = *words;
  DocumentText& text = taken.text;
  Result<ArrayMeanings> meanings = names_in_words(choices, *words);
  if (!meanings) return meanings.error();
  ArrayMeanings& of = taken.meanings = *std::move(meanings);
  if (!words->contains("attention") && !words->contains("q")) {
    if (auto unread = unread_attention(choices)) return *std::move(unread);
  }
  if (of.attention.empty() && (of.q.empty() || of.k.empty())) return no_meaning(choices);
  const std::vector<std::string> noted =
      choices.noted_axes(of.attention.empty() ? of.q.front() : of.attention.front());
  if (std::ranges::count(noted, "measure") > 0) {
    return refusal_at("", "the file holds measures of heads, and no attention", joined(noted),
                      "axes with queries and keys",
                      "compute --stage weights writes a file that can be opened");
  }
  if (Status note = take_note(from.listing, text); !note) return note;
  choices.noted_layers = text.layer_numbers.size();
  if (Status tokens = take_tokens(from, taken); !tokens) return tokens;
  Result<std::vector<ArrayReading>> readings = array_readings(choices, *words);
  if (!readings) return readings.error();
  choices.fitting = *std::move(readings);
  take_layer_numbers(choices, choices.fitting.front().layouts.front(), text);
  if (Status numbers = take_numbers(from, choices.fitting.front(), text); !numbers) return numbers;
  if (!text.attention.empty()) {
    if (Status own = take_own_weights(from, taken); !own) return own;
  }
  fit_tokens(taken);
  return take_masks(from, taken);
}

// Makes the document; further attentions that do not fit its numbers are left out.
Reading completed_without_others(TakenArrays& taken, const ArrayFile& from) {
  ArrayMeanings& of = taken.choices.fitting.front().names;
  const auto complete = [&] {
    return completed(taken.text, from.limit(), from.file.options.progress);
  };
  Reading reading = complete();
  const auto leave_out = [&](const char* pointer, std::vector<std::string>& names, auto& tensor) {
    if (names.empty() || reading.errors.empty()) return;
    if (!reading.errors.front().pointer.starts_with(pointer)) return;
    of.unused[names.front()] = reading.errors.front().message;
    names.clear();
    tensor = {};
    reading = complete();
  };
  leave_out("/self_attention", of.self_attention, taken.text.self_attention);
  leave_out("/encoder_attention", of.encoder_attention, taken.text.encoder_attention);
  return reading;
}

}  // namespace

template <class T>
Result<BasicTensor<T>> numbers_of(const ArrayFile& from, const std::vector<std::string>& names,
                                  const std::vector<std::string>& axes, std::size_t heads) {
  const std::filesystem::path path(from.file.name);
  const TensorReference what{path.filename().string(), names, axes, heads};
  if (from.file.bytes->is_regular_file()) {
    return open_array<T>(what, folder_of(from.file.name), from.limit(), from.progress());
  }
  return referred_array<T>(from.listing, what, from.owner, from.limit());
}

template Result<Tensor> numbers_of(const ArrayFile&, const std::vector<std::string>&,
                                   const std::vector<std::string>&, std::size_t);
template Result<BoolTensor> numbers_of(const ArrayFile&, const std::vector<std::string>&,
                                       const std::vector<std::string>&, std::size_t);

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
  Reading reading = completed_without_others(taken, *from);
  if (!reading.errors.empty()) return refused(std::move(reading.errors.front()));
  taken.choices.records = records_of(taken.choices);
  reading.notes.insert(reading.notes.begin(), taken.choices.sentence());
  reading.arrays = std::make_shared<ArrayChoices>(std::move(taken.choices));
  return reading;
}

}  // namespace attn
