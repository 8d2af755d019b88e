// Opening of files that a document references, and relocation of references.
#include "document/tensors/tensor_file.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/mapped_file.h"
#include "document/edit.h"
#include "document/problem.h"
#include "document/tensors/npy.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

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

bool lies_in(const void* data, std::string_view bytes) {
  const auto* at = static_cast<const char*>(data);
  return std::less_equal<>()(bytes.data(), at) && std::less<>()(at, bytes.data() + bytes.size());
}

Error changed_meanwhile(const std::string& file) {
  Error error = refusal_at("", "the file was changed by another program while it was in use", "",
                           "", "open the document again once nobody writes the file");
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

}  // namespace

template <class T>
Result<BasicTensor<T>> open_array(const TensorReference& reference, const std::string& folder,
                                  std::uint64_t limit_bytes) {
  const std::string path = resolved(reference.file, folder).string();
  Result<std::shared_ptr<const MappedFile>> file = MappedFile::open(path);
  if (!file) return file.error();
  const std::string_view bytes = (*file)->bytes();
  Result<BasicTensor<T>> tensor = [&] {
    if constexpr (std::is_same_v<T, float>)
      return read_npy(bytes, *file, limit_bytes);
    else
      return read_npy_flags(bytes, limit_bytes);
  }();
  if (!tensor) return tensor.error();
  if ((*file)->has_changed()) return changed_meanwhile(path);
  auto origin = std::make_shared<TensorOrigin>();
  origin->file = reference.file;
  origin->folder = full_path(fs::path(folder));
  origin->shape = tensor->shape();
  const bool is_used_in_place = lies_in(tensor->data(), bytes);
  origin->mapping = is_used_in_place ? *file : (*file)->without_bytes();
  return tensor->with_origin(std::move(origin));
}

template Result<Tensor> open_array(const TensorReference&, const std::string&, std::uint64_t);
template Result<BoolTensor> open_array(const TensorReference&, const std::string&, std::uint64_t);

bool leads_outside(const std::string& file, const std::string& folder) {
  const fs::path from = full_path(folder), to = full_path(resolved(file, from.string()));
  const fs::path way = to.lexically_relative(from);
  return way.empty() || *way.begin() == "..";
}

std::string folder_of(const std::string& path) {
  return full_path(fs::path(path == "-" ? "" : path).parent_path());
}

std::string seen_from(const std::string& name, const std::string& folder) {
  const bool stays = name.empty() || folder.empty() || name.starts_with("example:");
  return stays ? name : resolved(name, folder).string();
}

Document moved_to(Document document, const std::string& folder) {
  if (fs::path(document.reference).is_absolute()) {
    document.reference = fs::path(document.reference).lexically_proximate(folder).string();
  }
  each_array(document, [&](auto& tensor) {
    const TensorOrigin* origin = tensor.origin();
    if (origin != nullptr) tensor = tensor.with_origin(origin_from(*origin, folder));
  });
  return document;
}

bool has_files_of_numbers(const Document& document) { return !origins_of(document).empty(); }

std::vector<std::string> files_of(const Document& document) {
  std::vector<std::string> files;
  for (const TensorOrigin& origin : origins_of(document)) {
    files.push_back(full_path(resolved(origin.file, origin.folder)));
  }
  return files;
}

Status check_files(const Document& document) {
  for (const TensorOrigin& origin : origins_of(document)) {
    if (!origin.mapping || !origin.mapping->has_changed()) continue;
    return changed_meanwhile(full_path(resolved(origin.file, origin.folder)));
  }
  return ok_status();
}

Result<Document> read_files_again(Document document, std::uint64_t limit_bytes) {
  Status read = ok_status();
  const auto again = [&]<class T>(BasicTensor<T>& tensor) {
    const TensorOrigin* origin = tensor.origin();
    if (!read || origin == nullptr || !origin->mapping || !origin->mapping->has_changed()) return;
    Result<BasicTensor<T>> fresh = open_array<T>({origin->file}, origin->folder, limit_bytes);
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
