#include "rewrite/write.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "import/window.h"
#include "ir/opsets.h"
#include "rewrite/encode.h"
#include "rewrite/rules.h"

namespace hwest {
namespace {

constexpr uint32_t kGraphField = 7;
constexpr uint32_t kOpsetField = 8;

std::string OpsetField(absl::string_view domain, int64_t version) {
  std::string import, field;
  if (!domain.empty()) AppendBytesField(1, domain, &import);
  AppendIntField(2, version, &import);
  AppendBytesField(kOpsetField, import, &field);
  return field;
}

// A run of output bytes: a range of the file, text, or elements that are computed.
struct Piece {
  Span range;
  std::string text;
  std::shared_ptr<const Derived> derived;

  int64_t length() const {
    if (derived != nullptr) return derived->payload.length;
    return text.empty() ? range.length() : static_cast<int64_t>(text.size());
  }
};

// Pieces in order; neighbouring ranges become one.
class Pieces {
 public:
  void Copy(Span range) {
    if (range.length() == 0) return;
    length_ += range.length();
    if (!all_.empty() && all_.back().text.empty() && all_.back().derived == nullptr &&
        all_.back().range.end == range.begin) {
      all_.back().range.end = range.end;
      return;
    }
    all_.push_back({.range = range, .text = "", .derived = nullptr});
  }
  void Add(std::string text) {
    if (text.empty()) return;
    length_ += static_cast<int64_t>(text.size());
    all_.push_back({.range = {}, .text = std::move(text), .derived = nullptr});
  }
  void Add(std::shared_ptr<const Derived> derived) {
    length_ += derived->payload.length;
    all_.push_back({.range = {}, .text = "", .derived = std::move(derived)});
  }
  void Add(Pieces inner) {
    for (Piece& piece : inner.all_) {
      if (piece.derived == nullptr && piece.text.empty()) {
        Copy(piece.range);
      } else {
        length_ += piece.length();
        all_.push_back(std::move(piece));
      }
    }
  }
  // A field of `number` with these contents.
  void AddField(uint32_t number, Pieces contents) {
    std::string head;
    AppendHeader(number, contents.length(), &head);
    Add(std::move(head));
    Add(std::move(contents));
  }
  int64_t length() const { return length_; }
  const std::vector<Piece>& all() const { return all_; }

 private:
  std::vector<Piece> all_;
  int64_t length_ = 0;
};

// What is left of a path to a new node of a body.
using BodyEdit = absl::Span<const BodyStep>;

std::vector<BodyEdit> EditsOf(absl::Span<const BodyEdit> edits, size_t BodyStep::* member, size_t position) {
  std::vector<BodyEdit> found;
  for (const BodyEdit& edit : edits) {
    if (!edit.empty() && edit[0].*member == position) found.push_back(edit);
  }
  return found;
}

class Writer {
 public:
  explicit Writer(const EditedModel& model) : model_(model), file_(model.file()), in_(file_.source()) {}

  absl::StatusOr<WriteTotals> Run(ByteSink sink) {
    Pieces all;
    for (const ModelFile::Field& field : file_.before()) AddOutside(field, &all);
    AddGraph(&all);
    for (const ModelFile::Field& field : file_.after()) AddOutside(field, &all);
    for (const OpsetImport& opset : model_.new_opsets()) all.Add(OpsetField(model_.text(opset.domain), opset.version));
    HWEST_RETURN_IF_ERROR(in_.status());
    return Write(all, sink);
  }

