// Our matrix product, which sums in double and rounds once, compared with Eigen's in float and in
// double.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <vector>

#include "base/random.h"
#include "engine/kernels/matmul.h"

namespace attn {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t kDepth = 64;  // columns of one head

std::vector<float> random_rows(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(rows * kDepth);
  for (float& value : values) value = random.normal();
  return values;
}

// Scores of one head: (n, 64) times the transpose of (n, 64).
struct Operands {
  explicit Operands(std::size_t size)
      : n(size), q(random_rows(n, 1)), k(random_rows(n, 2)), scores(n * n) {}
  Eigen::Map<const RowMajor> map(const std::vector<float>& rows) const {
    return {rows.data(), static_cast<Eigen::Index>(n), kDepth};
  }
  Eigen::Map<RowMajor> out() {
    return {scores.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)};
  }
  std::size_t n;
  std::vector<float> q, k, scores;
};

template <class Multiply>
void measure(benchmark::State& state, Multiply multiply) {
  Operands operands(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    multiply(operands);
    benchmark::DoNotOptimize(operands.scores.data());
    benchmark::ClobberMemory();
  }
}

void scores_ours(benchmark::State& state) {
  measure(state, [](Operands& o) {
    multiply_by_transposed({o.q.data(), o.n, kDepth, kDepth}, {o.k.data(), o.n, kDepth, kDepth},
                           {o.scores.data(), o.n, o.n, o.n});
  });
}

void scores_eigen_float(benchmark::State& state) {
  measure(state, [](Operands& o) { o.out().noalias() = o.map(o.q) * o.map(o.k).transpose(); });
}

void scores_eigen_double(benchmark::State& state) {
  measure(state, [](Operands& o) {
    const Eigen::MatrixXd product =
        o.map(o.q).cast<double>() * o.map(o.k).cast<double>().transpose();
    o.out() = product.cast<float>();
  });
}

BENCHMARK(scores_ours)->Arg(128)->Arg(512);
BENCHMARK(scores_eigen_float)->Arg(128)->Arg(512);
BENCHMARK(scores_eigen_double)->Arg(128)->Arg(512);

}  // namespace
}  // namespace attn
