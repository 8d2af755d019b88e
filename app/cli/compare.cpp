// attnscope compare: how far the numbers of two documents are from each other.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "base/json.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/selection.h"
#include "document/tensors/tensor_file.h"
#include "engine/matrix/comparison.h"
#include "session/build_information.h"

namespace attn::cli {
namespace {

struct CompareFlags : MatricesAsked {
  std::vector<std::string> files;
  std::string tolerance;
};

// Matrices of one name in both documents.
struct Pair {
  ChosenMatrices a, b;
  bool of_distributions() const {
    return a.id.stage == Stage::Weights && is_computed(a.id) && a.columns == MatrixAxis::Keys;
  }
};

struct Compared {
  const Pair* pair;
  HeadAddress at;
  std::uint64_t layer;  // its number
  Comparison numbers;
};

struct Comparisons {
  const CompareFlags& flags;
  Computed a, b;
  std::vector<Pair> pairs;
  std::vector<Compared> all;
  std::optional<double> tolerance;
};

Error other_shape(const Pair& pair, const CompareFlags& flags) {
  const Shape a = pair.a.shape(), b = pair.b.shape();
  return {.kind = ErrorKind::Usage,
          .message = pair.a.name + " of " + flags.files[0] + " and " + flags.files[1] +
                     " cannot be compared: they have different shapes (samples, layers, heads, "
                     "rows, columns)",
          .found = shape_text(b),
          .expected = shape_text(a),
          .hint =
              "choose parts that both have with --sample, --layer and --head, or another stage "
              "with --stage"};
}

// The chosen matrices that both have; without --stage all that are not in one alone.
Status pair_up(Comparisons& comparisons) {
  const CompareFlags& flags = comparisons.flags;
  const auto a = chosen_matrices(flags, comparisons.a.result->problem(), "");
  if (!a) return a.error();
  const auto b = chosen_matrices(flags, comparisons.b.result->problem(), "");
  if (!b) return b.error();
  for (const ChosenMatrices& one : *a) {
    const auto other = std::ranges::find(*b, one.name, &ChosenMatrices::name);
    if (other == b->end()) continue;
    comparisons.pairs.push_back({one, *other});
    if (one.shape() != other->shape()) return other_shape(comparisons.pairs.back(), flags);
  }
  if (!comparisons.pairs.empty()) return ok_status();
  return usage_error("the documents have no stage in common");
}

Status compare_pair(Comparisons& comparisons, const Pair& pair, Context& context) {
  const std::vector<HeadAddress> of_a = pair.a.addresses(), of_b = pair.b.addresses();
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const Result<MatrixPtr> a = matrix_at(comparisons.a, pair.a, of_a[i], context);
    if (!a) return a.error();
    const Result<MatrixPtr> b = matrix_at(comparisons.b, pair.b, of_b[i], context);
    if (!b) return b.error();
    const std::uint64_t layer = layer_number(comparisons.a.result->shape(), of_a[i].layer, 0);
    comparisons.all.push_back({&pair, of_a[i], layer, {}});
    with_progress(context.console, "Comparing", [&](Progress* progress) {
      comparisons.all.back().numbers = compare_cells(**a, **b, progress);
    });
  }
  return ok_status();
}

std::string name_of(const Comparisons& comparisons, const Compared& one, bool row) {
  const ChosenMatrices& chosen = one.pair->a;
  const MatrixAxis axis = row ? chosen.rows : chosen.columns;
  const std::size_t index = row ? one.numbers.row : one.numbers.col;
  const std::string name = name_on_axis(comparisons.a, axis, one.at, index);
  const std::string number = std::to_string(index);
  return name == number ? number : number + " " + name;
}

std::string number_text(double number) {
  return std::isinf(number) ? "∞" : std::isnan(number) ? "–" : short_text(number, 3);
}

// A line of cells for the text.
std::vector<std::string> cells_of(const Comparisons& comparisons, const Compared& one) {
  const Comparison& numbers = one.numbers;
  std::vector<std::string> cells{one.pair->a.name, std::to_string(one.at.sample),
                                 std::to_string(one.layer), std::to_string(one.at.head),
                                 number_text(numbers.largest)};
  if (numbers.changed == 0) {
    cells.insert(cells.end(), {"", "", "", ""});
  } else {
    cells.insert(cells.end(), {name_of(comparisons, one, true), name_of(comparisons, one, false),
                               short_text(static_cast<double>(numbers.a), 6),
                               short_text(static_cast<double>(numbers.b), 6)});
  }
  cells.push_back(number_text(numbers.mean));
  const bool has_divergence = one.pair->of_distributions();
  cells.push_back(has_divergence ? number_text(numbers.mean_divergence) : "");
  cells.push_back(has_divergence ? number_text(numbers.largest_divergence) : "");
  return cells;
}

// Columns of equal width; numbers of samples, layers and heads are left out if all are 0.
std::string table_of(std::vector<std::vector<std::string>> lines) {
  std::string text(lines.size(), '\n');
  std::vector<std::string> rows(lines.size());
  for (std::size_t column = 0; column < lines.front().size(); ++column) {
    std::size_t width = 0;
    bool only_zeros = column >= 1 && column <= 3;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      width = std::max(width, code_point_count(lines[i][column]));
      only_zeros = only_zeros && (i == 0 || lines[i][column] == "0");
    }
    if (only_zeros) continue;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string blanks(width - code_point_count(lines[i][column]), ' ');
      const bool is_text = column == 0 || column == 5 || column == 6;
      rows[i] += (is_text ? lines[i][column] + blanks : blanks + lines[i][column]) + "  ";
    }
  }
  text.clear();
  for (std::string& row : rows) text += row.erase(row.find_last_not_of(' ') + 1) + "\n";
  return text;
}

