#include "import/tflite_file.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/checked_math.h"

namespace hwest {
namespace {

// Slots of the tables of TensorFlow Lite's schema, version 3.
namespace model {
enum { kOperatorCodes = 1, kSubgraphs = 2, kDescription = 3, kBuffers = 4 };
}
namespace operator_code {
enum { kShortCode = 0, kCustomCode = 1, kCode = 3 };
}
namespace subgraph {
enum { kTensors = 0, kInputs = 1, kOutputs = 2, kOperators = 3, kName = 4 };
}
namespace tensor {
enum { kShape, kType, kBuffer, kName, kQuantization, kIsVariable, kSparsity, kShapeSignature, kHasRank };
}
namespace quantization {
enum { kScale = 2, kZeroPoint = 3, kAxis = 6 };
}
namespace buffer {
enum { kData = 0, kOffset = 1, kSize = 2 };
}
namespace operation {
enum { kCode = 0, kInputs = 1, kOutputs = 2, kOptions = 4, kOptions2 = 12 };
}

}  // namespace

class TfliteFileReader::Parts {
 public:
  Parts(ReadContext& context, FlatBuffer& flat, const TfliteNames& taken)
      : context_(context), flat_(flat), taken_(taken) {
    const FlatTable root = flat_.Root();
    ReadCodes(flat_.Vector(root, model::kOperatorCodes, 4));
    ReadBuffers(flat_.Vector(root, model::kBuffers, 4));
    graphs_ = flat_.Vector(root, model::kSubgraphs, 4);
    description_ = std::string(flat_.Text(root, model::kDescription));
    if (graphs_.count == 0 && flat_.ok()) context_.in().Corrupt("malformed: it holds no graph");
  }
  int64_t num_graphs() const { return graphs_.count; }

  TfliteFile Read(int64_t index) {
    file_ = TfliteFile();
    file_.name = kEmptyText;
    if (!flat_.ok()) return std::move(file_);
    file_.description = description_;
    const FlatTable graph = flat_.TableAt(graphs_, index);
    file_.name = context_.model().strings.Intern(flat_.Text(graph, subgraph::kName));
    ReadTensors(flat_.Vector(graph, subgraph::kTensors, 4));
    file_.inputs = Tensors(graph, subgraph::kInputs, 0);
    file_.outputs = Tensors(graph, subgraph::kOutputs, 0);
    ReadOperators(flat_.Vector(graph, subgraph::kOperators, 4));
    if (flat_.ok() && index == 0) SettleVariables(flat_, &file_);
    return std::move(file_);
  }

 private:
  struct OperatorCode {
    int64_t number = 0;
    StrId custom;
  };

  // Files older than the long code have the short one alone; others hold the larger of the two.
  void ReadCodes(const FlatVector& codes) {
    for (int64_t i = 0; i < codes.count && flat_.ok(); ++i) {
      const FlatTable code = flat_.TableAt(codes, i);
      codes_.push_back({.number = std::max(flat_.Signed(code, operator_code::kShortCode, 1),
                                           flat_.Signed(code, operator_code::kCode, 4)),
                        .custom = context_.model().strings.Intern(flat_.Text(code, operator_code::kCustomCode))});
    }
  }

  // Contents stand in the buffer, or behind the tables in files of more than 2 GB.
  void ReadBuffers(const FlatVector& buffers) {
    for (int64_t i = 0; i < buffers.count && flat_.ok(); ++i) {
      const FlatTable table = flat_.TableAt(buffers, i);
      const FlatVector data = flat_.Vector(table, buffer::kData, 1);
      Span span{data.begin, data.begin + data.count};
      const int64_t offset = flat_.Unsigned(table, buffer::kOffset, 8);
      const int64_t size = flat_.Unsigned(table, buffer::kSize, 8);
      if (data.count == 0 && offset > 1) {
        if (offset > context_.in().size() || size > context_.in().size() - offset) {
          context_.in().Corrupt(absl::StrCat("truncated: a buffer of ", size, " bytes at byte ", offset));
          return;
        }
        span = {offset, offset + size};
      }
      if (span.length() > 0) context_.in().SkipPayload();
      buffers_.push_back(span);
    }
  }

  void ReadQuantization(const FlatTable& table, TfliteQuantization* into) {
    into->scales = flat_.Vector(table, quantization::kScale, 4);
    into->zero_points = flat_.Vector(table, quantization::kZeroPoint, 8);
    into->axis = static_cast<int>(flat_.Signed(table, quantization::kAxis, 4));
    if (into->scales.count > 0) into->first_scale = FloatOfBits(flat_.BitsAt(into->scales.begin, 4));
    if (into->zero_points.count > 0) {
      into->first_zero_point = static_cast<int64_t>(flat_.BitsAt(into->zero_points.begin, 8));
    }
  }

  void ReadShape(const FlatTable& table, TfliteTensor* into) {
    const FlatVector shape = flat_.Vector(table, tensor::kShape, 4);
    const FlatVector signature = flat_.Vector(table, tensor::kShapeSignature, 4);
    const FlatVector dims = signature.count > 0 ? signature : shape;
    if (!context_.CheckRank(static_cast<size_t>(dims.count))) return;
    into->dims = flat_.Ints(dims, 4);
    for (int64_t& dim : into->dims) dim = std::max<int64_t>(dim, -1);
    into->ranked = !into->dims.empty() || flat_.Bool(table, tensor::kHasRank);
  }

