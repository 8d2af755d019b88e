// List of loaders: JSON documents, and single .npy files, whose array becomes given weights.
#include "document/load/loader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/number_text.h"
#include "document/draft/assemble.h"
#include "document/load/npy.h"
#include "document/load/tensor_file.h"

namespace attn {
namespace {

constexpr std::string_view kJsonEndings[] = {".json"};
constexpr std::string_view kNpyEndings[] = {".npy"};

bool looks_like_json(std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first != start.npos && (start[first] == '{' || start[first] == '[');
}

Reading read_json(const LoadSource& source, const ReadOptions& options) {
  Reading reading = read_document(*source.bytes, source.name, options);
  if (source.bytes->is_regular_file()) reading.report.version = source.bytes->version();
  return reading;
}

constexpr std::size_t kLeastAxes = 2;
constexpr std::size_t kMostDocumentAxes = 5;
constexpr double kSumsToOne = 1e-2;

Result<Tensor> array_of(const LoadSource& source, const ReadOptions& options) {
  if (source.bytes->is_regular_file()) {
    const std::string name = std::filesystem::path(source.name).filename().string();
    return open_tensor({name}, folder_of(source.name), options.memory_limit_bytes);
  }
  Result<std::string> read = read_rest(*source.bytes);
  if (!read) return read.error();
  const auto bytes = std::make_shared<const std::string>(*std::move(read));
  return read_npy({*bytes, bytes}, options.memory_limit_bytes);
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
    sum = 0.0;
    for (const float value : array.values().subspan(row * columns, columns)) {
      sum += static_cast<double>(value);
    }
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
Reading read_npy_document(const LoadSource& source, const ReadOptions& options) {
  const auto refused = [&](Error error) {
    error.file = source.name;
    error.pointer.clear();
    return Reading{{}, {std::move(error)}};
  };
  Result<Tensor> array = array_of(source, options);
  if (!array) return refused(array.error());
  if (array->rank() < kLeastAxes || array->rank() > kMostDocumentAxes) {
    return refused(wrong_axes(array->shape()));
  }
  const std::string note = meaning(*array);
  const std::filesystem::path path(source.name == "-" ? "" : source.name);
  DocumentFields fields;
  fields.title = path.stem().string();
  fields.source = path.filename().string();
  fields.attention = *std::move(array);
  Reading reading = assemble(std::move(fields), options.memory_limit_bytes, options.progress);
  if (!reading.errors.empty()) return refused(std::move(reading.errors.front()));
  reading.report.notes.insert(reading.report.notes.begin(), note);
  return reading;
}

constexpr Loader kLoaders[] = {
    {"npy", "NumPy arrays", kNpyEndings, false, is_npy, read_npy_document},
    {"json", "JSON documents", kJsonEndings, true, looks_like_json, read_json},
};

}  // namespace

std::span<const Loader> all_loaders() { return kLoaders; }

bool has_ending(const Loader& loader, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::any_of(loader.endings, [&](std::string_view ending) {
    return name.size() >= ending.size() &&
           std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower);
  });
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

}  // namespace attn
