// Reads and writes nested lists of numbers and references to files.
#include "document/json/tensors.h"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/large_memory.h"
#include "base/mapped_file.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

constexpr auto kArrayNamesForm =
    form_of<std::vector<std::string>, read_text_or_texts, write_one_or_list<std::string>>(
        {.one_of = "string|token_list"});

// An absent key means that the axis is not split, which no count expresses.
constexpr auto kHeadsForm = form_of<std::uint64_t, read_count_of_form, write_value<std::uint64_t>>(
    {.one_of = "count", .low = 1});

constexpr Row kPartRows[] = {
    RowOf<TensorPart>::at<&TensorPart::first>("first", kIndex, "The first one, counted from 0."),
    RowOf<TensorPart>::at<&TensorPart::count>("count", kCount, "How many there are.").required(),
    RowOf<TensorPart>::at<&TensorPart::every>(
        "every", kCount, "As many follow from every so many further ones, to the last."),
};
constexpr ObjectOf<TensorPart> kPartObject{{.rows = kPartRows}};

constexpr Row kReferenceRows[] = {
    RowOf<TensorReference>::at<&TensorReference::file>(
        "file", kText,
        "Path of a .npy, .npz, .safetensors or .gguf file, absolute or relative to the document.")
        .required(),
    RowOf<TensorReference>::at<&TensorReference::arrays>(
        "array", kArrayNamesForm,
        "Name of an array in a file of several; a list of names is stacked along a new first axis.")
        .such_as(R"(["layers.0.q", ["layers.0.q", "layers.1.q"]])"),
    RowOf<TensorReference>::at<&TensorReference::axes>(
        "axes", kAxesForm,
        "Meaning of the axes of the array, outermost first, when they are to be put into the order "
        "of documents; includes layer for arrays that are stacked."),
    RowOf<TensorReference>::at<&TensorReference::heads>(
        "heads", kHeadsForm,
        "Number of heads joined in the array's last axis, which is split into the axes head and "
        "feature."),
    RowOf<TensorReference>::at<&TensorReference::turned>(
        "turned", kFlag, "Whether rows and columns of the matrix are exchanged."),
    RowOf<TensorReference>::at<&TensorReference::part>(
        "part", object_form(kPartObject),
        "Some of the columns of the matrix, after it was turned, or numbers of the bias."),
};

// --- {"file": …} in place of nested lists

// Error of a file, at the place that refers to it.
bool refuse_file(JsonValue json, const TensorReference& reference, const Error& error) {
  json.refuse(reference.file + ": " + error.message, error.found, error.expected, error.hint);
  json.reader().errors().back().kind = error.kind;
  return false;
}

// "depth 2", "depth 1 to 4".
std::string bounds_text(const Form& form, const std::string& before, const std::string& behind) {
  const std::string low = std::to_string(form.low), high = std::to_string(form.high);
  return before + (form.low == form.high ? low : low + " to " + high) + behind;
}

std::string text_of(const TensorReference& reference) {
  std::string text;
  append_origin(text, {reference, "", {}, nullptr});
  return text;
}

// Bounds up to which numbers are written as text when arrays may be referenced, as single numbers
// of an array cannot be edited.
constexpr std::size_t kMostTextBytes = 1U << 20U, kMostNumbers = 1U << 16U;

template <class T>
void write_array(const TextWriter& to, const BasicTensor<T>& tensor) {
  const bool is_small = to.out.size() < kMostTextBytes && tensor.size() <= kMostNumbers;
  const TensorOrigin* origin = tensor.origin();
  if (to.known == nullptr || (is_small && origin == nullptr))
    return append_tensor(to.out, tensor, to.level, to.count);
  const TensorReference place{.file = "/dev/null/" + std::to_string(to.known->size())};
  const std::string reference = text_of(origin != nullptr ? *origin : place);
  to.known->try_emplace(reference, tensor);
  to.out += reference;
}

template <class T>
bool read_reference(JsonValue json, const Form& form, BasicTensor<T>& tensor) {
  const std::size_t known = json.reader().errors().size();
  TensorReference reference;
  if (!read_as(json, kReferenceObject, reference)) return false;
  if (json.reader().errors().size() != known) return false;
  json.each_member([&](const std::string& key, JsonValue value) {
    if (key == "array")
      reference.stacks_one = value.is_list_of("\"") && reference.arrays.size() == 1;
  });
  if (reference.file.empty()) {
    return json.refuse("the reference names no file", "no \"file\"",
                       "lists of numbers, or {\"file\": \"q.npy\"}");
  }
  const ReadOptions& options = json.reader().options();
  const std::string key = text_of(reference);
  const bool is_known = options.known != nullptr && options.known->contains(key);
  const auto* there = is_known ? std::get_if<BasicTensor<T>>(&options.known->at(key)) : nullptr;
  if (there == nullptr && !options.opens_files)
    return refuse_file(json, reference, usage_error("the file was not read with the document"));
  if (there == nullptr && !options.allows_outside &&
      leads_outside(reference.file, options.folder)) {
    // The file is not opened, so nothing about it is disclosed.
    return refuse_file(json, reference,
                       usage_error("the file is outside the document's folder",
                                   "add --allow-outside if you trust the author of the document"));
  }
  Result<BasicTensor<T>> opened =
      there != nullptr
          ? *there
          : open_array<T>(reference, options.folder, json.reader().memory_left(), options.progress);
  if (!opened) return refuse_file(json, reference, opened.error());
  if (opened->rank() < form.low || opened->rank() > form.high) {
    return json.refuse(reference.file + ": the array has the wrong number of axes",
                       shape_text(opened->shape()),
                       bounds_text(form, "", form.high == 1 ? " axis" : " axes"));
  }
  tensor = *std::move(opened);
  if (options.known != nullptr) options.known->try_emplace(key, tensor);
  return there != nullptr || is_mapped(tensor.data()) || json.charge(tensor.size() * sizeof(T));
}

