// Many documents and outputs in one call: files by globs, names by patterns, and what failed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/problem.h"
#include "cli/cli.h"

namespace attn::cli {

// What commas separate; one empty item of an empty list.
std::vector<std::string> items_of(const std::string& list);

// `files` with globs replaced by the paths that match, sorted. What exists under such a name is
// that file. BadInput for a glob without a match.
Result<std::vector<std::string>> matched_files(const std::vector<std::string>& files);

// What {name} stands for: "cats" for "runs/cats.attn.json", "stdin" for "-".
std::string stem_of(const std::string& file);

// Values of the places of an output, by name: those of {head}. Empty: it has none, as its option
// was not given.
using PlaceValues = std::vector<std::pair<std::string_view, std::string>>;

// Each combination of values of these lists, the last varying first; a name of a document is one
// value. The shape is used for "all", without which no list needs_shape(). Usage error for what is
// no list, or too many; numbers may be too large.
Result<std::vector<PlaceValues>> combinations(const PlaceValues& lists,
                                              const std::optional<AttentionShape>& shape);
bool needs_shape(const PlaceValues& lists);

// "cats, layer 3, head 0"
std::string output_name(const PlaceValues& values);

// Whether the name of an output has a place such as {head}.
bool has_places(std::string_view pattern);

// A destination for each output, all with the same places, and {number} besides, counted from 1.
// Errors, Usage: places that are unknown or without a value, values that differ and have no place,
// equal names; CannotWrite: what exists without `force`, is one of `files`, protected, or in no
// folder.
Result<std::vector<Destination>> destinations(const Destination& pattern,
                                              const std::vector<PlaceValues>& outputs,
                                              const std::vector<std::string>& files);

// What failed of `of` things ("documents").
class Failures {
 public:
  // The console is borrowed.
  Failures(Console& console, std::size_t of, std::string things);
  // Says at once which of several failed, and why. False when the others would fail alike: the
  // disk is full, say.
  bool add(const std::string& name, Error error);
  // Code 0, the error of the only thing or of the one that ended the work, or BadInput with the
  // names of those that failed.
  Result<int> result() const;

 private:
  Console& console_;
  std::size_t of_;
  std::string things_;
  std::vector<std::string> names_;
  std::optional<Error> last_;
  bool ended_ = false;
};

// Calls work for each file, with its flags: the file and, unless `outputs` is empty, the output of
// its own. A failure does not stop the others, except that of a call that is wrong by itself.
using FileWork = std::function<Result<int>(Context& of_file)>;
Result<int> each_file(const std::vector<std::string>& files,
                      const std::vector<Destination>& outputs, Context& context,
                      const FileWork& work);

}  // namespace attn::cli
