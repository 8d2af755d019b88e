// The generator of random files of arrays. Its layouts, names and masks are those that libraries
// and papers write, with equal chances.
#include "tests/core/document/arrays/random_arrays.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace attn::test {
namespace {

struct Extents {
  std::size_t l = 1, s = 1, h = 1, q = 1, k = 1;
  std::size_t of(char axis) const {
    return axis == 'l' ? l : axis == 's' ? s : axis == 'h' ? h : axis == 'q' ? q : k;
  }
};

struct Maker {
  std::mt19937 random;
  Extents n;
  bool is_cross = false, is_causal = false;
  int padding = 0;                           // 0: none, 1: at the end, 2: at the start
  std::vector<std::vector<bool>> is_padded;  // by sample and key
  RandomFile file;

  explicit Maker(std::uint32_t seed) : random(seed) {}

  std::size_t one_of(std::size_t low, std::size_t high) {
    return low + random() % (high - low + 1);
  }
  bool chance(double share) { return std::generate_canonical<double, 20>(random) < share; }
  template <class T>
  T pick(const std::vector<T>& all) {
    return all[random() % all.size()];
  }

  void add(const std::string& name, const std::string& npy) {
    file.entries.push_back({name + ".npy", npy});
    file.names.push_back(name);
  }

  bool is_hidden(std::size_t s, std::size_t q, std::size_t k) const {
    const bool later = is_causal && k + n.q > q + n.k;
    return later || (!is_padded.empty() && is_padded[s][k]);
  }

