// Lists the subcommands with their help and examples.
#include "cli/subcommand.h"

namespace attn::cli {

std::span<const Subcommand> all_subcommands() {
  static const std::vector<Subcommand> kSubcommands = {
      {"view",
       "Open the window",
       {{"attnscope view cats.attn.json", "Open a document"},
        {"attnscope view example:four-heads --theme light", "Open a built-in example"},
        {"attnscope view cats.attn.json --screenshot cats.png", "Take a picture and leave"}},
       define_view},
      {"compute",
       "Print the attention weights and outputs as JSON",
       {{"attnscope compute example:i-love-cats", "Print the numbers"},
        {"attnscope compute cats.attn.json --stages -o result.json", "Write every stage to a file"},
        {"cat cats.attn.json | attnscope compute - | jq .weights", "In a pipeline"}},
       define_compute},
      {"export",
       "Draw a figure for a paper or a page",
       {{"attnscope export example:i-love-cats -o cats.png", "The weights as a heatmap, 300 dpi"},
        {"attnscope export example:four-heads -o heads.svg --head 2 --colormap ylorrd",
         "The third head (counted from 0), as SVG"},
        {"attnscope export cats.attn.json -o shapes.svg --plot dimensions",
         "The shape of every tensor"},
        {"attnscope export cats.attn.json -o flow.png --plot derived --matrix flow",
         "How much can flow from token to token through all layers"}},
       define_export},
      {"info",
       "Show shapes, parameters, cost and memory",
       {{"attnscope info cats.attn.json", "What is in it"},
        {"attnscope info cats.attn.json --measures", "And what each head does"},
        {"attnscope info --json cats.attn.json | jq .shape", "For programs"}},
       define_info},
      {"validate",
       "Check documents and show every problem with its place",
       {{"attnscope validate cats.attn.json", "Check one"},
        {"attnscope validate *.json --quiet", "Check many, show only problems"}},
       define_validate},
      {"examples",
       "List the built-in examples or print one",
       {{"attnscope examples", "List them"},
        {"attnscope examples four-heads -o heads.attn.json", "Write one to a file, to edit it"}},
       define_examples},
      {"schema",
       "Print the JSON Schema of documents",
       {{"attnscope schema -o attnscope.schema.json",
         "Beside documents, for editors that check them"}},
       define_schema},
  };
  return kSubcommands;
}

const Subcommand* subcommand_named(std::string_view name) {
  for (const Subcommand& subcommand : all_subcommands()) {
    if (subcommand.name == name) return &subcommand;
  }
  return nullptr;
}

}  // namespace attn::cli
