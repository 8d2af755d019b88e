// Many documents and outputs in one call: files by globs, names by patterns, and what failed.
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

// A file of a call, or a part of one: a request with one value of each list that the file's name
// has a place for.
struct RequestedFile {
  FigureRequest request;
  PlaceValues places{};  // of its name
  Destination destination{};
  std::vector<ChosenMatrices> chosen{};  // of a file of numbers
};

// What a request of pictures has as lists: plots, stages, samples, layers, heads and steps. The
// first is the name of the document, still empty.
PlaceValues lists_of(const FigureRequest& request);

// The files for each combination of values of these lists, the last varying first; a name of a
// document is one value. The shape is used for "all", without which no list needs_shape(). Usage
// error for what is no list, or too many; numbers may be too large.
Result<std::vector<RequestedFile>> expanded(const FigureRequest& request, const PlaceValues& lists,
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

// A document of a call, with what is written of it.
struct Source {
  std::string file;
  std::vector<RequestedFile> outputs{};
  std::optional<Result<Reading>> early{};  // read before its turn

  // Reads the document unless it was read early. To be called once.
  Result<Reading> read(Context& context);
};

// The documents of a call, each with the expanded() files of the request, where the first list is
// replaced by the name of the document. Where the lists need a shape, documents are read early.
Result<std::vector<Source>> sources_of(Context& context, const FigureRequest& request = {},
                                       PlaceValues lists = {{"name", ""}});

// Gives the outputs their destinations(), or all of them one, and returns these. Refuses to replace
// what the documents and the `reference`, unless it is empty, keep their numbers in. Before
// anything is computed they are opened only where outputs that are no figures exist.
Result<std::vector<Destination>> name_outputs(std::vector<Source>& sources,
                                              const std::string& reference, bool as_one,
                                              Context& context);

// Calls work for each source, with the flags of its file and a part of the progress over all
// outputs, which are called `things` ("Figure"). A failure does not stop the others, except that of
// a call that is wrong by itself.
using SourceWork = std::function<Result<int>(Source& source, Progress*, Context& of_file)>;
Result<int> each_source(std::vector<Source>& sources, const std::string& things, Context& context,
                        const SourceWork& work);

}  // namespace attn::cli
