// attnscope compare: how far the numbers of two documents are from each other.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>

#include "base/joined.h"
#include "base/json.h"
#include "base/number_text.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/selection.h"
#include "document/tensors/tensor_file.h"
#include "engine/matrix/comparison.h"
#include "engine/statistics.h"
#include "session/build_information.h"

namespace attn::cli {
namespace {

// Two matrices of one name.
struct Compared {
  const ChosenMatrices& chosen;  // of A
  HeadAddress at;
  Comparison numbers;

  bool of_distributions() const {
    return chosen.id.stage == Stage::Weights && is_computed(chosen.id) &&
           chosen.columns == MatrixAxis::Keys;
  }
  bool is_equal() const { return numbers.changed == 0 && numbers.hidden_in_one == 0; }
};

struct Comparisons {
  const FigureRequest& request;
  std::optional<double> tolerance;
  std::shared_ptr<const Computed> a, b;
  std::vector<ChosenMatrices> chosen{};  // of A, less those of B
  std::vector<Compared> all{};
};

// Chooses the matrices of the request that both documents have.
Status pair_up(Comparisons& comparisons) {
  const FigureRequest& request = comparisons.request;
  auto a = chosen_matrices(request, comparisons.a->result->problem(), "");
  if (!a) return a.error();
  const auto b = chosen_matrices(request, comparisons.b->result->problem(), "");
  if (!b) return b.error();
  std::erase_if(*a, [&](const ChosenMatrices& one) {
    return std::ranges::find(*b, one.name, &ChosenMatrices::name) == b->end();
  });
  if (a->empty()) return usage_error("the documents have no stage in common");
  comparisons.chosen = *std::move(a);
  return subtract(comparisons.chosen, request, comparisons.b, request.files[1]);
}

// Returns a matrix whose hidden cells are left out if it is a stage, such as scores.
Result<MatrixPtr> seen_at(const Computed& of, const ChosenMatrices& chosen, const HeadAddress& at,
                          Context& context) {
  const Result<MatrixPtr> matrix = matrix_at(of, chosen, at, context);
  return matrix && chosen.is_stage() ? as_seen(*matrix, *of.result) : matrix;
}

constexpr const char* kOwnWhatIf =
    "one document with a what_if, --gate, --pattern or --cut is compared with itself";

// Reads a document that is compared with itself without its interventions.
Status read_untouched(Comparisons& comparisons, Context& context) {
  auto touched = computed_document(comparisons.request.files[1], context, Influence::Always);
  if (!touched) return touched.error();
  if (touched->document.what_if == Interventions{}) {
    return usage_error("attnscope compare takes two documents, not 1",
                       "see attnscope compare --help; " + std::string(kOwnWhatIf));
  }
  Computed untouched = *touched;
  untouched.document.what_if = {};
  Result<ResultPtr> result = compute_document(untouched.document, context, Influence::Always);
  if (!result) return result.error();
  untouched.result = *std::move(result);
  comparisons.a = std::make_shared<const Computed>(std::move(untouched));
  comparisons.b = std::make_shared<const Computed>(*std::move(touched));
  return pair_up(comparisons);
}

Status read_both(Comparisons& comparisons, Context& context) {
  for (auto* const side : {&comparisons.a, &comparisons.b}) {
    const std::string& file = comparisons.request.files[side == &comparisons.a ? 0 : 1];
    CommonFlags flags = context.common;
    if (side == &comparisons.a) flags.what_if = {};  // they are those of B
    Context own{context.console, context.open_window, flags};
    auto computed = computed_document(file, own, Influence::Always);
    if (!computed) return computed.error();
    *side = std::make_shared<const Computed>(*std::move(computed));
  }
  return pair_up(comparisons);
}

Status compare_pair(Comparisons& comparisons, const ChosenMatrices& in_a, Context& context) {
  const ChosenMatrices& in_b = in_a.less->chosen;
  const std::vector<HeadAddress> of_a = in_a.addresses(), of_b = in_b.addresses();
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const Result<MatrixPtr> a = seen_at(*comparisons.a, in_a, of_a[i], context);
    if (!a) return a.error();
    const Result<MatrixPtr> b = seen_at(*comparisons.b, in_b, of_b[i], context);
    if (!b) return b.error();
    const auto compare = [&](Progress* progress) { return compare_cells(**a, **b, progress); };
    comparisons.all.push_back(
        {in_a, of_a[i], with_progress(context.console, "Comparing", compare)});
  }
  return ok_status();
}

Status compare_all(Comparisons& comparisons, Context& context) {
  for (const ChosenMatrices& chosen : comparisons.chosen) {
    if (Status read = compare_pair(comparisons, chosen, context); !read) return read;
  }
  const Status whole = check_files(comparisons.a->document);
  return whole ? check_files(comparisons.b->document) : whole;
}

std::string name_of(const Comparisons& comparisons, const Compared& one, bool row) {
  const ChosenMatrices& chosen = one.chosen;
  const MatrixAxis axis = row ? chosen.rows : chosen.columns;
  const std::size_t index = row ? one.numbers.row : one.numbers.col;
  const std::string name = name_on_axis(*comparisons.a, axis, one.at, index);
  const std::string number = std::to_string(index);
  return name == number ? number : number + " " + name;
}

std::string number_text(double number) {
  return std::isinf(number) ? "∞" : std::isnan(number) ? "–" : short_text(number, 3);
}

// Return functions from a comparison to the text of a cell.
auto value_in(float Comparison::*of) {
  return [of](const Compared& one) {
    return one.numbers.changed == 0 ? "" : short_text(static_cast<double>(one.numbers.*of), 6);
  };
}
auto divergence_in(double Comparison::*of) {
  return [of](const Compared& one) {
    return one.of_distributions() ? number_text(one.numbers.*of) : "";
  };
}
auto place_in(const Comparisons& comparisons, bool row) {
  return [&comparisons, row](const Compared& one) {
    return one.numbers.changed == 0 ? "" : name_of(comparisons, one, row);
  };
}

// Adds columns of samples, layers and heads, unless all of the matrices are of 0.
template <class Add>
void add_numbered_axes(const Comparisons& comparisons, const Add& add) {
  const AttentionShape& shape = comparisons.a->result->shape();
  for (const NumberedAxis& axis : numbered_axes()) {
    const auto number = [&](const Compared& one) {
      return number_at(axis, shape, one.at.*axis.at);
    };
    const auto is_first = [&](const Compared& one) { return number(one) == 0; };
    if (std::ranges::all_of(comparisons.all, is_first)) continue;
    add(axis.name, [&](const Compared& one) { return std::to_string(number(one)); });
  }
}

// Returns lines of the matrices that differ, in the order of their computation; "" if none does.
std::string table_of(const Comparisons& comparisons) {
  std::vector<Compared> shown;
  std::ranges::remove_copy_if(comparisons.all, std::back_inserter(shown), &Compared::is_equal);
  if (shown.empty()) return "";
  std::vector<TextColumn> columns;
  const auto add = [&](std::string_view heading, const auto& cell, bool is_text = false) {
    columns.push_back(column_of({std::string(heading)}, shown, cell, is_text));
  };
  add(
      "stage", [](const Compared& one) { return one.chosen.name; }, true);
  add_numbered_axes(comparisons, add);
  add("largest |Δ|", [](const Compared& one) { return number_text(one.numbers.largest); });
  add("row", place_in(comparisons, true), true);
  add("column", place_in(comparisons, false), true);
  add("A", value_in(&Comparison::a));
  add("B", value_in(&Comparison::b));
  add("mean |Δ|", [](const Compared& one) { return number_text(one.numbers.mean); });
  add("mean KL", divergence_in(&Comparison::mean_divergence));
  add("largest KL", divergence_in(&Comparison::largest_divergence));
  return aligned(columns) + "\n";
}

// Returns "Equal: q, k, scores (3 of 4).", or "" if all differ.
std::string equal_stages(const Comparisons& comparisons) {
  std::vector<std::string> names;
  for (const ChosenMatrices& chosen : comparisons.chosen) {
    std::size_t all = 0, equal = 0;
    for (const Compared& one : comparisons.all) {
      if (&one.chosen != &chosen) continue;
      ++all;
      equal += one.is_equal() ? 1 : 0;
    }
    const std::string part = " (" + std::to_string(equal) + " of " + std::to_string(all) + ")";
    if (equal > 0) names.push_back(chosen.name + (equal < all ? part : ""));
  }
  return names.empty() ? "" : "Equal: " + joined(names) + ".\n";
}

const Compared& farthest(const Comparisons& comparisons) {
  return *std::ranges::max_element(comparisons.all, {},
                                   [](const Compared& one) { return one.numbers.largest; });
}

// Counts the cells that only one of the masks hides; stages with keys as columns count the same.
std::uint64_t hidden_in_one(const Comparisons& comparisons) {
  std::map<std::string_view, std::uint64_t> by_stage;
  std::uint64_t most = 0;
  for (const Compared& one : comparisons.all) {
    most = std::max(most, by_stage[one.chosen.name] += one.numbers.hidden_in_one);
  }
  return most;
}

// True if a distance is above the tolerance, or one mask alone hides a cell of masked scores.
bool is_above_tolerance(const Comparisons& comparisons) {
  return comparisons.tolerance && std::ranges::any_of(comparisons.all, [&](const Compared& one) {
           const bool masks_differ =
               one.chosen.id.stage == Stage::Masked && one.numbers.hidden_in_one > 0;
           return one.numbers.largest > *comparisons.tolerance || masks_differ;
         });
}

// Returns "weights, layer 2, head 0, row 1 cat, column 3 (counted from 0)".
std::string place_of(const Comparisons& comparisons, const Compared& one) {
  std::string text = one.chosen.name;
  for (const auto& [axis, number] :
       numbers_of(one.chosen, comparisons.a->result->shape(), one.at)) {
    text += ", " + std::string(axis) + " " + std::to_string(number);
  }
  return text + ", row " + name_of(comparisons, one, true) + ", column " +
         name_of(comparisons, one, false) + " (counted from 0)";
}

std::string verdict_of(const Comparisons& comparisons) {
  const Compared& one = farthest(comparisons);
  if (one.numbers.largest == 0.0) {
    return hidden_in_one(comparisons) > 0 ? "No number differs that both masks show.\n"
                                          : "No number differs.\n";
  }
  std::string text = "The largest difference is " + number_text(one.numbers.largest) + ", in " +
                     place_of(comparisons, one);
  if (comparisons.tolerance) {
    const bool within = one.numbers.largest <= *comparisons.tolerance;
    text += (within ? ", within the tolerance of " : ", above the tolerance of ") +
            short_text(*comparisons.tolerance, 6);
  }
  return text + ".\n";
}

std::string as_text(const Comparisons& comparisons) {
  const std::uint64_t hidden = hidden_in_one(comparisons);
  const auto with_changes = [](const std::string& file, const Document& document) {
    const std::string changes = changes_text(document);
    return std::string(spoken_name(file)) + (changes.empty() ? "" : ", with " + changes);
  };
  std::string text = "A: " + with_changes(comparisons.request.files[0], comparisons.a->document) +
                     "\nB: " + with_changes(comparisons.request.files[1], comparisons.b->document) +
                     "\n\n" + table_of(comparisons) + equal_stages(comparisons);
  if (hidden > 0) {
    text +=
        "The mask of only one document hides " + grouped_text(hidden) + " of the cells compared.\n";
  }
  return text + verdict_of(comparisons);
}

// Returns the number; infinite ones as "inf", and NaN as null, as JSON lacks both.
Json json_number(double number) {
  if (std::isnan(number)) return nullptr;
  return std::isinf(number) ? Json("inf") : Json(number);
}

Json as_json(const Compared& one, const AttentionShape& shape) {
  const Comparison& numbers = one.numbers;
  Json json{{"stage", one.chosen.name},
            {"sample", one.at.sample},
            {"layer", layer_number(shape, one.at.layer, 0)},
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
  if (!one.of_distributions()) return json;
  json["mean_divergence"] = json_number(numbers.mean_divergence);
  json["largest_divergence"] = json_number(numbers.largest_divergence);
  json["divergence_row"] = numbers.divergence_row;
  return json;
}

std::string as_json(const Comparisons& comparisons) {
  Json json{
      {"version", program_version()},
      {"files", comparisons.request.files},
      {"changes", {changes_text(comparisons.a->document), changes_text(comparisons.b->document)}},
      {"largest", json_number(farthest(comparisons).numbers.largest)},
      {"compared", Json::array()}};
  if (comparisons.tolerance) json["tolerance"] = *comparisons.tolerance;
  const AttentionShape& shape = comparisons.a->result->shape();
  for (const Compared& one : comparisons.all) json["compared"].push_back(as_json(one, shape));
  return json_text(json);
}

Result<int> run(FigureRequest request, const std::string& largest, Context& context) {
  const bool is_own = request.files.size() == 1;
  if (is_own) request.files.push_back(request.files.front());
  if (request.files.size() != 2) {
    return usage_error(
        "attnscope compare takes two documents, not " + std::to_string(request.files.size()),
        "see attnscope compare --help; " + std::string(kOwnWhatIf));
  }
  const auto tolerance =
      number_given("--tolerance", largest, 0.0, std::numeric_limits<float>::max());
  if (!tolerance) return tolerance.error();
  Comparisons comparisons{request, *tolerance, {}, {}};
  Status good = is_own ? read_untouched(comparisons, context) : read_both(comparisons, context);
  if (good) good = compare_all(comparisons, context);
  if (!good) return good.error();
  const Status written = context.common.json ? context.console.write(as_json(comparisons))
                                             : context.console.print(as_text(comparisons));
  if (!written) return written.error();
  return is_above_tolerance(comparisons) ? exit_code(ErrorKind::BadInput) : 0;
}

}  // namespace

Definition define_compare(CommonFlags& common) {
  auto request = std::make_shared<FigureRequest>();
  auto tolerance = std::make_shared<std::string>();
  Flags options{{"FILE", "", "Two documents: paths, example:NAME, or - for standard input",
                 &request->files, true}};
  add_matrix_flags(options, request);
  options.push_back({"--tolerance", "X",
                     "Leave with exit code 3 if a number differs by more than this",
                     tolerance.get()});
  add_shared(options, common, kJson | kSeed | kChanges | kComputing | kMessages);
  return {std::move(options),
          [request, tolerance](Context& context) { return run(*request, *tolerance, context); },
          "Δ is A − B, KL the divergence of a row of A from that of B in nats. Without --stage all "
          "stages\nthat both have are compared. Cells that both masks hide are left out. One "
          "document that\nhas a what_if, --gate, --pattern or --cut is compared with itself: A is "
          "without them, B with.\n"};
}

}  // namespace attn::cli
