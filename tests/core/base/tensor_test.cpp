// Tensors as values: small, sharing numbers, with the file of their origin.
#include "base/tensor.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

// Problems, documents and their copies have dozens of tensors, most of them absent.
TEST(Tensor, IsAShapeAndOnePointer) {
  EXPECT_EQ(sizeof(Tensor), sizeof(Shape) + sizeof(std::shared_ptr<const float>));
}

TEST(Tensor, AnAbsentOneHasNothing) {
  const Tensor absent;
  EXPECT_TRUE(absent.empty());
  EXPECT_EQ(absent.data(), nullptr);
  EXPECT_TRUE(absent.values().empty());
  EXPECT_EQ(absent.origin(), nullptr);
  EXPECT_EQ(absent, Tensor());
}

TEST(Tensor, SharesItsNumbersWithCopiesOfOtherShapesAndOrigins) {
  const Tensor tensor({2, 2}, {1, 2, 3, 4});
  const Tensor flat = tensor.reshaped({4});
  EXPECT_TRUE(flat.shares_with(tensor));
  EXPECT_NE(flat, tensor);
  auto origin = std::make_shared<TensorOrigin>();
  origin->shape = {2, 2};
  const Tensor known = tensor.with_origin(origin);
  EXPECT_TRUE(known.shares_with(tensor));
  EXPECT_EQ(known, tensor);
  EXPECT_EQ(known.origin(), origin.get());
  EXPECT_EQ(known.reshaped({4}).origin(), nullptr) << "the file has another shape";
  EXPECT_EQ(known.with(0, 5.0F).origin(), nullptr) << "the file has other numbers";
  EXPECT_FALSE(known.with(0, 5.0F).shares_with(known));
}

TEST(Tensor, KeepsTheOwnerOfBorrowedNumbersAlive) {
  auto owner = std::make_shared<std::vector<float>>(3, 2.0F);
  const std::weak_ptr<std::vector<float>> watched = owner;
  Tensor tensor({3}, owner->data(), owner);
  owner.reset();
  tensor = tensor.with_origin(std::make_shared<TensorOrigin>());
  ASSERT_FALSE(watched.expired());
  EXPECT_EQ(tensor[2], 2.0F);
  tensor = {};
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace attn
