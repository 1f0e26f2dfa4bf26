#include "import/tflite_nodes.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

constexpr int64_t kBytesOfNode = 64;  // that a node is charged as

// The module that names of a tensor's makers stand for: "block/conv/" of "block/conv/Relu;block/conv/BiasAdd:0".
std::string ScopeOf(absl::string_view tensor) {
  const absl::string_view first = tensor.substr(0, tensor.find(';'));
  const size_t slash = first.rfind('/');
  return slash == absl::string_view::npos ? "" : std::string(first.substr(0, slash + 1));
}

}  // namespace

std::string TfliteNodes::BytesOf(absl::Span<const int64_t> values, int bytes) {
  std::string data;
  for (const int64_t value : values) {
    for (int i = 0; i < bytes; ++i) data.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
  }
  return data;
}

StrId TfliteNodes::Untaken(StringTable& strings, absl::flat_hash_map<StrId, int64_t>& taken, absl::string_view stem) {
  StrId name = strings.Intern(stem);
  int64_t wanted = taken[name]++;
  while (wanted > 0) {
    const StrId other = strings.Intern(absl::StrCat(strings[name], "_", wanted));
    if (taken.try_emplace(other, 1).second) return other;
    wanted = taken[name]++;
  }
  return name;
}

void TfliteNodes::BeginOperator(absl::string_view tensor) {
  stem_ = std::string(tensor);
  scope_ = ScopeOf(tensor);
}

StrId TfliteNodes::Fresh(absl::string_view what) { return NameOf(absl::StrCat(stem_, "/", what)); }

StrId TfliteNodes::Ints(absl::string_view what, const std::vector<int64_t>& values) {
  const StrId name = Fresh(what);
  flat_.Charge(kBytesOfAxis * static_cast<int64_t>(values.size()));
  graph_.initializers.push_back(
      {.name = name, .elem = ElemType::kInt64, .dims = {static_cast<int64_t>(values.size())}});
  Constant& constant = graph_.initializers.back();
  constant.data = BytesOf(values, 8);
  constant.storage = values.empty() ? Storage::kEmpty : Storage::kDecoded;
  constant.length = static_cast<int64_t>(constant.data.size());
  return name;
}

StrId TfliteNodes::Scalar(absl::string_view what, ElemType elem, int64_t value) {
  const StrId name = Fresh(what);
  graph_.initializers.push_back({.name = name, .elem = elem});
  Constant& constant = graph_.initializers.back();
  constant.data = BytesOf({value}, ElemBits(elem) / 8);
  constant.length = static_cast<int64_t>(constant.data.size());
  constant.storage = Storage::kDecoded;
  return name;
}

StrId TfliteNodes::Number(float value) {
  auto [entry, fresh] = numbers_.try_emplace(value, kEmptyText);
  if (!fresh) return entry->second;
  const StrId name = entry->second = NameOf(absl::StrCat("number/", value));
  graph_.initializers.push_back({.name = name, .elem = ElemType::kFloat});
  Constant& constant = graph_.initializers.back();
  constant.data.assign(reinterpret_cast<const char*>(&value), sizeof value);
  constant.length = sizeof value;
  constant.storage = Storage::kDecoded;
  return name;
}

RawNode& TfliteNodes::Emit(absl::string_view op, std::vector<StrId> inputs, std::vector<StrId> outputs) {
  static_cast<void>(context_.Enter() && flat_.Charge(kBytesOfNode));
  while (!inputs.empty() && inputs.back() == kEmptyText) inputs.pop_back();
  RawNode& node = graph_.nodes.emplace_back();
  node.domain = node.overload = kEmptyText;
  node.op = strings_.Intern(op);
  node.name = Untaken(strings_, names_.nodes, absl::StrCat(scope_, op));
  node.inputs.assign(inputs.begin(), inputs.end());
  node.outputs.assign(outputs.begin(), outputs.end());
  return node;
}

RawAttribute& TfliteNodes::NewAttribute(absl::string_view name, AttrKind kind) {
  RawAttribute& attribute = graph_.nodes.back().attributes.emplace_back();
  attribute.name = strings_.Intern(name);
  attribute.s = kEmptyText;
  attribute.kind = kind;
  return attribute;
}

void TfliteNodes::Set(absl::string_view name, int64_t value) { NewAttribute(name, AttrKind::kInt).i = value; }
void TfliteNodes::Set(absl::string_view name, float value) { NewAttribute(name, AttrKind::kFloat).f = value; }
void TfliteNodes::Set(absl::string_view name, absl::string_view value) {
  NewAttribute(name, AttrKind::kString).s = strings_.Intern(value);
}
void TfliteNodes::Set(absl::string_view name, const std::vector<absl::string_view>& values) {
  RawAttribute& attribute = NewAttribute(name, AttrKind::kStrings);
  for (const absl::string_view value : values) attribute.strings.push_back(strings_.Intern(value));
}
void TfliteNodes::Set(absl::string_view name, std::vector<int64_t> values) {
  NewAttribute(name, AttrKind::kInts).ints = std::move(values);
}

void TfliteNodes::Set(absl::string_view name, RawGraph body) {
  NewAttribute(name, AttrKind::kGraph).graphs.push_back(std::move(body));
}

void TfliteNodes::EmitCast(StrId from, StrId to, ElemType elem) {
  Emit("Cast", {from}, {to});
  Set("to", static_cast<int64_t>(elem));
}

void TfliteNodes::EmitTranspose(StrId from, StrId to, const std::vector<int64_t>& perm) {
  Emit("Transpose", {from}, {to});
  Set("perm", perm);
}

}  // namespace hwest
