#include "import/tflite_order.h"

#include <algorithm>
#include <numeric>

#include "import/tflite_ops.h"

namespace hwest {
namespace {

constexpr int kLeastRank = 3;  // that has two orders
constexpr int kKeepsAxes = 0;  // slot of ReducerOptions

bool IsKnownOne(int64_t dim) { return dim == 1; }

// Sets of tensors whose order must agree, with what each order is asked for.
class Sets {
 public:
  explicit Sets(size_t tensors) : parent_(tensors), images_(tensors), others_(tensors) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }

  size_t Find(size_t at) {
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void Join(int64_t a, int64_t b) {
    const size_t root = Find(static_cast<size_t>(a)), other = Find(static_cast<size_t>(b));
    if (root == other) return;
    parent_[other] = root;
    images_[root] += images_[other];
    others_[root] += others_[other];
  }
  void AskFirst(int64_t tensor) { ++images_[Find(static_cast<size_t>(tensor))]; }
  void AskStored(int64_t tensor) { ++others_[Find(static_cast<size_t>(tensor))]; }
  Order OrderOf(size_t tensor) {
    const size_t root = Find(tensor);
    return images_[root] > 0 && images_[root] >= others_[root] ? Order::kFirst : Order::kStored;
  }

 private:
  std::vector<size_t> parent_;
  std::vector<int64_t> images_, others_;
};

class Orders {
 public:
  Orders(const TfliteFile& file, const std::vector<bool>& is_constant, FlatBuffer& flat)
      : file_(file), is_constant_(is_constant), flat_(flat), sets_(file.tensors.size()) {}

  std::vector<Order> Run() {
    for (const TfliteOperator& op : file_.operators) Visit(op);
    std::vector<Order> orders(file_.tensors.size(), Order::kStored);
    for (size_t i = 0; i < orders.size(); ++i) {
      if (file_.tensors[i].rank() >= kLeastRank && !is_constant_[i] && !file_.tensors[i].is_complex)
        orders[i] = sets_.OrderOf(i);
    }
    return orders;
  }

 private:
  const TfliteTensor& tensor(int64_t number) const { return file_.tensors[static_cast<size_t>(number)]; }
  bool HasOrders(int64_t number) const {
    return number >= 0 && !is_constant_[static_cast<size_t>(number)] && tensor(number).rank() >= kLeastRank &&
           !tensor(number).is_complex;
  }

  template <class Act>
  void ForEach(const TfliteOperator& op, const Act& act) {
    for (const auto* numbers : {&op.inputs, &op.outputs}) {
      for (const int64_t number : *numbers) {
        if (HasOrders(number)) act(number);
      }
    }
  }

  void AskStored(const TfliteOperator& op) {
    ForEach(op, [&](int64_t number) {
      if (!IsSameRow(tensor(number))) sets_.AskStored(number);
    });
  }

  void JoinAll(const TfliteOperator& op, int rank) {
    int64_t first = -1;
    ForEach(op, [&](int64_t number) {
      if (tensor(number).rank() != rank) return;
      if (first >= 0) sets_.Join(first, number);
      first = number;
    });
  }

  void Visit(const TfliteOperator& op) {
    const TfliteOp* const row = FindTfliteOp(op.code);
    if (op.outputs.empty() || op.outputs[0] < 0) return;
    const int64_t in = op.inputs.empty() ? -1 : op.inputs[0], out = op.outputs[0];
    const AxisUse use = row == nullptr || row->emit == nullptr ? AxisUse::kStored : row->axes;
    const auto data = static_cast<size_t>(row == nullptr ? 0 : row->data);
    switch (use) {
      case AxisUse::kAny: return;
      case AxisUse::kImage:
        if (data < op.inputs.size() && HasOrders(op.inputs[data])) sets_.AskFirst(op.inputs[data]);
        if (HasOrders(out)) sets_.AskFirst(out);
        return;
      case AxisUse::kAlike: return JoinAll(op, tensor(out).rank());
      case AxisUse::kReduce:
        if (flat_.Bool(op.options, kKeepsAxes)) JoinAll(op, tensor(out).rank());
        return;
      case AxisUse::kView:
        if (HasOrders(in) && HasOrders(out) && DiffersByUnitAxes(tensor(in), tensor(out))) return sets_.Join(in, out);
        return AskStored(op);
      case AxisUse::kDense:
        if (HasOrders(in) && HasOrders(out) && tensor(in).rank() == tensor(out).rank()) return sets_.Join(in, out);
        return AskStored(op);
      case AxisUse::kStored: return AskStored(op);
    }
  }

  const TfliteFile& file_;
  const std::vector<bool>& is_constant_;
  FlatBuffer& flat_;
  Sets sets_;
};

}  // namespace

std::vector<int64_t> PermOf(Order order, int rank) {
  std::vector<int64_t> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), int64_t{0});
  if (order == Order::kFirst && rank >= kLeastRank) std::rotate(perm.begin() + 1, perm.end() - 1, perm.end());
  return perm;
}

bool IsIdentity(const std::vector<int64_t>& perm) { return std::is_sorted(perm.begin(), perm.end()); }

int64_t PlaceOf(const std::vector<int64_t>& perm, int64_t axis) {
  return std::find(perm.begin(), perm.end(), axis) - perm.begin();
}

int64_t AxisFromStart(int64_t axis, int rank) {
  if (axis < 0) axis += rank;
  return axis >= 0 && axis < rank ? axis : -1;
}

int64_t AxisIn(Order order, int rank, int64_t axis) {
  axis = AxisFromStart(axis, rank);
  if (order == Order::kStored || rank < kLeastRank || axis <= 0) return axis;
  return axis == rank - 1 ? 1 : axis + 1;
}

std::vector<int64_t> InOrderOf(Order order, const std::vector<int64_t>& by_axis) {
  std::vector<int64_t> ordered;
  for (const int64_t axis : PermOf(order, static_cast<int>(by_axis.size()))) {
    ordered.push_back(by_axis[static_cast<size_t>(axis)]);
  }
  return ordered;
}

bool IsSameRow(const TfliteTensor& tensor) {
  if (tensor.rank() < kLeastRank || tensor.dims.back() == 1) return true;
  return std::all_of(tensor.dims.begin() + 1, tensor.dims.end() - 1, IsKnownOne);
}

bool DiffersByUnitAxes(const TfliteTensor& a, const TfliteTensor& b) {
  if (a.rank() < kLeastRank || b.rank() < kLeastRank) return false;
  if (a.dims.front() != b.dims.front() || a.dims.back() != b.dims.back()) return false;
  const auto between = [](const TfliteTensor& tensor) {
    std::vector<int64_t> dims(tensor.dims.begin() + 1, tensor.dims.end() - 1);
    std::erase_if(dims, IsKnownOne);
    return dims;
  };
  return between(a) == between(b);
}

std::vector<Order> OrdersOf(const TfliteFile& file, const std::vector<bool>& is_constant, FlatBuffer& flat) {
  return Orders(file, is_constant, flat).Run();
}

}  // namespace hwest