  // Weights of one row; 0 where nothing is seen.
  std::vector<float> row(std::size_t s, std::size_t q) {
    std::vector<float> values(n.k);
    float sum = 0.0F;
    for (std::size_t k = 0; k < n.k; ++k) {
      values[k] = is_hidden(s, q, k) ? 0.0F : 0.05F + static_cast<float>(one_of(0, 1000)) / 1000.0F;
      sum += values[k];
    }
    for (float& value : values) value = sum > 0.0F ? value / sum : 0.0F;
    return values;
  }
};

std::string shape_of_axes(const std::string& order, const Extents& n) {
  std::string shape;
  for (const char axis : order) shape += std::to_string(n.of(axis)) + ", ";
  return "(" + shape + ")";
}

// The numbers of weights with axes in the order, of one layer if it has none of layers.
std::vector<float> weights_in(Maker& maker, const std::string& order) {
  const Extents& n = maker.n;
  std::map<char, std::size_t> strides;
  std::size_t step = 1;
  for (std::size_t i = order.size(); i-- > 0; step *= n.of(order[i])) strides[order[i]] = step;
  std::vector<float> numbers(step);
  const auto count = [&](char axis) { return strides.contains(axis) ? n.of(axis) : 1; };
  for (std::size_t l = 0; l < count('l'); ++l) {
    for (std::size_t s = 0; s < count('s'); ++s) {
      for (std::size_t h = 0; h < count('h'); ++h) {
        for (std::size_t q = 0; q < count('q'); ++q) {
          const std::vector<float> row = maker.row(s, q);
          for (std::size_t k = 0; k < n.k; ++k) {
            numbers[l * strides['l'] + s * strides['s'] + h * strides['h'] + q * strides['q'] +
                    k * strides['k']] = row[k];
          }
        }
      }
    }
  }
  return numbers;
}

// Extents of axes that an order lacks are 1.
void settle(Maker& maker, const std::string& order, bool is_stack) {
  Extents& n = maker.n;
  n.l = is_stack ? maker.one_of(2, 12) : order.find('l') != order.npos ? maker.one_of(2, 6) : 1;
  const bool has_samples = order.find('s') != order.npos;
  n.s = !has_samples ? 1 : maker.chance(0.4) ? 1 : maker.one_of(2, 4);
  n.h = order.find('h') != order.npos ? maker.one_of(2, 12) : 1;
  n.q = maker.one_of(3, 14);
  n.k = maker.is_cross ? maker.one_of(3, 14) : n.q;
  maker.is_cross = n.q != n.k;
  maker.is_causal = !maker.is_cross && maker.chance(0.4);
  maker.padding = maker.chance(n.s > 1 ? 0.6 : 0.2) ? static_cast<int>(maker.one_of(1, 2)) : 0;
  if (maker.padding == 0) return;
  const std::size_t whole = n.s > 1 ? maker.one_of(0, n.s - 1) : n.s;
  for (std::size_t s = 0; s < n.s; ++s) {
    std::vector<bool> padded(n.k, false);
    const std::size_t count = s == whole ? 0 : maker.one_of(1, n.k / 2);
    for (std::size_t i = 0; i < count; ++i) padded[maker.padding == 1 ? n.k - 1 - i : i] = true;
    maker.is_padded.push_back(padded);
  }
}

// "layer3 head4 query5 key5", with `last` for the last two axes.
std::string axes_text(const Maker& maker, const std::string& order, bool is_stack,
                      bool is_weights) {
  std::string text;
  const std::map<char, std::string> names = {{'l', "layer"},
                                             {'s', "sample"},
                                             {'h', "head"},
                                             {'q', is_weights ? "query" : "token"},
                                             {'k', is_weights ? "key" : "feature"}};
  for (const char axis : (is_stack ? "l" : "") + order) {
    const std::size_t extent = maker.n.of(axis);
    if (extent > 1) text += names.at(axis) + std::to_string(extent) + " ";
  }
  return text;
}

std::string replaced(std::string form, std::size_t number, bool has_two_digits) {
  std::string digits = std::to_string(number);
  if (has_two_digits && digits.size() < 2) digits.insert(0, "0");
  return form.replace(form.find('#'), 1, digits);
}

const std::vector<std::string> kForms = {"layer#_attn",
                                         "layers.#.attn",
                                         "attn_#",
                                         "attention_#",
                                         "blocks.#.attn.hook_pattern",
                                         "encoder.layer.#.attention",
                                         "h#.attn",
                                         "arr_#",
                                         "x_#",
                                         "block#/attn_weights",
                                         "transformer/h_#/attn/weights:0",
                                         "stage2.layers.#.att",
                                         "LayerAttn#",
                                         "model.layers.#.self_attn_weights"};

void add_weights(Maker& maker) {
  const bool is_stack = maker.chance(0.35);
  // Layouts that many write stand several times.
  const std::vector<std::string> single = {
      "qk",   "qk",   "hqk",  "hqk",   "hqk",   "hqk",   "sqk",   "sqk",   "lqk",
      "qhk",  "lhqk", "lhqk", "lhqk",  "shqk",  "shqk",  "shqk",  "shqk",  "hsqk",
      "sqhk", "lsqk", "slqk", "lshqk", "lshqk", "lshqk", "slhqk", "lhsqk", "lsqhk"};
  const std::vector<std::string> stacked = {"hqk", "hqk", "shqk", "shqk", "sqk", "qk"};
  const std::string order = maker.pick(is_stack ? stacked : single);
  maker.is_cross = maker.chance(0.25);
  settle(maker, order, is_stack);
  if (order.find('h') == order.npos && order.find('s') == order.npos && maker.n.q == 1) return;
  RandomFile& file = maker.file;
  file.axes = axes_text(maker, order, is_stack, true);
  file.is_stack = is_stack;
  file.layers = maker.n.l;
  const std::string shape = shape_of_axes(order, maker.n);
  if (!is_stack) {
    const bool is_library = order.starts_with("s") && order.back() == 'k';
    const std::vector<std::string> names = {"attention", "attn", "weights", "att", "alignment"};
    std::string name = maker.pick(names);
    if (is_library && maker.chance(0.5)) name = "attn_output_weights";
    if (order.starts_with("l") && maker.chance(0.4)) name = "attentions";
    maker.add(name, float_npy(shape, weights_in(maker, order)));
    file.numbers = {name};
    return;
  }
  const std::string form = maker.pick(kForms);
  const bool has_two_digits = maker.chance(0.2);
  const std::size_t first = maker.chance(0.2) ? maker.one_of(1, 9) : 0;
  for (std::size_t l = 0; l < maker.n.l; ++l) {
    const std::string name = replaced(form, first + l, has_two_digits);
    maker.add(name, float_npy(shape, weights_in(maker, order)));
    file.numbers.push_back(name);
  }
}

void add_rows(Maker& maker) {
  const bool is_stack = maker.chance(0.3);
  const std::vector<std::string> single = {"qk",   "hqk",  "qhk",  "sqk",
                                           "shqk", "sqhk", "lhqk", "lqhk"};
  const std::vector<std::string> stacked = {"hqk", "qhk", "shqk", "sqhk"};
  const std::string order = maker.pick(is_stack ? stacked : single);
  maker.is_cross = maker.chance(0.25);
  settle(maker, order, is_stack);
  const std::size_t n_q = maker.n.q, n_k = maker.n.k, width = maker.one_of(2, 6);
  const std::size_t shared = maker.n.h % 2 == 0 && maker.chance(0.2) ? 2 : 1;
  RandomFile& file = maker.file;
  file.is_stack = is_stack;
  file.layers = maker.n.l;
  const bool is_behind = order.find("qh") != order.npos;
  std::vector<std::string> names = {"q", "k", "v"};
  if (is_behind && maker.chance(0.4)) names = {"hook_q", "hook_k", "hook_v"};
  if (!is_behind && order.find('h') != order.npos && maker.chance(0.3)) {
    names = {"query_states", "key_states", "value_states"};
  }
  maker.n.k = width;
  file.axes = axes_text(maker, order, is_stack, false);
  for (std::size_t i = 0; i < (maker.chance(0.7) ? 3 : 2); ++i) {
    Extents of = maker.n;
    of.q = i == 0 ? n_q : n_k;
    if (i > 0) of.h /= shared;
    std::size_t count = 1;
    for (const char axis : order) count *= of.of(axis);
    for (std::size_t l = 0; l < (is_stack ? maker.n.l : 1); ++l) {
      std::vector<float> numbers(count);
      for (float& number : numbers)
        number = static_cast<float>(maker.one_of(0, 2000)) / 500.0F - 2.0F;
      const std::string name = is_stack ? "layers." + std::to_string(l) + "." + names[i] : names[i];
      maker.add(name, float_npy(shape_of_axes(order, of), numbers));
      if (i == 0) file.numbers.push_back(name);
    }
  }
  maker.n.k = n_k;
}

// --- masks

std::string flags_npy(Maker& maker, const std::string& shape, const std::vector<bool>& flags) {
  const std::size_t type = maker.one_of(0, 5);
  if (type == 4) return float_npy(shape, {flags.begin(), flags.end()});
  if (type == 5) {
    return npy("<i8", shape, bytes_of(std::vector<std::int64_t>(flags.begin(), flags.end())));
  }
  return npy("|b1", shape, std::string(flags.begin(), flags.end()));
}

void add_padding_mask(Maker& maker) {
  const Extents& n = maker.n;
  struct Name {
    const char* name;
    int hides;  // -1: either
  };
  const Name name = maker.pick(std::vector<Name>{{"key_padding_mask", 1},
                                                 {"src_key_padding_mask", 1},
                                                 {"encoder_padding_mask", 1},
                                                 {"attention_mask", 0},
                                                 {"input_mask", 0},
                                                 {"padding_mask", -1},
                                                 {"mask", -1}});
  const bool hides = name.hides < 0 ? maker.chance(0.5) : name.hides == 1;
  std::vector<bool> flags;
  for (std::size_t s = 0; s < n.s; ++s) {
    for (std::size_t k = 0; k < n.k; ++k) flags.push_back(maker.is_padded[s][k] == hides);
  }
  maker.add(name.name,
            flags_npy(maker, "(" + std::to_string(n.s) + ", " + std::to_string(n.k) + ")", flags));
  maker.file.masks.push_back({name.name, hides});
}

void add_square_mask(Maker& maker) {
  const Extents& n = maker.n;
  const bool hides = maker.chance(0.5);
  const std::string name = maker.pick(std::vector<std::string>{"attn_mask", "causal_mask", "mask"});
  const std::size_t band = maker.chance(0.3) && n.q > 4 ? maker.one_of(1, 2) : n.q;
  std::vector<bool> flags;
  for (std::size_t q = 0; q < n.q; ++q) {
    for (std::size_t k = 0; k < n.k; ++k) flags.push_back((k > q || k + band < q) == hides);
  }
  maker.add(name,
            flags_npy(maker, "(" + std::to_string(n.q) + ", " + std::to_string(n.k) + ")", flags));
  maker.file.masks.push_back({name, hides});
}

// --- other arrays of the file

void add_tokens(Maker& maker) {
  const Extents& n = maker.n;
  const std::size_t kind = maker.one_of(0, 3);
  if (maker.is_cross || kind > 1) return;
  const bool has_rows = n.s > 1 || maker.chance(0.3);
  const std::string shape = has_rows ? "(" + std::to_string(n.s) + ", " + std::to_string(n.k) + ")"
                                     : "(" + std::to_string(n.k) + ",)";
  std::vector<std::int64_t> ids;
  std::string text;
  for (std::size_t i = 0; i < n.s * n.k; ++i) {
    const std::size_t s = i / n.k, k = i % n.k;
    const bool pads = !maker.is_padded.empty() && maker.is_padded[s][k];
    ids.push_back(pads ? 0 : static_cast<std::int64_t>(maker.one_of(100, 30000)));
    std::u32string word =
        pads ? U"[PAD]"
             : U"word" + std::u32string(1, static_cast<char32_t>(U'a' + ids.back() % 26));
    word.resize(5, U'\0');
    text.append(reinterpret_cast<const char*>(word.data()), 20);
  }
  if (kind == 0) maker.add("input_ids", npy("<i8", shape, bytes_of(ids)));
  if (kind == 1) maker.add("tokens", npy("<U5", shape, text));
}

void add_others(Maker& maker) {
  const std::size_t n = maker.n.k, s = maker.n.s;
  const std::string rows = "(" + std::to_string(s) + ", " + std::to_string(n) + ")";
  const std::vector<float> numbers(s * n, 0.75F);
  std::vector<std::int64_t> flags(s * n, 0);
  flags.front() = flags.back() = 1;
  std::vector<std::pair<std::string, std::string>> all = {
      {"loss", float_npy("()", {1.5F})},
      {"logits", float_npy(rows, numbers)},
      {"hidden_states", float_npy(rows, numbers)},
      {"special_tokens_mask", npy("<i8", rows, bytes_of(flags))},
      {"token_type_ids", npy("<i8", rows, bytes_of(flags))},
      {"position_ids", npy("<i8", rows, bytes_of(flags))},
      {"labels", npy("<i8", rows, bytes_of(flags))},
      {"loss_mask", npy("<i8", rows, bytes_of(flags))},
      {"embeddings", float_npy(rows, numbers)},
      {"encoder.layer.0.output.dense.weight", float_npy(rows, numbers)},
      {"h.0.attn.c_attn.bias",
       float_npy("(" + std::to_string(n) + ",)", std::vector<float>(n, 0.1F))},
      {"lengths",
       npy("<i8", "(" + std::to_string(s) + ",)", bytes_of(std::vector<std::int64_t>(s, 5)))},
      {"sentence", npy("<U1", "(1,)", std::string("x\0\0\0", 4))}};
  std::ranges::shuffle(all, maker.random);
  for (std::size_t i = maker.one_of(0, 10); i > 0; --i) maker.add(all[i].first, all[i].second);
}

}  // namespace

