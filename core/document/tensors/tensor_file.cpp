// Opens files that a document references, and relocates references.
#include "document/tensors/tensor_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "base/joined.h"
#include "base/json.h"
#include "document/axes.h"
#include "document/edit.h"
#include "document/model_places.h"
#include "document/problem.h"
#include "document/tensors/matrix_parts.h"
#include "text/nearest.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNamesShown = 5;

fs::path resolved(const std::string& file, const std::string& folder) {
  return (fs::path(folder) / file).lexically_normal();
}

// Absolute path without "." and ".." and trailing slash; the working folder for an empty path.
std::string full_path(const fs::path& path) {
  std::error_code failed;
  const fs::path full = fs::absolute(path.empty() ? fs::path(".") : path, failed);
  std::string text = (failed ? path : full).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Error changed_meanwhile(const std::string& file) {
  Error error = refusal_at("", "the file was changed by another program while it was in use", "",
                           "", "open the document again when it is no longer being written");
  error.file = file;
  return error;
}

// Reference to the file relative to `folder`.
std::shared_ptr<const TensorOrigin> origin_from(const TensorOrigin& origin,
                                                const std::string& folder) {
  auto moved = std::make_shared<TensorOrigin>(origin);
  moved->folder = folder;
  if (fs::path(origin.file).is_absolute() || origin.folder == folder) return moved;
  moved->file = resolved(origin.file, origin.folder).lexically_proximate(folder).string();
  return moved;
}

// Calls visit for all tensors of numbers and of flags.
template <class Visit>
void each_array(Document& document, Visit&& visit) {
  each_tensor(document, visit);
  for (const MaskPlace& place : all_masks()) visit((document.*place.mask).visible);
}

std::vector<TensorOrigin> origins_of(Document document) {
  std::vector<TensorOrigin> origins;
  each_array(document, [&](auto& tensor) {
    if (const TensorOrigin* origin = tensor.origin()) origins.push_back(*origin);
  });
  return origins;
}

template <class T>
Result<BasicTensor<T>> values_in(const StoredArray& array, const std::shared_ptr<const void>& owner,
                                 std::uint64_t limit_bytes, std::size_t most_at_once) {
  if constexpr (std::is_same_v<T, float>) {
    return floats_of(array, owner, limit_bytes, most_at_once);
  } else {
    return flags_of(array, limit_bytes);
  }
}

// Finds the arrays of a listing, which must outlive it, by their names.
using ArraysByName = std::unordered_map<std::string_view, const StoredArray*>;

ArraysByName by_name(const ArrayListing& listing) {
  ArraysByName arrays;
  for (const StoredArray& array : listing.arrays) arrays.emplace(array.name, &array);
  return arrays;
}

Result<const StoredArray*> array_named(const ArrayListing& listing, const ArraysByName& arrays,
                                       const std::string& name) {
  const auto found = arrays.find(name);
  if (found != arrays.end()) return found->second;
  if (auto refused = left_out_refusal(listing.left_out, name)) return *std::move(refused);
  return refusal_at(
      "", "the file has no array of this name", "\"" + name + "\"",
      "one of " +
          joined(nearest_few(name, names_of(listing.arrays, &StoredArray::name), kNamesShown)));
}

Error several_arrays(const ArrayListing& listing) {
  return refusal_at("", "the file does not hold one array",
                    std::to_string(listing.arrays.size()) + " arrays",
                    "\"array\" with one of their names: " +
                        joined_first(names_of(listing.arrays, &StoredArray::name), kNamesShown));
}

Error of_shard(const std::string& name, Error error) {
  error.message = "the shard " + name + ": " + error.message;
  error.file.clear();
  return error;
}

// Reports a note that is not JSON, which is then ignored.
Result<ArrayListing> with_sound_note(Result<ArrayListing> listing) {
  if (!listing || listing->note.empty() || !parse_own_json(listing->note).is_discarded()) {
    return listing;
  }
  listing->left_out.push_back("attnscope: a note that is no JSON of at most " +
                              counted(kDeepestJson, "level"));
  listing->note.clear();
  return listing;
}

// Lists the arrays of the file by list(bytes).
template <class List>
Result<OpenedArrays> with_arrays(Result<std::shared_ptr<const MappedFile>> file, List list) {
  if (!file) return file.error();
  Result<ArrayListing> listing = list((*file)->bytes());
  if (!listing) return listing.error();
  return OpenedArrays{*std::move(file), *std::move(listing)};
}

Result<OpenedArrays> open_shards(const MappedFile& index, const ReadOptions& options) {
  const auto places = read_shard_index(index.bytes(), options);
  if (!places) return places.error();
  std::map<std::string, std::pair<ArrayListing, ArraysByName>> shards;
  std::vector<std::shared_ptr<const MappedFile>> files;
  OpenedArrays all;
  const auto list = [&](std::string_view bytes) { return list_safetensors(bytes, options); };
  for (const auto& [array, name] : *places) {
    const auto [shard, is_new] = shards.try_emplace(name);
    auto& [listing, arrays] = shard->second;
    if (is_new) {
      const std::string path = folder_of(index.path()) + "/" + name;
      Result<OpenedArrays> opened = with_arrays(MappedFile::open(path), list);
      if (!opened) return of_shard(name, opened.error());
      files.push_back(std::move(opened->file));
      listing = std::move(opened->listing);
      arrays = by_name(listing);
      if (all.listing.note.empty()) all.listing.note = listing.note;
    }
    if (const Status counted = count_array(all.listing, array, options); !counted) {
      return counted.error();
    }
    if (const auto listed = array_named(listing, arrays, array)) {
      all.listing.arrays.push_back(**listed);
    } else if (const auto refused = left_out_refusal(listing.left_out, array)) {
      all.listing.left_out.push_back(array + ": " + refused->found);
    } else {
      return of_shard(name, listed.error());
    }
  }
  all.file = index.with(std::move(files));
  return all;
}

// A file that its tensors share.
struct SharedArrays : OpenedArrays {
  explicit SharedArrays(OpenedArrays opened)
      : OpenedArrays(std::move(opened)), arrays(by_name(listing)) {}
  const ArraysByName arrays;
};

// Opens a file, or shares its listing, which mapped tensors keep: a document refers to a file once
// for each array.
Result<std::shared_ptr<const SharedArrays>> opened_before(const std::string& path,
                                                          const ReadOptions& options) {
  static constinit std::mutex mutex;
  static auto& listed = *new std::map<std::string, std::weak_ptr<const SharedArrays>>;
  const std::lock_guard lock(mutex);
  std::erase_if(listed, [](const auto& known) { return known.second.expired(); });
  const auto known = listed.find(path);
  const auto before = known == listed.end() ? nullptr : known->second.lock();
  if (before && !before->file->has_changed()) return before;
  Result<OpenedArrays> opened = open_arrays(path, options);
  if (!opened) return opened.error();
  const auto made = std::make_shared<const SharedArrays>(*std::move(opened));
  listed[path] = made;
  return made;
}

// Stacks arrays of equal shapes along a new first axis.
template <class T>
Result<BasicTensor<T>> stacked(const ArrayListing& listing, const ArraysByName& arrays,
                               const std::vector<std::string>& names, std::uint64_t limit_bytes) {
  std::vector<T> values;
  Shape shape;
  for (const std::string& name : names) {
    const Result<const StoredArray*> array = array_named(listing, arrays, name);
    if (!array) return array.error();
    const Shape& found = (*array)->shape;
    if (shape.empty()) shape = found;
    if (found != shape) {
      return refusal_at("", "arrays of one list have different shapes",
                        name + " of " + shape_text(found), shape_text(shape) + " like " + names[0]);
    }
    const std::size_t needed = element_count({names.size(), element_count(shape), sizeof(T)});
    if (needed > limit_bytes) {
      return over_memory("the stacked arrays would need more memory than is allowed", needed,
                         limit_bytes, "store them as one array, which is read without a copy");
    }
    const Result<BasicTensor<T>> part = values_in<T>(**array, nullptr, limit_bytes, 0);
    if (!part) return part.error();
    values.reserve(names.size() * part->size());
    values.insert(values.end(), part->values().begin(), part->values().end());
  }
  shape.insert(shape.begin(), names.size());
  return BasicTensor<T>(std::move(shape), std::move(values));
}

template <class T>
Result<BasicTensor<T>> array_of_names(const ArrayListing& listing, const ArraysByName& arrays,
                                      const TensorReference& reference,
                                      const std::shared_ptr<const void>& owner,
                                      std::uint64_t limit_bytes, std::size_t most_at_once) {
  const std::vector<std::string>& names = reference.arrays;
  if (names.size() > 1 || reference.stacks_one) {
    return stacked<T>(listing, arrays, names, limit_bytes);
  }
  if (names.empty() && listing.arrays.size() != 1) return several_arrays(listing);
  const Result<const StoredArray*> array =
      names.empty() ? &listing.arrays.front() : array_named(listing, arrays, names.front());
  if (!array) return array.error();
  return values_in<T>(**array, owner, limit_bytes, most_at_once);
}

// Splits the last axis into heads.
template <class T>
Result<BasicTensor<T>> with_heads(const BasicTensor<T>& tensor, std::uint64_t heads) {
  Shape shape = tensor.shape();
  if (shape.empty() || shape.back() % heads != 0) {
    return refusal_at("", "the last axis cannot be cut into heads of equal width",
                      shape_text(shape), "a multiple of " + std::to_string(heads));
  }
  shape.back() /= heads;
  shape.insert(shape.end() - 1, heads);
  return tensor.reshaped(shape);
}

template <class T>
Result<BasicTensor<T>> with_axes_in_order(const BasicTensor<T>& tensor,
                                          const std::vector<std::string>& axes,
                                          std::uint64_t limit_bytes) {
  std::vector<std::size_t> places;
  places.reserve(axes.size());
  for (const std::string& axis : axes) {
    places.push_back(static_cast<std::size_t>(std::ranges::find(kAllAxes, axis) - kAllAxes));
  }
  const std::set<std::size_t> all(places.begin(), places.end());
  const std::size_t rank = tensor.rank(), bytes = element_count({tensor.size(), sizeof(T)});
  if (all.size() != rank || axes.size() != rank || *all.rbegin() >= std::size(kAllAxes)) {
    return refusal_at("", "these are no axes of the array",
                      joined(axes) + " for " + shape_text(tensor.shape()),
                      std::to_string(rank) + " different ones of " + joined(kAllAxes));
  }
  if (!std::ranges::is_sorted(places) && bytes > limit_bytes) {
    return over_memory("its axes cannot be put in order", bytes, limit_bytes,
                       "write the array with its axes in the order " + joined(kAllAxes));
  }
  return with_sorted_axes(tensor, places);
}

std::string text_of(const TensorPart& part) {
  const std::string every = part.every == 0 ? "" : ", every " + std::to_string(part.every);
  return "first " + std::to_string(part.first) + ", count " + std::to_string(part.count) + every;
}

// Turns the matrix and takes the part of its columns, as the reference says.
Result<Tensor> part_of(const Tensor& tensor, const TensorReference& reference) {
  if (reference.turned && tensor.rank() < 2) {
    return refusal_at("", "only a matrix can be turned", shape_text(tensor.shape()),
                      "two axes, or no \"turned\"");
  }
  const Tensor whole = reference.turned ? turned(tensor) : tensor;
  if (reference.part == TensorPart{}) return whole;
  const std::size_t cols = whole.rank() == 0 ? 1 : whole.shape().back();
  if (whole.rank() == 0 || count_of(reference.part, cols) == 0) {
    return refusal_at("", "the array has no such part", text_of(reference.part),
                      "a part of the " + counted(cols, "column") + " of " +
                          shape_text(whole.shape()) + ", and \"every\" at least \"count\"");
  }
  return columns_of(whole, reference.part);
}

template <class T>
Result<BasicTensor<T>> referred_in(const ArrayListing& listing, const ArraysByName& arrays,
                                   const TensorReference& reference,
                                   const std::shared_ptr<const void>& owner,
                                   std::uint64_t limit_bytes, std::size_t most_at_once) {
  Result<BasicTensor<T>> array =
      array_of_names<T>(listing, arrays, reference, owner, limit_bytes, most_at_once);
  if (array && reference.heads > 0) array = with_heads(*array, reference.heads);
  if (array && !reference.axes.empty()) {
    array = with_axes_in_order(*array, reference.axes, limit_bytes);
  }
  if constexpr (std::is_same_v<T, float>) {
    return array ? part_of(*array, reference) : array;
  } else {
    return reference.turned || reference.part.count > 0
               ? refusal_at("", "only numbers can be turned or cut", "flags", "the whole array")
               : array;
  }
}

}  // namespace

