// A .npy file by itself: the array, a title from the file's name, and what it was taken for.
#include "document/load/npy_document.h"

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

// The first row that does not sum to 1, or the number of rows.
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

}  // namespace

bool is_npy(std::string_view start) { return start.starts_with(kNpyMagic); }

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
  Assembly assembly = assemble(std::move(fields), options.memory_limit_bytes, options.progress);
  if (!assembly.errors.empty()) return refused(std::move(assembly.errors.front()));
  assembly.report.notes.insert(assembly.report.notes.begin(), note);
  return {std::move(assembly.report), {}};
}

}  // namespace attn