const Compared& farthest(const Comparisons& comparisons) {
  return *std::ranges::max_element(comparisons.all, {},
                                   [](const Compared& one) { return one.numbers.largest; });
}

// "weights, layer 3, head 5".
std::string place_of(const Compared& one) {
  const ChosenMatrices& chosen = one.pair->a;
  std::string text = chosen.name;
  if (one.at.sample > 0) text += ", sample " + std::to_string(one.at.sample);
  if (chosen.layers.size() > 1) text += ", layer " + std::to_string(one.layer);
  if (chosen.heads.size() > 1) text += ", head " + std::to_string(one.at.head);
  return text;
}

std::string verdict_of(const Comparisons& comparisons) {
  const Compared& one = farthest(comparisons);
  if (one.numbers.largest == 0.0) return "No number differs.\n";
  std::string text = "The largest difference is " + number_text(one.numbers.largest) + ", in " +
                     place_of(one) + ", row " + name_of(comparisons, one, true) + ", column " +
                     name_of(comparisons, one, false);
  if (comparisons.tolerance) {
    const bool within = one.numbers.largest <= *comparisons.tolerance;
    text += (within ? ", within the tolerance of " : ", above the tolerance of ") +
            short_text(*comparisons.tolerance, 6);
  }
  return text + ".\n";
}

std::string as_text(const Comparisons& comparisons) {
  std::vector<std::vector<std::string>> lines{{"stage", "sample", "layer", "head", "largest |Δ|",
                                               "row", "column", "A", "B", "mean |Δ|", "mean KL",
                                               "largest KL"}};
  std::uint64_t hidden_in_one = 0;
  for (const Compared& one : comparisons.all) {
    lines.push_back(cells_of(comparisons, one));
    hidden_in_one += one.numbers.hidden_in_one;
  }
  std::string text = "A: " + spoken_name(comparisons.flags.files[0]) +
                     "\nB: " + spoken_name(comparisons.flags.files[1]) + "\n\n" +
                     table_of(std::move(lines)) + "\n";
  if (hidden_in_one > 0) {
    text += "The mask of only one document hides " + grouped_text(hidden_in_one) +
            " of the cells compared.\n";
  }
  return text + verdict_of(comparisons);
}

