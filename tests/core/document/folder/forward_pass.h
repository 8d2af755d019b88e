// A plain forward pass in double of a model in a layout of names and settings.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "tests/core/document/folder/model_folder.h"

namespace attn::test {

using Rows = std::vector<std::vector<double>>;

inline constexpr std::size_t kLayers = 6, kWidth = 8, kHidden = 12, kVocabulary = 11,
                             kPositions = 20;
inline const std::vector<std::size_t> kIds = {3, 7, 4, 7, 5, 9, 2};  // none is padding

// The layout of a family. Names have the number of the layer in place of #; bases of rotation and
// the window are those that the settings below state.
struct FamilyLayout {
  std::string type, settings, prefix;
  std::string table, layer;
  std::vector<std::string> qkv;  // three names, or one
  std::string o, n1, n2;         // norms in front of the parts; behind them in `post`
  std::string up, down, gate, final_norm;
  std::string post1 = "", post2 = "", q_norm = "", k_norm = "";
  std::string positions = "", types = "", table_norm = "";
  std::string head = "", head_bias = "", transform = "", transform_norm = "";  // head: the table
  std::size_t kv_heads = 2, head_width = 4, first_position = 0, rotary = 0;
  double eps = 1e-5, base = 10000, local_base = 0, offset = 0, scale = 1, query_scale = 0,
         softcap = 0, logit_cap = 0;
  std::function<double(double)> activation = {};
  std::function<bool(std::size_t)> is_local = {};  // layers with the window of 3
  std::function<double(double)> frequency = {};    // of scaled positions
  std::size_t unrotated_every = 0;                 // the last of so many layers has no rotation
  bool layer_norm = false, post = false, causal = true, in_out = false, by_heads = false,
       parallel = false, branch = false, fused_gate = false, norms_all = false,
       scales_local = false;
};

inline double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }
inline double gelu_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
inline double silu(double x) { return x / (1 + std::exp(-x)); }

struct Forward {
  const FamilyLayout& of;
  const Arrays& arrays;
  static constexpr std::size_t kHeads = 2;
  std::vector<Rows> weights = {};  // of all heads of all layers
  Rows last = {};

