// Loaders of JSON documents and of single .npy files, whose array becomes given weights; and the
// formats that are not supported.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/draft/draft.h"
#include "document/load/open.h"
#include "document/tensors/npy.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"

namespace attn {
namespace {

constexpr std::string_view kJsonEndings[] = {".json"};
constexpr std::string_view kNpyEndings[] = {".npy"};

bool looks_like_json(std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first != start.npos && (start[first] == '{' || start[first] == '[');
}

Reading read_json(const DocumentFile& file) {
  Reading reading = read_document(*file.bytes, file.name, file.options);
  if (file.bytes->is_regular_file()) reading.version = file.bytes->version();
  return reading;
}

constexpr std::size_t kLeastAxes = 2;
constexpr std::size_t kMostDocumentAxes = 5;
constexpr double kSumsToOne = 1e-2;

Result<Tensor> array_of(const DocumentFile& file) {
  if (file.bytes->is_regular_file()) {
    const std::string name = std::filesystem::path(file.name).filename().string();
    return open_array<float>({name}, folder_of(file.name), file.options.memory_limit_bytes);
  }
  Result<std::string> read = read_rest(*file.bytes);
  if (!read) return read.error();
  const auto bytes = std::make_shared<const std::string>(*std::move(read));
  return read_npy(*bytes, bytes, file.options.memory_limit_bytes);
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

// First row that does not sum to 1, or the number of rows.
std::size_t first_odd_row(const Tensor& array, double& sum) {
  const std::size_t columns = array.extent(array.rank() - 1);
  const std::size_t rows = array.size() / columns;
  for (std::size_t row = 0; row < rows; ++row) {
    sum = sum_of(array.values().subspan(row * columns, columns));
    if (!(std::abs(sum - 1.0) <= kSumsToOne)) return row;
  }
  return rows;
}

std::string meaning(const Tensor& array) {
  double sum = 0.0;
  const std::size_t row = first_odd_row(array, sum);
  const std::size_t rows = array.size() / array.extent(array.rank() - 1);
  if (row == rows) return "read as finished attention: every row sums to 1";
  return "shown as it is, like finished attention, although row " + std::to_string(row) +
         " sums to " + short_text(sum) +
         "; to use the array as q, k, v or anything else, refer to it in a document: {\"q\": "
         "{\"file\": \"q.npy\"}, …}";
}

bool is_npy(std::string_view start) { return start.starts_with(kNpyMagic); }

// An array (n_q, n_k), (heads, n_q, n_k), (layers, heads, n_q, n_k) or (layers, samples, heads,
// n_q, n_k) of any numbers. If rows do not sum to 1, a note states how it was read.
Reading read_npy_document(const DocumentFile& file) {
  const auto refused = [&](Error error) {
    error.file = file.name;
    error.pointer.clear();
    return Reading{.errors = {std::move(error)}};
  };
  Result<Tensor> array = array_of(file);
  if (!array) return refused(array.error());
  if (array->rank() < kLeastAxes || array->rank() > kMostDocumentAxes) {
    return refused(wrong_axes(array->shape()));
  }
  const std::string note = meaning(*array);
  const std::filesystem::path path(file.name == "-" ? "" : file.name);
  DocumentText text;
  if (!path.empty()) text.title = path.stem().string();
  if (!path.empty()) text.source = path.filename().string();
  text.attention = *std::move(array);
  Reading reading =
      completed(std::move(text), file.options.memory_limit_bytes, file.options.progress);
  if (!reading.errors.empty()) return refused(std::move(reading.errors.front()));
  reading.notes.insert(reading.notes.begin(), note);
  return reading;
}

constexpr Loader kLoaders[] = {
    {"npy", "NumPy arrays", kNpyEndings, false, is_npy, read_npy_document},
    {"json", "JSON documents", kJsonEndings, true, looks_like_json, read_json},
};

// FILE stands for the file's name, NAME for that of an array in it.
struct ForeignFormat {
  std::string_view label;  // "a NumPy archive (.npz)"
  bool (*sniff)(std::string_view start);
  std::string_view modules, array;  // Python expression of the array to save
};

bool is_zip(std::string_view start) { return start.starts_with("PK\x03\x04"); }

bool is_npz(std::string_view start) {
  return is_zip(start) && start.find(".npy") != std::string_view::npos;
}

bool is_pytorch(std::string_view start) {
  return is_zip(start) && start.find("data.pkl") != std::string_view::npos;
}

// Opcode and protocol version.
bool is_pickle(std::string_view start) {
  return start.size() > 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
}

// Header length in eight bytes, the last of them 0; then the header in JSON.
bool is_safetensors(std::string_view start) {
  constexpr std::size_t kLength = 8;
  return start.size() > kLength && start[kLength] == '{' && start[kLength - 1] == '\0';
}

bool is_gguf(std::string_view start) { return start.starts_with("GGUF"); }

bool is_hdf5(std::string_view start) { return start.starts_with("\x89HDF\r\n"); }

constexpr ForeignFormat kForeignFormats[] = {
    {"a NumPy archive (.npz)", is_npz, "numpy", "numpy.load('FILE')['NAME']"},
    {"a PyTorch file (.pt, .pth)", is_pytorch, "numpy, torch",
     "torch.load('FILE')['NAME'].float().cpu().numpy()"},
    {"a Python pickle or an old PyTorch file", is_pickle, "numpy, torch",
     "torch.load('FILE')['NAME'].float().cpu().numpy()"},
    {"a safetensors file", is_safetensors, "numpy, safetensors.numpy",
     "safetensors.numpy.load_file('FILE')['NAME']"},
    {"a GGUF file", is_gguf, "gguf, numpy",
     "next(t.data for t in gguf.GGUFReader('FILE').tensors if t.name == 'NAME')"},
    {"an HDF5 file", is_hdf5, "h5py, numpy", "h5py.File('FILE')['NAME'][()]"},
};

std::string with_file(std::string_view array, const std::string& file) {
  constexpr std::string_view kFile = "FILE";
  std::string text(array);
  return text.replace(text.find(kFile), kFile.size(), file);
}

}  // namespace

std::span<const Loader> all_loaders() { return kLoaders; }

bool has_ending(const Loader& loader, std::string_view name) {
  const std::string small = in_small_letters(name);
  return std::ranges::any_of(loader.endings,
                             [&](std::string_view ending) { return small.ends_with(ending); });
}

const Loader& loader_for(std::string_view start, std::string_view name) {
  for (const Loader& loader : kLoaders) {
    if (loader.sniff(start)) return loader;
  }
  for (const Loader& loader : kLoaders) {
    if (has_ending(loader, name)) return loader;
  }
  return kLoaders[std::size(kLoaders) - 1];
}

std::optional<Error> foreign_format(std::string_view start, const std::string& name) {
  for (const ForeignFormat& format : kForeignFormats) {
    if (!format.sniff(start)) continue;
    const std::string file = name == "-" ? "FILE" : std::filesystem::path(name).filename().string();
    return Error{.kind = ErrorKind::BadInput,
                 .message = "this is " + std::string(format.label) + ", which is not read",
                 .file = name,
                 .expected = "a document (JSON) or an array (.npy)",
                 .hint = "save the array in Python: import " + std::string(format.modules) +
                         "; numpy.save('" + std::filesystem::path(file).stem().string() +
                         ".npy', " + with_file(format.array, file) + ")"};
  }
  return std::nullopt;
}

}  // namespace attn
