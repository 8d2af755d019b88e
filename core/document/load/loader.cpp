// The list of loaders, and the formats that are not supported.
#include <algorithm>
#include <filesystem>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/load/arrays.h"
#include "document/load/text_file.h"

namespace attn {
namespace {

constexpr std::string_view kJsonEndings[] = {".json"};
constexpr std::string_view kArrayEndings[] = {".npy", ".npz", ".safetensors", ".gguf"};
constexpr std::string_view kTextEndings[] = {".csv",   ".tsv",  ".txt", ".dat",
                                             ".align", ".soft", ".log", ".out"};

Reading read_json(const DocumentFile& file) {
  Reading reading = read_document(*file.bytes, file.name, file.options);
  if (file.bytes->is_regular_file()) reading.version = file.bytes->version();
  return reading;
}

bool are_lists(std::string_view start) { return without_blanks(start).starts_with('['); }

bool holds_arrays(std::string_view start) { return array_format_of(start) != nullptr; }

constexpr Loader kLoaders[] = {
    {"arrays", "array files", kArrayEndings, false, holds_arrays, read_array_document},
    {"json", "JSON documents", kJsonEndings, true, is_json, read_json},
    {"text", "tables and alignments", kTextEndings, false, are_lists, read_text_file},
};

// In `advice` FILE is replaced by the file's name, STEM by the name without extension, and NAME by
// an array in it.
struct ForeignFormat {
  std::string_view label;  // "a NumPy archive (.npz)"
  bool (*sniff)(std::string_view start);
  std::string_view advice;
};

bool is_pytorch(std::string_view start) {
  return start.starts_with("PK\x03\x04") && start.find("data.pkl") != start.npos;
}

// Opcode and protocol version.
bool is_pickle(std::string_view start) {
  return start.size() > 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
}

// The number with which PyTorch begins its pickles.
bool is_old_pytorch(std::string_view start) { return start.starts_with("\x80\x02\x8a\nl\xfc"); }

bool is_hdf5(std::string_view start) { return start.starts_with("\x89HDF\r\n"); }

bool is_ggml(std::string_view start) {
  constexpr std::string_view kMagics[] = {"lmgg", "fmgg", "tjgg", "algg"};
  return std::ranges::count(kMagics, start.substr(0, 4)) > 0;
}

constexpr std::string_view kFromPytorch =
    "save the array in Python: import numpy, torch; numpy.save('STEM.npy', "
    "torch.load('FILE')['NAME'].float().cpu().numpy()); or all of them with our package: import "
    "attnscope, torch; attnscope.save('STEM.safetensors', torch.load('FILE'))";

bool is_lfs_pointer(std::string_view start) { return lfs_refusal(start).has_value(); }

constexpr ForeignFormat kForeignFormats[] = {
    {"a pointer of Git LFS, not the file itself", is_lfs_pointer,
     "download the file: git lfs install, and git lfs pull in its folder"},
    {"a PyTorch file (.pt, .pth)", is_pytorch, kFromPytorch},
    {"a Python pickle of an old PyTorch", is_old_pytorch, kFromPytorch},
    {"a Python pickle", is_pickle,
     "save the array in Python, if you trust the file, whose code is run: import numpy, pickle; "
     "numpy.save('STEM.npy', pickle.load(open('FILE', 'rb'))['NAME'])"},
    {"an HDF5 file", is_hdf5,
     "save the array in Python: import h5py, numpy; numpy.save('STEM.npy', "
     "h5py.File('FILE')['NAME'][()])"},
    {"a GGML file of an old llama.cpp", is_ggml,
     "convert it with llama.cpp: python3 convert_llama_ggml_to_gguf.py --input 'FILE' --output "
     "'STEM.gguf'"},
};

std::string with_names(std::string_view advice, const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  return with_replaced(with_replaced(advice, "STEM", stem), "FILE", file);
}

}  // namespace

std::span<const Loader> all_loaders() { return kLoaders; }

bool has_ending(const Loader& loader, std::string_view name) {
  const std::string small = in_small_letters(name);
  return std::ranges::any_of(loader.endings,
                             [&](std::string_view ending) { return small.ends_with(ending); });
}

const Loader& loader_for(std::string_view start, std::string_view name) {
  if (is_shard_index(start, name)) return kLoaders[0];
  for (const Loader& loader : kLoaders) {
    if (loader.sniff(start)) return loader;
  }
  for (const Loader& loader : kLoaders) {
    if (has_ending(loader, name)) return loader;
  }
  return kLoaders[std::size(kLoaders) - 1];
}

std::optional<Error> foreign_format(std::string_view start, const std::string& name) {
  if (holds_arrays(start)) return std::nullopt;
  for (const ForeignFormat& format : kForeignFormats) {
    if (!format.sniff(start)) continue;
    const std::string file = name == "-" ? "FILE" : std::filesystem::path(name).filename().string();
    return Error{.kind = ErrorKind::BadInput,
                 .message = "this is " + std::string(format.label) + ", which is not read",
                 .file = name,
                 .expected = "a document (JSON) or arrays (.npy, .npz, .safetensors, .gguf)",
                 .hint = with_names(format.advice, file)};
  }
  return std::nullopt;
}

}  // namespace attn