template <class T>
Result<BasicTensor<T>> referred_array(const ArrayListing& listing, const TensorReference& reference,
                                      const std::shared_ptr<const void>& owner,
                                      std::uint64_t limit_bytes, std::size_t most_at_once) {
  return referred_in<T>(listing, by_name(listing), reference, owner, limit_bytes, most_at_once);
}

template Result<Tensor> referred_array(const ArrayListing&, const TensorReference&,
                                       const std::shared_ptr<const void>&, std::uint64_t,
                                       std::size_t);
template Result<BoolTensor> referred_array(const ArrayListing&, const TensorReference&,
                                           const std::shared_ptr<const void>&, std::uint64_t,
                                           std::size_t);

Result<ArrayListing> list_arrays(std::string_view bytes, std::string_view name,
                                 const ReadOptions& options) {
  if (auto pointer = lfs_refusal(bytes)) return *std::move(pointer);
  const ArrayFormat* format = array_format_of(bytes.substr(0, kSniffBytes));
  if (is_shard_index(bytes.substr(0, kSniffBytes))) {
    return refusal_at("", "the shards are not in the folder of this index", "no file name",
                      "the path of the index");
  }
  if (format != nullptr) return with_sound_note(format->list(bytes, options));
  const ArrayFormat& called = array_format_called(name);
  if (called.list == list_npy) return list_npy(bytes, options);
  return refusal_at("", "this is no " + std::string(called.name),
                    bytes.empty() ? "an empty file" : "other bytes at its start",
                    std::string(called.start), "save it again, or correct its ending");
}