// --- nested lists

bool read_element(JsonValue json, float& value) { return json.read_float(value); }

// The first branch sets the shape; later ones must match.
template <class T>
class NestedLists {
 public:
  NestedLists(const Form& form, const char* noun) : form_(form), noun_(noun) {}

  bool read(JsonValue json, BasicTensor<T>& tensor) {
    if constexpr (std::is_same_v<T, float>) values_ = json.take_floats();
    has_all_ = values_.size() > 0;
    if (!read_level(json, 0)) return false;
    const std::shared_ptr<const T> values = values_.release();
    tensor = BasicTensor<T>(shape_, values.get(), values);
    return true;
  }

 private:
  bool read_level(JsonValue json, std::size_t level) {
    if (json.kind() == Kind::List) return read_list(json, level);
    const bool first = !leaf_level_;
    if (first && json.kind() != Kind::Nothing && level < form_.low) {
      return json.refuse(
          "the lists are nested to the wrong depth",
          json.describe() + " at depth " + std::to_string(level),
          "lists of " + std::string(noun_) + "s of " + bounds_text(form_, "depth ", ""));
    }
    if (!first && level != *leaf_level_ && json.kind() != Kind::Nothing) {
      return json.refuse("the lists are ragged: their depth changes", json.describe(),
                         "a list of " + counted(shape_hint(level), noun_at(level + 1)));
    }
    leaf_level_ = level;
    return has_all_ || read_value(json);
  }

  bool read_value(JsonValue json) {
    T value{};
    if (!read_element(json, value) || !json.charge(2 * sizeof(T))) return false;
    values_.push_back(value);
    return true;
  }

  bool read_list(JsonValue json, std::size_t level) {
    if (leaf_level_ && level >= *leaf_level_) {
      return json.refuse("the lists are ragged: their depth changes", "a list",
                         "a " + std::string(noun_));
    }
    if (level >= form_.high) {
      return json.refuse("the lists are nested to the wrong depth",
                         "depth " + std::to_string(level + 1) + " or more",
                         bounds_text(form_, "depth ", ""));
    }
    std::size_t count = 0;
    JsonItems items(json);
    while (!items.is_at_end()) {
      if (!read_level(items.value(), level + 1)) return false;
      count += has_all_ ? items.step_over_row() : items.step();
    }
    if (!json.is_whole()) return false;
    if (count == 0) {
      return json.refuse("an empty list", "no values", "at least one " + std::string(noun_));
    }
    return fits(json, level, count);
  }

  bool fits(JsonValue json, std::size_t level, std::size_t count) {
    if (shape_.size() < *leaf_level_) shape_.resize(*leaf_level_, 0);
    if (shape_[level] == 0) shape_[level] = count;
    if (shape_[level] == count) return true;
    return json.refuse("the lists are ragged", counted(count, noun_at(level + 1)),
                       std::to_string(shape_[level]) + ", as in those before");
  }

  // Reads the contents of a list at `level - 1`.
  std::string noun_at(std::size_t level) const {
    return leaf_level_ && level < *leaf_level_ ? "list" : noun_;
  }

  std::size_t shape_hint(std::size_t level) const {
    return level < shape_.size() && shape_[level] > 0 ? shape_[level] : 1;
  }

  const Form& form_;
  const char* noun_;
  std::optional<std::size_t> leaf_level_;
  Shape shape_;
  GrowingArray<T> values_;
  bool has_all_ = false;  // only the shape is read
};

}  // namespace

constinit const ObjectOf<TensorReference> kReferenceObject{
    {.name = "in_file",
     .words = "An array of a file in place of its numbers.",
     .rows = kReferenceRows}};

bool read_element(JsonValue json, std::uint8_t& flag) {
  bool is_true = false;
  if (!read_flag(json, is_true)) return false;
  flag = is_true ? 1 : 0;
  return true;
}

bool read_numbers_of(JsonValue json, const Form& form, Tensor& tensor) {
  if (json.kind() == Kind::Object) return read_reference(json, form, tensor);
  return NestedLists<float>(form, "number").read(json, tensor);
}

bool read_flags_of(JsonValue json, const Form& form, BoolTensor& tensor) {
  if (json.kind() == Kind::Object) return read_reference(json, form, tensor);
  return NestedLists<std::uint8_t>(form, "flag").read(json, tensor);
}

void write_numbers_of(const TextWriter& to, const Tensor& tensor) { write_array(to, tensor); }

void write_flags_of(const TextWriter& to, const BoolTensor& tensor) { write_array(to, tensor); }

}  // namespace attn
