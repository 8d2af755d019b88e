// Cases computed by PyTorch, read from the shared folder and converted to our layout.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "attention/problem.h"

namespace attn::test {

// A tensor of a case. Booleans are 0 and 1; float64 outputs keep their precision.
struct CaseTensor {
  Shape shape;
  std::vector<double> values;
};

struct ReferenceCase {
  std::string name;
  std::string op;
  std::map<std::string, double> numbers;     // numeric attributes; booleans are 0 and 1
  std::map<std::string, std::string> texts;  // the others
  std::map<std::string, CaseTensor> inputs;
  std::map<std::string, bool> input_is_bool;
  std::map<std::string, CaseTensor> outputs;      // in float32
  std::map<std::string, CaseTensor> outputs_f64;  // in float64
};

ReferenceCase read_reference_case(const std::string& path);

// Names that begin with one of the families ("sdpa"), sorted; empty without the shared folder.
// Reads no file, as every test binary computes this list.
std::vector<std::string> reference_case_names(const std::vector<std::string>& families);

std::string reference_case_path(const std::string& name);

// Converts a case to a problem. A softmax becomes one head per row with one query, d_k = 1 and the
// row as keys; rope rotates its rows as queries and keys; positions are added to zeros.
AttentionProblem problem_of(const ReferenceCase& reference);

// A cell from tensors of these names, transposed from (out, in) to (in, out).
RecurrentCell cell_of(const ReferenceCase& reference, const std::string& w_x,
                      const std::string& w_h, const std::string& b_x, const std::string& b_h);

}  // namespace attn::test