Result<OpenedArrays> open_arrays(const std::string& path, const ReadOptions& options,
                                 Descriptor opened) {
  Result<std::shared_ptr<const MappedFile>> file = MappedFile::open(path, std::move(opened));
  if (file && is_shard_index((*file)->bytes().substr(0, kSniffBytes), path)) {
    return open_shards(**file, options);
  }
  return with_arrays(std::move(file),
                     [&](std::string_view bytes) { return list_arrays(bytes, path, options); });
}

Result<std::shared_ptr<const OpenedArrays>> shared_arrays(const std::string& path,
                                                          const ReadOptions& options) {
  const auto opened = opened_before(resolved(path, "").string(), options);
  if (!opened) return opened.error();
  return std::shared_ptr<const OpenedArrays>(*opened);
}

template <class T>
Result<BasicTensor<T>> open_array(const TensorReference& reference, const std::string& folder,
                                  std::uint64_t limit_bytes, Progress* progress,
                                  std::size_t most_at_once) {
  const std::string path = resolved(reference.file, folder).string();
  const auto opened =
      opened_before(path, {.memory_limit_bytes = limit_bytes, .progress = progress});
  if (!opened) return opened.error();
  const auto& file = (*opened)->file;
  Result<BasicTensor<T>> tensor = referred_in<T>((*opened)->listing, (*opened)->arrays, reference,
                                                 *opened, limit_bytes, most_at_once);
  if (!tensor) return tensor.error();
  if (file->has_changed()) return changed_meanwhile(path);
  if (!is_mapped(tensor->data())) give_back(file->bytes().data(), file->bytes().size());
  return tensor->with_origin(std::make_shared<TensorOrigin>(
      TensorOrigin{reference, full_path(fs::path(folder)), tensor->shape(),
                   is_mapped(tensor->data()) ? file : file->without_bytes()}));
}