 private:
  void AddOutside(const ModelFile::Field& field, Pieces* all);
  void AddGraph(Pieces* all);
  void AddNodesUpTo(size_t file_node, Pieces* graph);
  void AddNode(size_t index, Pieces* graph);
  void AddRewired(size_t index, Pieces* node);
  void AddEdited(Span contents, const RawNode& raw, absl::Span<const BodyEdit> edits, Pieces* node);
  void AddEditedAttribute(Span contents, const RawAttribute& raw, absl::Span<const BodyEdit> edits, Pieces* attribute);
  void AddEditedBody(Span contents, const RawGraph& raw, absl::Span<const BodyEdit> edits, size_t* position,
                     Pieces* body);
  void AddNotes(int32_t file_node, Pieces* node);
  void AddInherited(Span source, Pieces* node);
  void AddTyped(const ModelFile::Field& field, const RawType& type, Pieces* graph);
  void AddInitializer(size_t index, Pieces* graph);
  Pieces TensorOf(size_t index) const;
  absl::StatusOr<WriteTotals> Write(const Pieces& all, ByteSink sink);

  const EditedModel& model_;
  const ModelFile& file_;
  Window in_;
  size_t next_node_ = 0;  // of the edited model, not yet written
};

// A field of the model beside its graph. The operator set of the default domain may be another one now.
void Writer::AddOutside(const ModelFile::Field& field, Pieces* all) {
  if (field.number != kOpsetField || model_.default_opset() == 0) return all->Copy(field.whole);
  std::string domain;
  for (Fields part(in_, field.contents); part.Next();) {
    if (part.tag() == BytesTag(1)) in_.Copy(part.contents().begin, part.contents().length(), &domain);
  }
  if (!CanonicalDomain(domain).empty()) return all->Copy(field.whole);
  all->Add(OpsetField(domain, model_.default_opset()));
}

// Documentation and metadata of the node in whose place a new one stands.
void Writer::AddInherited(Span source, Pieces* node) {
  for (Fields field(in_, source); field.Next();) {
    if (field.tag() == BytesTag(6) || field.tag() == BytesTag(9)) node->Copy(field.whole());
  }
}

// The file's node with other inputs, or other nodes in its bodies.
void Writer::AddRewired(size_t index, Pieces* node) {
  const RawNode& raw = model_.raw().graph.nodes[index];
  const int32_t file_node = model_.node_origins()[index].file;
  std::vector<BodyEdit> edits;
  const auto paths = model_.body_edits().find(file_node);
  if (paths != model_.body_edits().end()) edits.assign(paths->second.begin(), paths->second.end());
  AddEdited(file_.At(GraphField::kNode, static_cast<size_t>(file_node)).contents, raw, edits, node);
}

void Writer::AddEdited(Span contents, const RawNode& raw, absl::Span<const BodyEdit> edits, Pieces* node) {
  size_t input = 0, attribute = 0;
  for (Fields field(in_, contents); field.Next();) {
    if (field.tag() == BytesTag(1)) {
      std::string text;
      AppendBytesField(1, model_.text(raw.inputs[input++]), &text);
      node->Add(std::move(text));
      continue;
    }
    const size_t position = field.tag() == BytesTag(5) ? attribute++ : raw.attributes.size();
    const std::vector<BodyEdit> here = EditsOf(edits, &BodyStep::attribute, position);
    if (here.empty()) {
      node->Copy(field.whole());
      continue;
    }
    Pieces edited;
    AddEditedAttribute(field.contents(), raw.attributes[position], here, &edited);
    node->AddField(5, std::move(edited));
  }
}

void Writer::AddEditedAttribute(Span contents, const RawAttribute& raw, absl::Span<const BodyEdit> edits,
                                Pieces* attribute) {
  size_t position = 0;  // of the next node: a message in parts is one
  for (Fields field(in_, contents); field.Next();) {
    if (field.tag() != BytesTag(6)) {
      attribute->Copy(field.whole());
      continue;
    }
    Pieces body;
    AddEditedBody(field.contents(), raw.graphs[0], edits, &position, &body);
    attribute->AddField(6, std::move(body));
  }
}

void Writer::AddEditedBody(Span contents, const RawGraph& raw, absl::Span<const BodyEdit> edits, size_t* position,
                           Pieces* body) {
  for (Fields field(in_, contents); field.Next();) {
    std::vector<BodyEdit> here;
    const size_t at = *position;
    if (field.tag() == BytesTag(1)) here = EditsOf(edits, &BodyStep::node, (*position)++);
    if (here.empty()) {
      body->Copy(field.whole());
      continue;
    }
    Pieces node;
    if (here[0].size() == 1) {
      node.Add(EncodeNode(raw.nodes[at], model_.raw().strings));
      AddInherited(field.contents(), &node);
    } else {
      for (BodyEdit& edit : here) edit.remove_prefix(1);
      AddEdited(field.contents(), raw.nodes[at], here, &node);
    }
    body->AddField(1, std::move(node));
  }
}

void Writer::AddNotes(int32_t file_node, Pieces* node) {
  const auto notes = model_.notes().find(file_node);
  if (notes == model_.notes().end()) return;
  for (const auto& [key, value] : notes->second) {
    std::string field;
    AppendBytesField(9, EncodeEntry(key, value), &field);
    node->Add(std::move(field));
  }
}

void Writer::AddNode(size_t index, Pieces* graph) {
  const NodeOrigin& origin = model_.node_origins()[index];
  constexpr auto kNumber = static_cast<uint32_t>(GraphField::kNode);
  Pieces node;
  if (origin.file < 0) {
    node.Add(EncodeNode(model_.raw().graph.nodes[index], model_.raw().strings));
    if (origin.like >= 0) {
      AddInherited(file_.At(GraphField::kNode, static_cast<size_t>(origin.like)).contents, &node);
    }
    return graph->AddField(kNumber, std::move(node));
  }
  const ModelFile::Field& field = file_.At(GraphField::kNode, static_cast<size_t>(origin.file));
  const bool has_notes = model_.notes().contains(origin.file);
  const bool is_edited = origin.rewired || model_.body_edits().contains(origin.file);
  if (!is_edited && !has_notes) return graph->Copy(field.whole);
  if (is_edited) {
    AddRewired(index, &node);
  } else {
    node.Copy(field.contents);
  }
  AddNotes(origin.file, &node);
  graph->AddField(kNumber, std::move(node));
}

// New nodes stand before the file's node that they come before in the edited model.
void Writer::AddNodesUpTo(size_t file_node, Pieces* graph) {
  const auto& origins = model_.node_origins();
  size_t end = next_node_;
  while (end < origins.size() && origins[end].file < 0) ++end;
  if (end < origins.size() && origins[end].file == static_cast<int32_t>(file_node)) {
    for (; next_node_ <= end; ++next_node_) AddNode(next_node_, graph);
  }
}

// An input or output whose type is another one; its other fields stay.
void Writer::AddTyped(const ModelFile::Field& field, const RawType& type, Pieces* graph) {
  Pieces info;
  for (Fields part(in_, field.contents); part.Next();) {
    if (part.tag() != BytesTag(2)) info.Copy(part.whole());
  }
  std::string text;
  AppendBytesField(2, EncodeType(type, model_.raw().strings), &text);
  info.Add(std::move(text));
  graph->AddField(field.number, std::move(info));
}

Pieces Writer::TensorOf(size_t index) const {
  const Constant& constant = model_.raw().graph.initializers[index];
  const std::shared_ptr<const Derived>& derived = model_.initializer_origins()[index].derived;
  Pieces tensor;
  if (derived != nullptr) {
    tensor.Add(EncodeTensorHead(constant, model_.raw().strings, derived->payload.length));
    tensor.Add(derived);
  } else {
    tensor.Add(EncodeTensorHead(constant, model_.raw().strings, static_cast<int64_t>(constant.data.size())) +
               constant.data);
  }
  return tensor;
}

// Before IR version 4 an initialiser had to be an input as well; a Constant node may stand anywhere.
void Writer::AddInitializer(size_t index, Pieces* graph) {
  if (model_.raw().ir_version >= kFirstWithInitializersAlone) {
    return graph->AddField(static_cast<uint32_t>(GraphField::kInitializer), TensorOf(index));
  }
  const StringTable& strings = model_.raw().strings;
  Pieces attribute, node;
  std::string text;
  AppendBytesField(1, "value", &text);
  attribute.Add(std::move(text));
  attribute.AddField(5, TensorOf(index));
  text.clear();
  AppendIntField(20, static_cast<int64_t>(AttrKind::kTensor), &text);
  attribute.Add(std::move(text));
  text.clear();
  AppendBytesField(2, strings[model_.raw().graph.initializers[index].name], &text);
  AppendBytesField(4, kConstantOperator, &text);
  node.Add(std::move(text));
  node.AddField(5, std::move(attribute));
  graph->AddField(static_cast<uint32_t>(GraphField::kNode), std::move(node));
}

void Writer::AddGraph(Pieces* all) {
  std::vector<bool> kept_initializers, kept_sparse, kept_infos;
  const auto keep = [](std::vector<bool>* kept, int32_t position) {
    if (kept->size() <= static_cast<size_t>(position)) kept->resize(static_cast<size_t>(position) + 1);
    (*kept)[static_cast<size_t>(position)] = true;
  };
  const auto& initializers = model_.initializer_origins();
  for (const InitializerOrigin& origin : initializers) {
    if (origin.file >= 0) keep(origin.sparse ? &kept_sparse : &kept_initializers, origin.file);
  }
  for (const int32_t info : model_.value_info_origins()) keep(&kept_infos, info);
  const auto is_kept = [](const std::vector<bool>& kept, size_t position) {
    return position < kept.size() && kept[position];
  };

  Pieces graph;
  const bool as_nodes = model_.raw().ir_version < kFirstWithInitializersAlone;
  const auto add_new = [&] {
    for (size_t i = 0; i < initializers.size(); ++i) {
      if (initializers[i].file < 0) AddInitializer(i, &graph);
    }
  };
  if (as_nodes) add_new();
  size_t node = 0, initializer = 0, sparse = 0, info = 0, input = 0, output = 0;
  for (const ModelFile::Field& field : file_.graph()) {
    switch (static_cast<GraphField>(field.number)) {
      case GraphField::kNode: AddNodesUpTo(node++, &graph); break;
      case GraphField::kInitializer:
        if (is_kept(kept_initializers, initializer++)) graph.Copy(field.whole);
        break;
      case GraphField::kSparseInitializer:
        if (is_kept(kept_sparse, sparse++)) graph.Copy(field.whole);
        break;
      case GraphField::kValueInfo:
        if (is_kept(kept_infos, info++)) graph.Copy(field.whole);
        break;
      case GraphField::kInput:
        if (model_.changed_inputs()[input]) {
          AddTyped(field, model_.raw().graph.inputs[input].type, &graph);
        } else {
          graph.Copy(field.whole);
        }
        ++input;
        break;
      case GraphField::kOutput:
        if (model_.changed_outputs()[output]) {
          AddTyped(field, model_.raw().graph.outputs[output].type, &graph);
        } else {
          graph.Copy(field.whole);
        }
        ++output;
        break;
      default: graph.Copy(field.whole);
    }
  }
  for (; next_node_ < model_.node_origins().size(); ++next_node_) AddNode(next_node_, &graph);
  if (!as_nodes) add_new();
  all->AddField(kGraphField, std::move(graph));
}

absl::StatusOr<WriteTotals> Writer::Write(const Pieces& all, ByteSink sink) {
  WriteTotals totals;
  for (const Piece& piece : all.all()) {
    totals.bytes += piece.length();
    if (piece.derived != nullptr) {
      HWEST_RETURN_IF_ERROR(WriteDerived(file_, *piece.derived, sink));
    } else if (!piece.text.empty()) {
      HWEST_RETURN_IF_ERROR(sink(piece.text));
    } else {
      totals.copied_bytes += piece.range.length();
      HWEST_RETURN_IF_ERROR(CopyRange(file_.source(), piece.range.begin, piece.range.length(), sink));
    }
  }
  return totals;
}

}  // namespace

absl::StatusOr<WriteTotals> WriteModel(const EditedModel& model, ByteSink sink) { return Writer(model).Run(sink); }

}  // namespace hwest
