#include "import/node_reader.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "import/source_line.h"
#include "import/tensor_reader.h"
#include "import/type_reader.h"

namespace hwest {
namespace {

constexpr int kLastAttrKind = static_cast<int>(AttrKind::kTypes);

// Members of an attribute that may be replaced or merged until its last field is read.
struct AttributeParts {
  uint32_t present = 0;  // bit k = a member of AttrKind k was there
  int32_t type = 0;
  std::optional<TensorParts> tensor;
  std::optional<SparseTensorParts> sparse_tensor;
  std::optional<RawGraph> graph;
  std::vector<Constant> sparse_tensors;
};

RawGraph NewGraph() {
  RawGraph graph;
  graph.name = kEmptyText;
  return graph;
}

void ReadString(ReadContext& context, Span range, RawAttribute* attribute) {
  attribute->s = kEmptyText;
  if (range.length() <= Window::kMaxBytes) {
    attribute->s = context.Intern(range);
    return;
  }
  context.in().SkipPayload();
  context.Skipped(range.length());
  context.Warn(Code::kMetadata, absl::StrCat("a string attribute of ", range.length(), " bytes was not read"), "",
               attribute->name);
}

SparseTensorParts NewSparseTensorParts() { return {NewTensorParts(), NewTensorParts(), {}}; }

// Fields that hold one value each.
bool ReadSingleMember(ReadContext& context, const Fields& field, int depth, RawAttribute* attribute,
                      AttributeParts* parts) {
  const auto note = [parts](AttrKind kind) { parts->present |= 1u << static_cast<int>(kind); };
  switch (field.tag()) {
    case Fixed32Tag(2):
      note(AttrKind::kFloat);
      attribute->f = field.AsFloat();
      return true;
    case VarintTag(3):
      note(AttrKind::kInt);
      attribute->i = field.AsInt64();
      return true;
    case BytesTag(4):
      note(AttrKind::kString);
      ReadString(context, field.contents(), attribute);
      return true;
    case BytesTag(5):
      note(AttrKind::kTensor);
      if (!parts->tensor.has_value()) parts->tensor = NewTensorParts();
      ReadTensor(context, field.contents(), &*parts->tensor);
      return true;
    case BytesTag(6):
      note(AttrKind::kGraph);
      if (!parts->graph.has_value()) parts->graph = NewGraph();
      ReadGraph(context, field.contents(), depth + 1, &*parts->graph);
      return true;
    case BytesTag(14): note(AttrKind::kType); return true;
    case BytesTag(22):
      note(AttrKind::kSparseTensor);
      if (!parts->sparse_tensor.has_value()) parts->sparse_tensor = NewSparseTensorParts();
      ReadSparseTensor(context, field.contents(), &*parts->sparse_tensor);
      return true;
    default: return false;
  }
}

// Fields that hold one element, or a packed run of them, each.
void ReadRepeatedMember(ReadContext& context, const Fields& field, int depth, RawAttribute* attribute,
                        AttributeParts* parts) {
  const auto note = [parts](AttrKind kind) { parts->present |= 1u << static_cast<int>(kind); };
  switch (field.tag()) {
    case Fixed32Tag(7):
    case BytesTag(7):
      note(AttrKind::kFloats);
      ForEachFixed<4>(field, [&](uint64_t bits) { attribute->floats.push_back(FloatOfBits(bits)); });
      break;
    case VarintTag(8):
    case BytesTag(8):
      note(AttrKind::kInts);
      ForEachVarint(field, [&](uint64_t bits) { attribute->ints.push_back(static_cast<int64_t>(bits)); });
      break;
    case BytesTag(9):
      note(AttrKind::kStrings);
      attribute->strings.push_back(context.Intern(field.contents()));
      break;
    case BytesTag(10): {
      note(AttrKind::kTensors);
      TensorParts tensor = NewTensorParts();
      if (!context.Enter()) break;
      ReadTensor(context, field.contents(), &tensor);
      attribute->tensors.push_back(FinishTensor(context, std::move(tensor)));
      break;
    }
    case BytesTag(11):
      note(AttrKind::kGraphs);
      if (!context.Enter()) break;
      attribute->graphs.push_back(NewGraph());
      ReadGraph(context, field.contents(), depth + 1, &attribute->graphs.back());
      break;
    case BytesTag(15): note(AttrKind::kTypes); break;
    case BytesTag(23): {
      note(AttrKind::kSparseTensors);
      SparseTensorParts sparse = NewSparseTensorParts();
      if (!context.Enter()) break;
      ReadSparseTensor(context, field.contents(), &sparse);
      parts->sparse_tensors.push_back(FinishSparseTensor(context, std::move(sparse)));
      break;
    }
    default: break;
  }
}

// The declared type; files of IR 1 and some by hand declare none: then the first member that is there.
AttrKind KindOf(const AttributeParts& parts) {
  if (parts.type > 0 && parts.type <= kLastAttrKind) return static_cast<AttrKind>(parts.type);
  for (int kind = 1; kind <= kLastAttrKind; ++kind) {
    if (parts.present >> kind & 1) return static_cast<AttrKind>(kind);
  }
  return AttrKind::kUndefined;
}

template <class T>
std::vector<T> OneOf(T value) {
  std::vector<T> one;
  one.push_back(std::move(value));
  return one;
}

// Moves the members that go by `kind` to their place. A kind whose message is not there becomes kUndefined.
void FinishAttribute(ReadContext& context, AttributeParts parts, RawAttribute* attribute) {
  attribute->kind = KindOf(parts);
  switch (attribute->kind) {
    case AttrKind::kTensor:
      if (!parts.tensor.has_value()) break;
      attribute->tensors = OneOf(FinishTensor(context, *std::move(parts.tensor)));
      return;
    case AttrKind::kSparseTensor:
      if (!parts.sparse_tensor.has_value()) break;
      attribute->tensors = OneOf(FinishSparseTensor(context, *std::move(parts.sparse_tensor)));
      return;
    case AttrKind::kSparseTensors: attribute->tensors = std::move(parts.sparse_tensors); return;
    case AttrKind::kGraph:
      if (!parts.graph.has_value()) break;
      attribute->graphs = OneOf(*std::move(parts.graph));
      return;
    default: return;
  }
  if (!attribute->ref.valid()) attribute->kind = AttrKind::kUndefined;
}

struct MetadataKey {
  absl::string_view key;
  StrId RawMetadata::* member;
  bool plain_scopes;
  bool preferred;  // wins over the other writer's key for the same member
};

constexpr MetadataKey kMetadataKeys[] = {
    {"namespace", &RawMetadata::namespace_text, false, true},
    {"pkg.torch.onnx.class_hierarchy", &RawMetadata::class_hierarchy, false, true},
    {"pkg.torch.onnx.name_scopes", &RawMetadata::name_scopes, false, true},
    {"pkg.onnxscript.class_hierarchy", &RawMetadata::class_hierarchy, false, false},
    {"pkg.onnxscript.name_scopes", &RawMetadata::name_scopes, true, false},
};

void ReadNodeMetadata(ReadContext& context, Span range, RawMetadata* metadata) {
  const Entry entry = ReadEntry(context, range);
  if (entry.key == "pkg.torch.onnx.stack_trace" && entry.value.length() <= Window::kMaxBytes) {
    metadata->source_line = context.model().strings.Intern(SourceLineOf(context.Text(entry.value)));
  }
  for (const MetadataKey& row : kMetadataKeys) {
    if (entry.key != row.key || entry.value.length() > Window::kMaxBytes) continue;
    StrId& member = metadata->*row.member;
    if (member.valid() && !row.preferred) continue;
    member = context.Intern(entry.value);
    if (row.member == &RawMetadata::name_scopes) metadata->plain_scopes = row.plain_scopes;
  }
}

void ReadGraphMetadata(ReadContext& context, Span range, RawGraph* graph) {
  const Entry entry = ReadEntry(context, range);
  if (entry.key != "pkg.torch.export.ExportedProgram.range_constraints") return;
  if (entry.value.length() > Window::kMaxBytes) return;
  graph->range_constraints = std::string(context.Text(entry.value));
}

void ReadInitializer(ReadContext& context, Span range, RawGraph* graph) {
  TensorParts parts = NewTensorParts();
  ReadTensor(context, range, &parts);
  graph->initializers.push_back(FinishTensor(context, std::move(parts)));
}

void ReadSparseInitializer(ReadContext& context, Span range, RawGraph* graph) {
  SparseTensorParts parts = NewSparseTensorParts();
  ReadSparseTensor(context, range, &parts);
  graph->initializers.push_back(FinishSparseTensor(context, std::move(parts)));
}

void AppendValueInfo(ReadContext& context, Span range, std::vector<RawValueInfo>* infos) {
  infos->emplace_back();
  ReadValueInfo(context, range, &infos->back());
}

// Repeated messages of GraphProto; the rest is read by ReadGraph itself.
void ReadGraphMember(ReadContext& context, const Fields& field, int depth, RawGraph* graph) {
  switch (field.number()) {
    case 1: graph->nodes.emplace_back(); return ReadNode(context, field.contents(), depth, &graph->nodes.back());
    case 5: return ReadInitializer(context, field.contents(), graph);
    case 11: return AppendValueInfo(context, field.contents(), &graph->inputs);
    case 12: return AppendValueInfo(context, field.contents(), &graph->outputs);
    case 13: return AppendValueInfo(context, field.contents(), &graph->value_info);
    case 15: return ReadSparseInitializer(context, field.contents(), graph);
    default: return;
  }
}

}  // namespace

void ReadAttribute(ReadContext& context, Span range, int depth, RawAttribute* attribute) {
  AttributeParts parts;
  attribute->name = kEmptyText;
  attribute->s = kEmptyText;
  for (Fields field(context.in(), range); field.Next();) {
    switch (field.tag()) {
      case BytesTag(1): attribute->name = context.Intern(field.contents()); break;
      case VarintTag(20): parts.type = field.AsInt32(); break;
      case BytesTag(21): attribute->ref = context.Intern(field.contents()); break;
      default:
        if (!ReadSingleMember(context, field, depth, attribute, &parts)) {
          ReadRepeatedMember(context, field, depth, attribute, &parts);
        }
    }
  }
  FinishAttribute(context, std::move(parts), attribute);
}

void ReadNode(ReadContext& context, Span range, int depth, RawNode* node) {
  node->domain = node->op = node->name = node->overload = kEmptyText;
  absl::InlinedVector<StrId, 8> inputs, outputs;
  absl::InlinedVector<RawAttribute, 4> attributes;
  for (Fields field(context.in(), range); field.Next();) {
    switch (field.tag()) {
      case BytesTag(1): inputs.push_back(context.Intern(field.contents())); break;
      case BytesTag(2): outputs.push_back(context.Intern(field.contents())); break;
      case BytesTag(3): node->name = context.Intern(field.contents()); break;
      case BytesTag(4): node->op = context.Intern(field.contents()); break;
      case BytesTag(5):
        if (!context.Enter()) break;
        attributes.emplace_back();
        ReadAttribute(context, field.contents(), depth, &attributes.back());
        break;
      case BytesTag(7): node->domain = context.Intern(field.contents()); break;
      case BytesTag(8): node->overload = context.Intern(field.contents()); break;
      case BytesTag(9): ReadNodeMetadata(context, field.contents(), &node->metadata); break;
      default: break;
    }
  }
  node->inputs.assign(inputs.begin(), inputs.end());
  node->outputs.assign(outputs.begin(), outputs.end());
  node->attributes.assign(std::make_move_iterator(attributes.begin()), std::make_move_iterator(attributes.end()));
}

void ReadGraph(ReadContext& context, Span range, int depth, RawGraph* graph) {
  if (!context.CheckDepth(depth)) return;
  for (Fields field(context.in(), range); field.Next();) {
    switch (field.tag()) {
      case BytesTag(2): graph->name = context.Intern(field.contents()); break;
      case BytesTag(16): ReadGraphMetadata(context, field.contents(), graph); break;
      case BytesTag(1):
      case BytesTag(5):
      case BytesTag(11):
      case BytesTag(12):
      case BytesTag(13):
      case BytesTag(15):
        if (context.Enter()) ReadGraphMember(context, field, depth, graph);
        break;
      default: break;
    }
  }
}

}  // namespace hwest