  StrId NameOf(absl::string_view text, int64_t index) {
    StringTable& strings = context_.model().strings;
    StrId name = strings.Intern(text);
    for (std::string other(text); name == kEmptyText || taken_.values.contains(name) || !names_.insert(name).second;) {
      absl::StrAppend(&other, other.empty() ? "tensor_" : "_", index);
      name = strings.Intern(other);
    }
    return name;
  }

  void ReadTensors(const FlatVector& tensors) {
    for (int64_t i = 0; i < tensors.count && flat_.ok(); ++i) {
      const FlatTable table = flat_.TableAt(tensors, i);
      TfliteTensor& into = file_.tensors.emplace_back();
      into.name = NameOf(flat_.Text(table, tensor::kName), i);
      into.elem = ElemTypeOfTflite(flat_.Signed(table, tensor::kType, 1));
      into.is_variable = flat_.Bool(table, tensor::kIsVariable);
      into.is_sparse = flat_.Table(table, tensor::kSparsity).present();
      ReadShape(table, &into);
      if (into.elem == ElemType::kComplex64 && into.ranked) {
        into.elem = ElemType::kFloat;
        into.is_complex = true;
        into.dims.push_back(2);
      }
      ReadQuantization(flat_.Table(table, tensor::kQuantization), &into.quantization);
      const int64_t number = flat_.Unsigned(table, tensor::kBuffer, 4);
      if (number < static_cast<int64_t>(buffers_.size())) {
        into.data = buffers_[static_cast<size_t>(number)];
        into.ranked = into.ranked || into.data.length() > 0;
      } else if (flat_.ok()) {
        context_.in().Corrupt(absl::StrCat("malformed: a tensor in buffer ", number, " of ", buffers_.size()));
      }
    }
  }

  std::vector<int64_t> Tensors(const FlatTable& of, int slot, int64_t least) {
    std::vector<int64_t> numbers = flat_.Ints(flat_.Vector(of, slot, 4), 4);
    for (const int64_t number : numbers) {
      if (number >= least && number < static_cast<int64_t>(file_.tensors.size())) continue;
      context_.in().Corrupt(absl::StrCat("malformed: tensor ", number, " of ", file_.tensors.size()));
      return {};
    }
    return numbers;
  }

  void ReadOperators(const FlatVector& operators) {
    for (int64_t i = 0; i < operators.count && flat_.ok(); ++i) {
      const FlatTable table = flat_.TableAt(operators, i);
      TfliteOperator& into = file_.operators.emplace_back();
      const int64_t code = flat_.Unsigned(table, operation::kCode, 4);
      into.inputs = Tensors(table, operation::kInputs, -1);
      into.outputs = Tensors(table, operation::kOutputs, -1);
      into.options = flat_.Table(table, operation::kOptions);
      if (!into.options.present()) into.options = flat_.Table(table, operation::kOptions2);
      if (!flat_.ok()) return;
      if (code >= static_cast<int64_t>(codes_.size())) {
        context_.in().Corrupt(absl::StrCat("malformed: operator code ", code, " of ", codes_.size()));
        return;
      }
      into.code = codes_[static_cast<size_t>(code)].number;
      into.custom_name = codes_[static_cast<size_t>(code)].custom;
    }
  }

  ReadContext& context_;
  FlatBuffer& flat_;
  const TfliteNames& taken_;
  FlatVector graphs_;
  std::string description_;
  TfliteFile file_;
  std::vector<OperatorCode> codes_;
  std::vector<Span> buffers_;
  absl::flat_hash_set<StrId> names_;
};

int64_t ElementsOf(const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) {
    const std::optional<int64_t> next = dim < 0 ? std::nullopt : CheckedMul(product, dim);
    if (!next.has_value()) return -1;
    product = *next;
  }
  return product;
}

ElemType ElemTypeOfTflite(int64_t type) {
  static constexpr ElemType kTypes[] = {
      ElemType::kFloat,  ElemType::kFloat16,    ElemType::kInt32,  ElemType::kUint8,     ElemType::kInt64,
      ElemType::kString, ElemType::kBool,       ElemType::kInt16,  ElemType::kComplex64, ElemType::kInt8,
      ElemType::kDouble, ElemType::kComplex128, ElemType::kUint64, ElemType::kUndefined, ElemType::kUndefined,
      ElemType::kUint32, ElemType::kUint16,     ElemType::kInt4,   ElemType::kBfloat16,  ElemType::kInt2,
      ElemType::kUint4};
  const bool is_known = type >= 0 && type < static_cast<int64_t>(std::size(kTypes));
  return is_known ? kTypes[type] : ElemType::kUndefined;
}

TfliteFileReader::TfliteFileReader(ReadContext& context, FlatBuffer& flat, const TfliteNames& taken)
    : parts_(std::make_unique<Parts>(context, flat, taken)) {}
TfliteFileReader::~TfliteFileReader() = default;
int64_t TfliteFileReader::num_graphs() const { return parts_->num_graphs(); }
TfliteFile TfliteFileReader::Read(int64_t graph) { return parts_->Read(graph); }

}  // namespace hwest