template Result<Tensor> open_array(const TensorReference&, const std::string&, std::uint64_t,
                                   Progress*, std::size_t);
template Result<BoolTensor> open_array(const TensorReference&, const std::string&, std::uint64_t,
                                       Progress*, std::size_t);

bool leads_outside(const std::string& file, const std::string& folder) {
  const fs::path from = full_path(folder), to = full_path(resolved(file, from.string()));
  const fs::path way = to.lexically_relative(from);
  return way.empty() || *way.begin() == "..";
}

std::string folder_of(const std::string& path) {
  return full_path(fs::path(path == "-" ? "" : path).parent_path());
}

std::string seen_from(const std::string& name, const std::string& folder) {
  const bool stays = name.empty() || folder.empty() || is_built_in(name);
  return stays ? name : resolved(name, folder).string();
}

Document moved_to(Document document, const std::string& folder) {
  if (fs::path(document.reference).is_absolute()) {
    document.reference = fs::path(document.reference).lexically_proximate(folder).string();
  }
  if (document.source_model) document.source_model->base = folder;
  each_array(document, [&](auto& tensor) {
    const TensorOrigin* origin = tensor.origin();
    if (origin != nullptr) tensor = tensor.with_origin(origin_from(*origin, folder));
  });
  return document;
}

bool has_files_of_numbers(const Document& document) { return !origins_of(document).empty(); }