// Numbers that JSON lacks are "inf" and null.
Json json_number(double number) {
  if (std::isnan(number)) return nullptr;
  return std::isinf(number) ? Json("inf") : Json(number);
}

Json as_json(const Compared& one) {
  const Comparison& numbers = one.numbers;
  Json json{{"stage", one.pair->a.name},
            {"sample", one.at.sample},
            {"layer", one.layer},
            {"head", one.at.head},
            {"cells", numbers.cells},
            {"changed", numbers.changed},
            {"hidden_in_one", numbers.hidden_in_one},
            {"largest", json_number(numbers.largest)},
            {"mean", json_number(numbers.mean)}};
  if (numbers.changed > 0) {
    json["row"] = numbers.row;
    json["column"] = numbers.col;
    json["a"] = json_number(static_cast<double>(numbers.a));
    json["b"] = json_number(static_cast<double>(numbers.b));
  }
  if (!one.pair->of_distributions()) return json;
  json["mean_divergence"] = json_number(numbers.mean_divergence);
  json["largest_divergence"] = json_number(numbers.largest_divergence);
  json["divergence_row"] = numbers.divergence_row;
  return json;
}

std::string as_json(const Comparisons& comparisons) {
  Json json{{"version", program_version()},
            {"files", comparisons.flags.files},
            {"largest", json_number(farthest(comparisons).numbers.largest)},
            {"compared", Json::array()}};
  if (comparisons.tolerance) json["tolerance"] = *comparisons.tolerance;
  for (const Compared& one : comparisons.all) json["compared"].push_back(as_json(one));
  return json_text(json);
}

Result<int> run(const CompareFlags& flags, Context& context) {
  if (flags.files.size() != 2) {
    return usage_error(
        "attnscope compare takes two documents, not " + std::to_string(flags.files.size()),
        "see attnscope compare --help");
  }
  Comparisons comparisons{flags, {}, {}, {}, {}, {}};
  if (!flags.tolerance.empty()) {
    const Result<double> tolerance =
        parse_flag_number("--tolerance", flags.tolerance, 0.0, std::numeric_limits<float>::max());
    if (!tolerance) return tolerance.error();
    comparisons.tolerance = *tolerance;
  }
  for (auto [file, computed] :
       {std::pair{&flags.files[0], &comparisons.a}, std::pair{&flags.files[1], &comparisons.b}}) {
    Result<Reading> report = load_document(*file, context);
    if (!report) return report.error();
    computed->document = std::move(report->document);
    const auto result = compute_document(computed->document, context, Influence::Always);
    if (!result) return result.error();
    computed->result = *result;
  }
  if (const Status paired = pair_up(comparisons); !paired) return paired.error();
  for (const Pair& pair : comparisons.pairs) {
    if (const Status read = compare_pair(comparisons, pair, context); !read) return read.error();
  }
  for (const Computed* computed : {&comparisons.a, &comparisons.b}) {
    if (const Status whole = check_files(computed->document); !whole) return whole.error();
  }
  const Status written = context.common.json ? context.console.write(as_json(comparisons))
                                             : context.console.print(as_text(comparisons));
  if (!written) return written.error();
  const bool above =
      comparisons.tolerance && farthest(comparisons).numbers.largest > *comparisons.tolerance;
  return above ? exit_code(ErrorKind::BadInput) : 0;
}

}  // namespace

Definition define_compare(CommonFlags& common) {
  auto flags = std::make_shared<CompareFlags>();
  Flags options{{"FILE", "", "Two documents: paths, example:NAME, or - for standard input",
                 &flags->files, true}};
  add_matrix_flags(options, *flags);
  options.push_back({"--tolerance", "X",
                     "Leave with exit code 3 if a number differs by more than this",
                     &flags->tolerance});
  add_shared(options, common, kJson | kSeed | kComputing | kMessages);
  return {std::move(options), [flags](Context& context) { return run(*flags, context); },
          "Δ is A − B, KL the divergence of a row of A from that of B in nats. Without --stage all "
          "stages\nthat both have are compared. Cells that both masks hide are left out.\n"};
}

}  // namespace attn::cli
