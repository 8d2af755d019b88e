// The arrays of a model's folder by their names. Internal to core/document.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/tensor.h"
#include "document/folder/families.h"
#include "document/tensors/array_file.h"
#include "text/reader.h"

namespace attn {

// Some of the outputs of an array, which has `whole` of them; 0: it has no others.
struct OutputPart : TensorPart {
  std::size_t whole = 0;
};

// Reads the arrays that are taken and knows which were not. The first error stays.
class ModelArrays {
 public:
  // Knows the arrays of a file in the folder. The options are borrowed.
  ModelArrays(std::string folder, std::string file, const ArrayListing& listing,
              const ReadOptions& options);

  // Chooses the prefix of names with which the table of the family is there.
  void choose_prefix(const Family& family);
  // The full name of an array, with the prefix or without, of norms also with "gamma" and "beta";
  // empty if there is none.
  std::string name_of(const std::string& name) const;
  bool has(const std::string& name) const { return !name_of(name).empty(); }
  // Precondition: it is there.
  const Shape& shape_of(const std::string& name) const { return shapes_.at(name_of(name)); }

  // Reads the array, which must have the shape after it was turned and cut; extents of 0 are free.
  // Absent for a name without an array, which is refused if it is `needed`.
  Tensor take(const std::string& name, const Shape& shape, bool needed, bool turned = false,
              const OutputPart& part = {});

  const std::optional<Error>& error() const { return error_; }
  // Names of arrays that were not taken, but for buffers.
  std::vector<std::string> left_over() const;

 private:
  void refuse(Error error);
  void refuse_shape(const std::string& name, const Shape& expected);
  void refuse_missing(const std::string& name, const Shape& shape);

  std::string folder_, file_, prefix_;
  const ReadOptions& options_;
  std::vector<std::string> left_out_;  // as ArrayListing has them
  std::map<std::string, Shape> shapes_;
  std::set<std::string> taken_;
  std::optional<Error> error_;
};

}  // namespace attn
