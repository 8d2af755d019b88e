// Many documents and outputs in one call: files by globs, names by patterns, and failures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/problem.h"
#include "cli/load.h"
#include "cli/selection.h"
#include "session/figure_request.h"

namespace attn::cli {

// Returns `files` with globs replaced by the paths that match, sorted. The name of an existing file
// is no glob. BadInput for a glob without a match.
Result<std::vector<std::string>> matched_files(const std::vector<std::string>& files);

// Returns the text of {name}: "cats" for "runs/cats.attn.json", "stdin" for "-".
std::string stem_of(const std::string& file);

// Values of the places in the name of an output, such as {head}, by the name of the place. A value
// is empty if its option was not given.
using PlaceValues = std::vector<std::pair<std::string_view, std::string>>;

// A file to write, or a part of one: a request with one value of each list for which the name of
// the file has a place.
struct RequestedFile {
  FigureRequest request;
  PlaceValues places{};  // of its name
  Destination destination{};
  std::vector<ChosenMatrices> chosen{};  // of a file of numbers
};

// Returns the lists of a request of pictures: plots, stages, samples, layers, heads and steps. The
// first item is for the name of the document, and empty.
PlaceValues lists_of(const FigureRequest& request);

// Returns a file for each combination of values of these lists, the last varying fastest; the name
// of a document is one value. The shape gives the values of "all"; other lists do not need it.
// Usage error for texts that are no lists, and for too many files; numbers may be too large.
Result<std::vector<RequestedFile>> expanded(const FigureRequest& request, const PlaceValues& lists,
                                            const std::optional<AttentionShape>& shape);
bool needs_shape(const PlaceValues& lists);

// Returns "cats, layer 3, head 0".
std::string output_name(const PlaceValues& values);

// True if the name of an output has a place such as {head}.
bool has_places(std::string_view pattern);

// Returns a destination for each output; all have the same places, and {number}, counted from 1.
// Errors, Usage: places that are unknown or without a value, values that differ and have no place,
// equal names; CannotWrite: a path that exists without `force`, is one of `files`, is protected, or
// is in no folder.
Result<std::vector<Destination>> destinations(const Destination& pattern,
                                              const std::vector<PlaceValues>& outputs,
                                              const std::vector<std::string>& files);

// Collects the failures among `of` things ("documents").
class Failures {
 public:
  // The console is borrowed.
  Failures(Console& console, std::size_t of, std::string things);
  // Reports at once which of several failed, and why. False when the others would fail too, such as
  // on a full disk.
  bool add(const std::string& name, Error error);
  // Returns code 0, the error of the only thing or of the one that ended the work, or BadInput with
  // the names of those that failed.
  Result<int> result() const;

 private:
  Console& console_;
  std::size_t of_;
  std::string things_;
  std::vector<std::string> names_;
  std::optional<Error> last_;
  bool ended_ = false;
};

// A document of a call, with the outputs that are written of it.
struct Source {
  std::string file;
  std::vector<RequestedFile> outputs{};
  std::optional<Result<Reading>> early{};  // read before its turn

  // Returns the document, which is read unless it was early. May be called once.
  Result<Reading> read(Context& context);
};

// Returns the documents of a call, each with the expanded() files of the request, where the first
// list is the name of the document. Where the lists need a shape, documents are read early.
Result<std::vector<Source>> sources_of(Context& context, const FigureRequest& request = {},
                                       PlaceValues lists = {{"name", ""}});

// Gives the outputs their destinations(), or all of them one, and returns these. Refuses to replace
// files in which the documents and the `reference`, unless it is empty, keep their numbers. These
// are opened before computing only where outputs that are no figures exist.
Result<std::vector<Destination>> name_outputs(std::vector<Source>& sources,
                                              const std::string& reference, bool as_one,
                                              Context& context);

// Calls work for each source, with the flags of its file and a part of the progress over all
// outputs, which are called `things` ("Figure"). A failure does not stop the others, unless the
// call itself is wrong.
using SourceWork = std::function<Result<int>(Source& source, Progress*, Context& of_file)>;
Result<int> each_source(std::vector<Source>& sources, const std::string& things, Context& context,
                        const SourceWork& work);

}  // namespace attn::cli