  std::string full(std::string name, std::size_t layer = 0) const {
    if (const auto at = name.find('#'); at != name.npos) name.replace(at, 1, std::to_string(layer));
    return of.prefix + name;
  }
  const Array* find(const std::string& name) const {
    const auto found = arrays.find(name);
    return found == arrays.end() ? nullptr : &found->second;
  }
  // x · W + b for the outputs that `place` names.
  template <class Place>
  Rows mapped(const Rows& x, const std::string& name, std::size_t outputs, Place place) const {
    const Array& w = *find(name + ".weight");
    const Array* b = find(name + ".bias");
    Rows out(x.size(), std::vector<double>(outputs));
    for (std::size_t r = 0; r < x.size(); ++r) {
      for (std::size_t o = 0; o < outputs; ++o) {
        double sum = b == nullptr ? 0.0 : static_cast<double>(b->numbers[place(o)]);
        for (std::size_t i = 0; i < x[r].size(); ++i) {
          const std::size_t at = of.in_out ? i * w.shape[1] + place(o) : place(o) * w.shape[1] + i;
          sum += x[r][i] * static_cast<double>(w.numbers[at]);
        }
        out[r][o] = sum;
      }
    }
    return out;
  }
  Rows mapped(const Rows& x, const std::string& name, std::size_t outputs) const {
    return mapped(x, name, outputs, [](std::size_t o) { return o; });
  }
  std::vector<double> normed(const std::vector<double>& x, const std::string& name, bool rms,
                             std::size_t first = 0) const {
    const Array* weight = find(name + ".weight");
    if (weight == nullptr) return x;
    const Array* bias = find(name + ".bias");
    double mean = 0, square = 0;
    for (const double v : x) mean += rms ? 0 : v / static_cast<double>(x.size());
    for (const double v : x) square += (v - mean) * (v - mean) / static_cast<double>(x.size());
    std::vector<double> out;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double w = static_cast<double>(weight->numbers[first + i]) + of.offset;
      out.push_back((x[i] - mean) / std::sqrt(square + of.eps) * w +
                    (bias == nullptr ? 0 : static_cast<double>(bias->numbers[i])));
    }
    return out;
  }
  Rows normed(Rows x, const std::string& name) const {
    if (name.empty()) return x;
    for (auto& row : x) row = normed(row, name, !of.layer_norm);
    return x;
  }

  Rows embedded() const {
    const Array& table = *find(full(of.table) + ".weight");
    Rows x;
    for (std::size_t r = 0; r < kIds.size(); ++r) {
      std::vector<double>& row = x.emplace_back(kWidth);
      for (std::size_t c = 0; c < kWidth; ++c) {
        row[c] = static_cast<double>(table.numbers[kIds[r] * kWidth + c]) * of.scale;
        if (!of.types.empty())
          row[c] += static_cast<double>(find(full(of.types) + ".weight")->numbers[c]);
        if (of.positions.empty()) continue;
        const std::size_t at = r + of.first_position;
        row[c] +=
            static_cast<double>(find(full(of.positions) + ".weight")->numbers[at * kWidth + c]);
      }
    }
    return of.table_norm.empty() ? x : normed(x, full(of.table_norm));
  }

  void rotate(std::vector<double>& row, std::size_t position, bool local) const {
    if (!of.positions.empty()) return;
    const std::size_t width = of.rotary == 0 ? of.head_width : of.rotary;
    const double base = local && of.local_base > 0 ? of.local_base : of.base;
    for (std::size_t i = 0; i < width / 2; ++i) {
      double step = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
      if (of.frequency && (of.scales_local || !(local && of.local_base > 0)))
        step = of.frequency(step);
      const double angle = step * static_cast<double>(position);
      const double a = row[i], b = row[i + width / 2];
      row[i] = a * std::cos(angle) - b * std::sin(angle);
      row[i + width / 2] = b * std::cos(angle) + a * std::sin(angle);
    }
  }

  // Rows of one head of queries, keys or values (0, 1, 2).
  Rows part(const Rows& x, std::size_t which, std::size_t head, std::size_t layer) const {
    const std::size_t heads = which == 0 ? kHeads : of.kv_heads, w = of.head_width;
    const std::size_t own = head * heads / kHeads;
    const std::size_t before = which == 0   ? 0
                               : which == 1 ? kHeads * w
                                            : (kHeads + of.kv_heads) * w;
    const bool fused = of.qkv.size() == 1;
    const auto place = [&](std::size_t o) {
      if (!fused) return own * w + o;
      return of.by_heads ? own * 3 * w + which * w + o : before + own * w + o;
    };
    Rows out = mapped(x, full(of.layer + of.qkv[fused ? 0 : which], layer), w, place);
    const std::string& norm = which == 0 ? of.q_norm : of.k_norm;
    if (norm.empty() || which == 2) return out;
    if (!of.norms_all) {
      for (auto& row : out) row = normed(row, full(of.layer + norm, layer), true);
      return out;
    }
    const Rows all = mapped(x, full(of.layer + of.qkv[which], layer), heads * w);
    for (std::size_t r = 0; r < out.size(); ++r) {
      const std::vector<double> whole = normed(all[r], full(of.layer + norm, layer), true);
      out[r].assign(whole.begin() + static_cast<std::ptrdiff_t>(own * w),
                    whole.begin() + static_cast<std::ptrdiff_t>((own + 1) * w));
    }
    return out;
  }

  bool sees(std::size_t q, std::size_t k, bool local) const {
    const std::size_t distance = q > k ? q - k : k - q;
    if (of.causal && k > q) return false;
    return !local || distance < (of.causal ? 3U : 2U);
  }

  Rows attention(const Rows& x, std::size_t layer) {
    const bool local = of.is_local && of.is_local(layer);
    Rows concat(x.size());
    for (std::size_t head = 0; head < kHeads; ++head) {
      Rows q = part(x, 0, head, layer), k = part(x, 1, head, layer), v = part(x, 2, head, layer);
      Rows map(x.size(), std::vector<double>(x.size()));
      const bool rotates = of.unrotated_every == 0 || (layer + 1) % of.unrotated_every != 0;
      for (std::size_t r = 0; rotates && r < x.size(); ++r) {
        rotate(q[r], r, local), rotate(k[r], r, local);
      }
      for (std::size_t r = 0; r < x.size(); ++r) {
        double total = 0;
        for (std::size_t c = 0; c < x.size(); ++c) {
          double score = 0;
          for (std::size_t i = 0; i < of.head_width; ++i) score += q[r][i] * k[c][i];
          score /=
              std::sqrt(of.query_scale > 0 ? of.query_scale : static_cast<double>(of.head_width));
          if (of.softcap > 0) score = of.softcap * std::tanh(score / of.softcap);
          map[r][c] = sees(r, c, local) ? std::exp(score) : 0.0;
          total += map[r][c];
        }
        std::vector<double> output(of.head_width);
        for (std::size_t c = 0; c < x.size(); ++c) {
          map[r][c] /= total;
          for (std::size_t i = 0; i < of.head_width; ++i) output[i] += map[r][c] * v[c][i];
        }
        concat[r].insert(concat[r].end(), output.begin(), output.end());
      }
      weights.push_back(map);
    }
    return mapped(concat, full(of.layer + of.o, layer), kWidth);
  }

  Rows network(const Rows& x, std::size_t layer) const {
    const std::string up = full(of.layer + of.up, layer);
    const auto at = [](std::size_t first) { return [first](std::size_t o) { return first + o; }; };
    Rows hidden = mapped(x, up, kHidden, at(of.fused_gate ? kHidden : 0));
    if (of.gate.empty() && !of.fused_gate) {
      for (auto& row : hidden) std::ranges::transform(row, row.begin(), of.activation);
    } else {
      const Rows gate = mapped(x, of.fused_gate ? up : full(of.layer + of.gate, layer), kHidden);
      for (std::size_t r = 0; r < x.size(); ++r) {
        for (std::size_t i = 0; i < kHidden; ++i) hidden[r][i] *= of.activation(gate[r][i]);
      }
    }
    return mapped(hidden, full(of.layer + of.down, layer), kWidth);
  }

  static Rows sum(Rows a, const Rows& b) {
    for (std::size_t r = 0; r < a.size(); ++r) {
      for (std::size_t c = 0; c < a[r].size(); ++c) a[r][c] += b[r][c];
    }
    return a;
  }

  // Logits of all tokens of the vocabulary.
  Rows logits() const {
    Rows x = last;
    if (!of.transform.empty()) {
      x = mapped(x, of.transform, kWidth);
      for (auto& row : x) {
        std::ranges::transform(row, row.begin(), of.activation);
        row = normed(row, of.transform_norm, false);
      }
    }
    const Array& head = *find((of.head.empty() ? full(of.table) : of.head) + ".weight");
    Rows out(x.size(), std::vector<double>(kVocabulary));
    for (std::size_t r = 0; r < x.size(); ++r) {
      for (std::size_t id = 0; id < kVocabulary; ++id) {
        double sum =
            of.head_bias.empty() ? 0.0 : static_cast<double>(find(of.head_bias)->numbers[id]);
        for (std::size_t c = 0; c < kWidth; ++c) {
          sum += x[r][c] * static_cast<double>(head.numbers[id * kWidth + c]);
        }
        out[r][id] = of.logit_cap > 0 ? of.logit_cap * std::tanh(sum / of.logit_cap) : sum;
      }
    }
    return out;
  }

  void run() {
    Rows x = embedded();
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      const auto norm = [&](const Rows& rows, const std::string& name) {
        return name.empty() ? rows : normed(rows, full(of.layer + name, layer));
      };
      if (of.post) {
        x = norm(sum(x, attention(x, layer)), of.n1);
        x = norm(sum(x, network(x, layer)), of.n2);
        continue;
      }
      const Rows attended = sum(x, norm(attention(norm(x, of.n1), layer), of.post1));
      const Rows& read = of.parallel ? x : attended;
      x = sum(attended, norm(network(norm(read, of.n2), layer), of.post2));
    }
    last = of.final_norm.empty() ? x : normed(x, full(of.final_norm));
  }
};

}  // namespace attn::test
