// Reads rotary positions and their scaling from the settings of a model.
#include <algorithm>
#include <cmath>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/folder/settings.h"
#include "document/scaling_check.h"
#include "kinds/parts/findings.h"

namespace attn {
namespace {

// Keys of the base of all layers, and of those with a window that have one of their own.
constexpr std::string_view kBase = "rope_theta|rotary_emb_base|global_rope_theta";
constexpr std::string_view kLocalBase = "rope_local_base_freq|local_rope_theta";
constexpr std::string_view kShare = "partial_rotary_factor";
constexpr std::string_view kTrained = "original_max_position_embeddings";
constexpr std::string_view kLongest = "max_position_embeddings";

// A scaling by its name in settings, with the keys that it needs, separated by blanks.
struct ScalingType {
  std::string_view name;
  RopeScaling scaling;
  std::string_view needed;
};
constexpr ScalingType kScalingTypes[] = {
    {"default", RopeScaling::None, ""},
    {"dynamic", RopeScaling::None, "factor"},  // begins after the trained length
    {"linear", RopeScaling::Linear, "factor"},
    {"llama3", RopeScaling::Llama3, "factor low_freq_factor high_freq_factor"},
    {"yarn", RopeScaling::Yarn, "factor"},
    {"longrope", RopeScaling::Longrope, "short_factor long_factor"},
};

// Keys of settings by the place that checks of documents name.
constexpr std::pair<std::string_view, std::string_view> kPlaces[] = {
    {"/base", "rope_theta"},
    {"/gain", "attention_factor"},
    {"/original", kTrained},
    {"/low", "low_freq_factor|beta_slow"},
    {"/factors", "long_factor"},
    {"/high", "high_freq_factor|beta_fast"},
    {"/short_factors", "short_factor"},
};

std::string text_of(double number) { return shortest_text(static_cast<float>(number)); }

std::vector<float> floats(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// Refuses an older object that says something else than the newer one.
void refuse_difference(ModelConfig& older, const ModelConfig& newer) {
  const std::string key = older.differing(newer);
  if (key.empty()) return;
  const std::string other = newer.written(key);
  older.refuse(key, "rope_scaling and rope_parameters differ", older.written(key),
               other.empty() ? "no such key, as in rope_parameters" : other);
}

// Returns the settings of one kind of layers, from the newer object or the older one.
ModelConfig rotary_settings(ModelConfig& config, const Family& family, std::string_view layers,
                            bool is_local) {
  ModelConfig newer = config.inside("rope_parameters");
  config.take(newer);
  const bool is_nested = newer.has("full_attention|sliding_attention");
  if (is_nested && !config.knows("layer_types")) {
    config.refuse("rope_parameters", "layers of this family have no types with own positions",
                  "full_attention or sliding_attention", "one object for all layers");
  }
  if (is_nested) newer = newer.inside(layers);
  ModelConfig older = config.inside("rope_scaling");
  if (is_local && !is_nested) {
    if (newer.has_any()) {
      config.note("rope_parameters are of layers without a window: those with one have the base " +
                  text_of(config.number(kLocalBase).value_or(0.0)));
    }
    return family.scales_windowed && !newer.has_any() ? older : newer.inside("none");
  }
  if (newer.has_any() && !is_local) refuse_difference(older, newer);
  config.take(older);
  return newer.has_any() || is_local ? newer : older;
}

double base_of(ModelConfig& own, ModelConfig& config, std::string_view keys) {
  const auto inner = own.number("rope_theta", 1e-6), outer = config.number(keys, 1e-6);
  if (inner && outer && *inner != *outer && !config.is_usual(keys)) {
    config.note("the base of rotation is stated twice: " + text_of(*inner) +
                ", with the scaling, is taken, not " + text_of(*outer));
  }
  return inner.value_or(outer.value_or(10000.0));
}

// Returns how many columns of a head are rotated; 0: all.
std::size_t rotary_columns(ModelConfig& own, ModelConfig& config, const Sizes& sizes) {
  ModelConfig& from = own.has(kShare) ? own : config;
  const double share = from.number("partial_rotary_factor|rotary_pct").value_or(1.0);
  const double columns = share * static_cast<double>(sizes.head_width);
  const std::size_t rotary = static_cast<std::size_t>(columns) / 2 * 2;
  if (share > 1.0) {
    from.refuse(kShare, "more than the columns of a head would be rotated", text_of(share),
                "a share of at most 1");
  } else if (share < 1.0 && !config.knows(kShare)) {
    from.refuse(kShare, "heads of this family are rotated whole", text_of(share), "1");
  } else if (rotary == 0 || (share == 1.0 && rotary < sizes.head_width)) {
    from.refuse(share < 1.0 ? kShare : "head_dim", "columns are rotated in pairs",
                counted(static_cast<std::size_t>(columns), "column"), "an even number above 0");
  }
  return rotary < sizes.head_width ? rotary : 0;
}

// Returns the length that a model was trained with, which stands in one of three places.
std::size_t trained_length(ModelConfig& own, ModelConfig& config, const Family& family,
                           const std::string& type) {
  const std::size_t stated = config.count(kTrained), inner = own.count(kTrained);
  const std::size_t outer = stated > 0 ? stated : family.trained_length;
  if (outer > 0 && inner > 0 && outer != inner) {
    config.note("the trained length is " + std::to_string(outer) + ", " +
                (stated > 0 ? "as outside of the scaling" : "as usual in this family") + ", not " +
                std::to_string(inner) + ", as in it");
  }
  if (outer > 0 || inner > 0) return outer > 0 ? outer : inner;
  const std::size_t longest = config.count(kLongest);
  if (longest > 0) {
    config.note("no " + std::string(kTrained) + ": the trained length is " + std::string(kLongest) +
                ", " + std::to_string(longest));
  } else {
    own.refuse(kTrained, type + " needs the trained length", "none",
               "a whole number of tokens from 1 on");
  }
  return longest;
}

// Returns the factor, or if there is none the longest text divided by the trained length.
double factor_of(ModelConfig& own, ModelConfig& config, const Position& position) {
  const auto factor = own.number("factor", 1e-6);
  const double ratio = static_cast<double>(config.count(kLongest)) /
                       static_cast<double>(std::max<std::uint64_t>(1, position.original));
  if (!factor && ratio == 0.0 && position.original > 0) {
    config.refuse(kLongest, "a scaling without a factor needs the longest text", "none",
                  "a whole number of tokens from 1 on");
  }
  if (factor && ratio > 0.0 && *factor != ratio && position.scaling == RopeScaling::Longrope &&
      !own.has("attention_factor")) {
    config.note("rotated columns grow by the factor " + text_of(*factor) + ", not by " +
                text_of(ratio) + ", which is " + std::string(kLongest) +
                " divided by the trained length");
  }
  return factor.value_or(ratio);
}

// Returns the factor of cosines and sines that YaRN has for a scaling (Peng et al. 2023).
double gain_of(double factor, double scale) {
  return factor <= 1.0 ? 1.0 : 0.1 * scale * std::log(factor) + 1.0;
}

// Reads the factor of cosines and sines: a number, or YaRN's by two scales.
void read_gain(ModelConfig& own, Position& position) {
  const auto scale = own.number("mscale"), of_all = own.number("mscale_all_dim");
  auto gain = own.number("attention_factor", 1e-6);
  if (!gain && scale && of_all && *scale > 0.0 && *of_all > 0.0) {
    const auto factor = static_cast<double>(position.factor);
    gain = gain_of(factor, *scale) / gain_of(factor, *of_all);
  }
  if (gain) position.gain = static_cast<float>(*gain);
}

// Reads how many turns within the trained length bound a mixture.
void read_turns(ModelConfig& own, Position& position) {
  const RopeScalingInfo& info = rope_scaling_info(position.scaling);
  if (info.high == 0.0F) return;
  const double least = position.scaling == RopeScaling::Yarn ? 0.0 : 1e-6;  // 0: the usual ones
  const auto read = [&](std::string_view keys, float usual) {
    const auto number = static_cast<float>(own.number(keys, least).value_or(0.0));
    return number > 0.0F ? number : usual;
  };
  position.low = read("low_freq_factor|beta_slow", info.low);
  position.high = read("high_freq_factor|beta_fast", info.high);
}

// Returns the row of the scaling, or null with a refusal.
const ScalingType* scaling_type(ModelConfig& own, const Family& family) {
  std::string type = own.text("rope_type|type").value_or("default");
  if (!own.has("rope_type|type") && own.has("factor")) {
    own.refuse("rope_type", "the scaling of positions has no type", "a factor alone",
               "linear, dynamic, llama3, yarn or longrope");
  }
  const auto is_among = [&type](std::string_view names) {
    const std::vector<std::string> all = split(names, ' ');
    return std::ranges::find(all, type) != all.end();
  };
  if (is_among(family.longrope_names)) type = "longrope";
  const auto* row = std::ranges::find(kScalingTypes, std::string_view(type), &ScalingType::name);
  const bool is_of_family = family.scalings.empty() || is_among(family.scalings);
  if (row != std::end(kScalingTypes) && is_of_family) return row;
  own.refuse("rope_type", "the scaling of positions is not known", "\"" + type + "\"",
             family.scalings.empty() ? "linear, dynamic, llama3, yarn or longrope"
                                     : with_replaced(family.scalings, " ", " or "));
  return nullptr;
}

// Refuses a scaling without a key; null is a factor of YaRN, which is computed then.
void check_keys(ModelConfig& own, const ScalingType& type) {
  own.number("factor", 1e-6);
  for (const std::string& key : split(type.needed, ' ')) {
    const bool may_be_null = type.scaling == RopeScaling::Yarn && own.knows(key);
    if (key.empty() || may_be_null || own.has(key)) continue;
    own.refuse(key, std::string(type.name) + " needs this setting", "none",
               type.scaling == RopeScaling::Longrope ? "a list of numbers" : "a number");
  }
}

// Refuses numbers that documents refuse, by their keys in the settings.
void check_numbers(ModelConfig& own, ModelConfig& config, const Position& position,
                   std::size_t pairs) {
  Findings findings;
  check_scaling(findings, position, "", pairs);
  for (const Error& error : findings.take()) {
    const auto* place = std::ranges::find(kPlaces, std::string_view(error.pointer),
                                          &std::pair<std::string_view, std::string_view>::first);
    if (place == std::end(kPlaces)) continue;
    const std::vector<std::string> keys = split(place->second, '|');
    const std::string& key = own.has(keys.back()) ? keys.back() : keys.front();
    ModelConfig& from = config.has(key) && !own.has(key) ? config : own;
    from.refuse(key, error.message, error.found, error.expected);
  }
}

void read_scaling(ModelConfig& own, ModelConfig& config, const Family& family, Position& position) {
  const ScalingType* const type = scaling_type(own, family);
  if (type == nullptr || type->scaling == RopeScaling::None) {
    if (type != nullptr) check_keys(own, *type);
    return;
  }
  check_keys(own, *type);
  if (own.error()) return;
  position.scaling = type->scaling;
  position.factors = floats(own.numbers("long_factor"));
  position.short_factors = floats(own.numbers("short_factor"));
  const RopeScalingInfo& info = rope_scaling_info(type->scaling);
  if (info.has_original) {
    position.original = trained_length(own, config, family, std::string(type->name));
  }
  position.factor = static_cast<float>(factor_of(own, config, position));
  read_turns(own, position);
  if (type->scaling == RopeScaling::Yarn) {
    position.truncate = own.flag("truncate").value_or(true);
  }
  if (type->scaling == RopeScaling::Yarn || info.has_factors) read_gain(own, position);
}

}  // namespace

Position rotary_of(ModelConfig& config, const Family& family, const Sizes& sizes,
                   std::string_view layers) {
  const bool is_local = layers == "sliding_attention" && config.has(kLocalBase);
  ModelConfig own = rotary_settings(config, family, layers, is_local);
  Position position;
  position.kind = std::ranges::find_if(all_position_kinds(), &PositionKindInfo::turns)->kind;
  position.layout = PositionLayout::Halves;
  position.base = static_cast<float>(base_of(own, config, is_local ? kLocalBase : kBase));
  position.rotary_dim = rotary_columns(own, config, sizes);
  read_scaling(own, config, family, position);
  const std::size_t columns = position.rotary_dim > 0 ? position.rotary_dim : sizes.head_width;
  if (!own.error()) check_numbers(own, config, position, columns / 2);
  config.take(own);
  return position;
}

}  // namespace attn