std::vector<std::string> files_of(const Document& document) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& file) {
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  };
  for (const TensorOrigin& origin : origins_of(document)) {
    add(full_path(resolved(origin.file, origin.folder)));
    if (!origin.mapping) continue;
    for (const auto& part : origin.mapping->parts()) add(part->path());
  }
  if (!document.source_model) return files;
  for (const ReadFile& file : document.source_model->files) {
    if (file.stamp) add(full_path(file.path));
  }
  return files;
}

Status check_files(const Document& document) {
  for (const TensorOrigin& origin : origins_of(document)) {
    if (!origin.mapping || !origin.mapping->has_changed()) continue;
    return changed_meanwhile(full_path(resolved(origin.file, origin.folder)));
  }
  if (!document.source_model) return ok_status();
  for (const ReadFile& file : document.source_model->files) {
    const std::optional<FileStamp> now = stamp_of(file.path);
    if (now && now != file.stamp) return changed_meanwhile(file.path);  // else it is gone
  }
  return ok_status();
}

Result<Document> read_files_again(Document document, std::uint64_t limit_bytes) {
  Status read = ok_status();
  const auto again = [&]<class T>(BasicTensor<T>& tensor) {
    const TensorOrigin* origin = tensor.origin();
    if (!read || origin == nullptr || !origin->mapping || !origin->mapping->has_changed()) return;
    Result<BasicTensor<T>> fresh = open_array<T>(*origin, origin->folder, limit_bytes);
    if (!fresh) {
      read = fresh.error();
    } else if (fresh->shape() != origin->shape) {
      Error error = refusal_at("", "the file holds an array of another shape than before",
                               shape_text(fresh->shape()), shape_text(origin->shape),
                               "save the document under another name and open it again");
      error.file = full_path(resolved(origin->file, origin->folder));
      read = error;
    } else {
      tensor = fresh->reshaped(tensor.shape());
    }
  };
  each_array(document, again);
  return read ? Result<Document>(std::move(document)) : read.error();
}

}  // namespace attn