RandomFile random_file(std::uint32_t seed) {
  Maker maker(seed);
  maker.chance(0.7) ? add_weights(maker) : add_rows(maker);
  if (!maker.is_padded.empty() && maker.chance(0.7)) add_padding_mask(maker);
  if (maker.is_causal && maker.chance(0.5) && maker.file.masks.empty()) add_square_mask(maker);
  add_tokens(maker);
  add_others(maker);
  std::vector<std::size_t> order(maker.file.names.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, maker.random);
  RandomFile file = maker.file;
  for (std::size_t i = 0; i < order.size(); ++i) {
    file.entries[i] = maker.file.entries[order[i]];
    file.names[i] = maker.file.names[order[i]];
  }
  file.summary = "file " + std::to_string(seed) + ": " + file.axes;
  return file;
}

RandomFile with_masks_turned(const RandomFile& file) {
  RandomFile turned = file;
  for (const KnownMask& mask : file.masks) {
    for (ZipEntry& entry : turned.entries) {
      if (entry.name != mask.name + ".npy") continue;
      const bool is_bool = entry.bytes.find("|b1") != entry.bytes.npos;
      const bool is_float = entry.bytes.find("<f4") != entry.bytes.npos;
      const std::size_t begin = entry.bytes.find('\n') + 1, size = is_bool ? 1 : is_float ? 4 : 8;
      for (std::size_t at = begin; at < entry.bytes.size(); at += size) {
        const std::string one = is_bool    ? std::string(1, '\1')
                                : is_float ? bytes_of(std::vector<float>{1.0F})
                                           : bytes_of(std::vector<std::int64_t>{1});
        const bool was = entry.bytes.compare(at, size, one) == 0;
        entry.bytes.replace(at, size, was ? std::string(size, '\0') : one);
      }
    }
  }
  for (KnownMask& mask : turned.masks) mask.true_hides = !mask.true_hides;
  return turned;
}

}  // namespace attn::test
