// List of formats that are not supported.
#include "document/load/foreign_format.h"

#include <filesystem>

namespace attn {
namespace {

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
