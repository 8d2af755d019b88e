// Requests for figures, as a call of the command line states them: which figures of which
// documents, with which options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/fields.h"

namespace attn {

// Text given for an option of plots: its value, or a list of several.
struct Setting {
  const Field<ViewOptions>* field;
  std::string text;
};
std::string flag_of(const Setting& setting);  // "--head", "--no-values"

// Made of flags by app/cli, or of a view by figure_file.h. Empty texts are not stated.
struct FigureRequest {
  std::vector<std::string> files{};  // paths or examples
  std::string plot{}, layout{};      // "heatmap,links"; "heatmap head=2 | links"
  std::vector<Setting> settings{};   // each option at most once
  std::string part{};                // "0,0,4,4"
  std::vector<std::string> pins{};   // "1,2"
  std::string reference{};           // document to compare with
  std::string dpi{}, text{};         // resolution of pictures; letters of SVG, "outlines"
  bool transparent = false;          // without a background
  std::string seed{}, left_out{};    // of the documents
  bool of_several = false;           // a record of several figures, which names plots last
};

// The setting of an option, or null.
const Setting* setting_of(const FigureRequest& request, std::string_view option);

// What is given for an option of plots or for "plot"; empty: nothing.
std::string text_of(const FigureRequest& request, std::string_view option);
void set_text(FigureRequest& request, std::string_view option, const std::string& text);

// The call for a shell: "attnscope export cats.attn.json -o cats.png --head 1"; records in files
// are without the output.
std::string call_of(const FigureRequest& request, const std::string* output = nullptr);

// Quotes a word for a shell where necessary.
std::string shell_word(const std::string& text);

}  // namespace attn
