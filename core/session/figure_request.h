// Requests for figures as calls state them: the documents, the plots and their options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/fields.h"

namespace attn {

// The text given for an option of plots: its value, or a list of several.
struct Setting {
  const Field<ViewOptions>* field;
  std::string text;
};
std::string flag_of(const Setting& setting);  // "--head", "--no-values"

// Interventions as the flags of a call state them.
struct WhatIfTexts {
  std::string gates{};     // "5:1=0"
  std::string patterns{};  // "5:1=3:2"
  std::string edges{};     // "2:4=5:1:k"
  bool any() const { return !gates.empty() || !patterns.empty() || !edges.empty(); }
};

// A call that draws figures, made by app/cli from flags and by figure_file.h from views. An option
// whose text is empty is not in the call.
struct FigureRequest {
  std::vector<std::string> files{};  // paths or examples
  std::string plot{}, layout{};      // "heatmap,links"; "heatmap head=2 | links"
  std::vector<Setting> settings{};   // each option at most once
  std::string part{};                // "0,0,4,4"
  std::vector<std::string> pins{};   // "1,2"
  std::string reference{};           // document to compare with
  std::string dpi{}, svg_text{};     // resolution of pictures; letters of SVG, "outlines"
  bool transparent = false;          // without a background
  std::string seed{}, left_out{};    // of the documents
  WhatIfTexts what_if{};
  std::string text{}, ids{};  // that the model of a folder reads
  bool of_several = false;    // the call draws several figures, and names plots last
};

// Returns the setting of an option, or null.
const Setting* setting_of(const FigureRequest& request, std::string_view option);

// Returns the text given for an option of plots or for "plot"; empty if none is.
std::string text_of(const FigureRequest& request, std::string_view option);
void set_text(FigureRequest& request, std::string_view option, const std::string& text);

// Returns the call for a shell: "attnscope export cats.attn.json -o cats.png --head 1"; records in
// files are without the output.
std::string call_of(const FigureRequest& request, const std::string* output = nullptr);

// Quotes a word for a shell where necessary.
std::string shell_word(const std::string& text);

}  // namespace attn
