// The only file that knows Graphviz: builds the graph through cgraph, lays it out and renders it through gvc.
#include <graphviz/gvc.h>

#include <array>
#include <map>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "report/pdf_date.h"
#include "report/picture.h"

namespace hwest {
namespace {

// cgraph and gvc keep process-wide state.
std::mutex& GraphvizLock() {
  static std::mutex lock;
  return lock;
}

struct Paint {
  const char* fill;
  const char* line;
};

// Light fills under black text, told apart also by readers who do not see every colour.
constexpr std::array<Paint, 8> kUnitPaints = {{{"#cfe8fc", "#1f6fb2"},
                                               {"#fde3c0", "#c46a00"},
                                               {"#d9f0d3", "#2e7d32"},
                                               {"#f3d9ef", "#8e3a80"},
                                               {"#fff3b0", "#9a7d00"},
                                               {"#d6d6f5", "#4b4bb0"},
                                               {"#f8d0cf", "#b3261e"},
                                               {"#d3f1ee", "#00796b"}}};
constexpr Paint kNoUnit = {"#eeeeee", "#555555"};

Paint PaintOf(UnitId unit) { return unit.valid() ? kUnitPaints[unit.index() % kUnitPaints.size()] : kNoUnit; }

struct Attr {
  int kind;
  const char* name;
  const char* value;
};

// Layout limits keep the time of large graphs in seconds; fonts must be measurable, or labels leave their boxes.
constexpr Attr kDefaults[] = {
    {AGRAPH, "charset", "UTF-8"},
    {AGRAPH, "fontname", "DejaVu Sans"},
    {AGRAPH, "fontsize", "12"},
    {AGRAPH, "labelloc", "t"},
    {AGRAPH, "rankdir", "TB"},
    {AGRAPH, "nodesep", "0.2"},
    {AGRAPH, "ranksep", "0.35"},
    {AGRAPH, "splines", "polyline"},
    {AGRAPH, "nslimit", "2"},
    {AGRAPH, "nslimit1", "2"},
    {AGRAPH, "mclimit", "0.5"},
    {AGRAPH, "label", ""},
    {AGRAPH, "color", "#888888"},
    {AGRAPH, "style", ""},
    {AGNODE, "label", ""},
    {AGNODE, "shape", "box"},
    {AGNODE, "style", "rounded,filled"},
    {AGNODE, "fontname", "DejaVu Sans"},
    {AGNODE, "fontsize", "10"},
    {AGNODE, "margin", "0.14,0.07"},
    {AGNODE, "fillcolor", "#eeeeee"},
    {AGNODE, "color", "#555555"},
    {AGNODE, "tooltip", ""},
    {AGEDGE, "label", ""},
    {AGEDGE, "fontname", "DejaVu Sans"},
    {AGEDGE, "fontsize", "8"},
    {AGEDGE, "color", "#666666"},
    {AGEDGE, "arrowsize", "0.6"},
};

char* Mutable(const char* text) { return const_cast<char*>(text); }

void Set(void* object, const char* name, const std::string& value) {
  agsafeset(object, Mutable(name), Mutable(value.c_str()), Mutable(""));
}

// A label's text: Graphviz reads backslashes and HTML entities in it.
std::string Quoted(absl::string_view line) { return absl::StrReplaceAll(line, {{"\\", "\\\\"}, {"&", "&amp;"}}); }

std::string LabelOf(const std::vector<std::string>& lines) {
  std::string label;
  for (const std::string& line : lines) absl::StrAppend(&label, label.empty() ? "" : "\\n", Quoted(line));
  return label;
}

// Ids in order of first use. cgraph's own are addresses, which would make the order of subgraphs depend on the heap.
struct IdTable {
  Agraph_t* graph;
  std::map<std::string, IDTYPE> ids;
  std::vector<char*> names;  // of even ids 2, 4, ...; strings of the graph, as cgraph wants them
  IDTYPE anonymous = 1;      // next odd id
};

void* OpenIds(Agraph_t* graph, Agdisc_t*) { return new IdTable{graph, {}, {}}; }
void CloseIds(void* state) { delete static_cast<IdTable*>(state); }
void KeepId(void*, int, IDTYPE) {}
void IgnoreObject(void*, int, void*) {}
long RefuseId(void*, int, IDTYPE) { return 0; }

long MapId(void* state, int, char* name, IDTYPE* id, int create) {
  auto* table = static_cast<IdTable*>(state);
  if (name == nullptr) {
    *id = table->anonymous;
    if (create != 0) table->anonymous += 2;
    return create != 0 ? 1 : 0;
  }
  if (const auto known = table->ids.find(name); known != table->ids.end()) {
    *id = known->second;
    return 1;
  }
  if (create == 0) return 0;
  table->names.push_back(agstrdup(table->graph, name));
  *id = table->names.size() * 2;
  table->ids.emplace(name, *id);
  return 1;
}

char* NameOfId(void* state, int, IDTYPE id) {
  auto* table = static_cast<IdTable*>(state);
  return id % 2 == 0 && id / 2 <= table->names.size() && id != 0 ? table->names[id / 2 - 1] : nullptr;
}

constexpr Agiddisc_t kIds = {OpenIds, MapId, RefuseId, KeepId, NameOfId, CloseIds, IgnoreObject};

int AppendText(void* channel, const char* text) {
  static_cast<std::string*>(channel)->append(text);
  return 0;
}
int NoFlush(void*) { return 0; }
int Quiet(char*) { return 0; }

std::vector<Agraph_t*> AddSegments(Agraph_t* graph, const Picture& picture) {
  std::vector<Agraph_t*> clusters;
  for (size_t i = 0; i < picture.segments.size(); ++i) {
    Agraph_t* cluster = agsubg(graph, Mutable(absl::StrCat("cluster_", i).c_str()), 1);
    Set(cluster, "label", Quoted(picture.segments[i]));
    Set(cluster, "style", "rounded");
    clusters.push_back(cluster);
  }
  return clusters;
}

void FillGraph(const Picture& picture, Agraph_t* graph) {
  for (const Attr& attr : kDefaults) agattr(graph, attr.kind, Mutable(attr.name), Mutable(attr.value));
  Set(graph, "label", LabelOf(picture.title));
  const std::vector<Agraph_t*> clusters = AddSegments(graph, picture);
  std::vector<Agnode_t*> nodes;
  for (size_t i = 0; i < picture.boxes.size(); ++i) {
    const PictureBox& box = picture.boxes[i];
    const bool inside = box.segment.valid() && box.segment.index() < clusters.size();
    Agnode_t* node = agnode(inside ? clusters[box.segment.index()] : graph, Mutable(absl::StrCat("n", i).c_str()), 1);
    Set(node, "label", LabelOf(box.lines));
    Set(node, "tooltip", Quoted(box.tooltip));
    Set(node, "fillcolor", PaintOf(box.unit).fill);
    Set(node, "color", PaintOf(box.unit).line);
    nodes.push_back(node);
  }
  for (const PictureEdge& edge : picture.edges) {
    Agedge_t* line = agedge(graph, nodes[edge.from], nodes[edge.to], nullptr, 1);
    if (!edge.label.empty()) Set(line, "label", Quoted(edge.label));
  }
}

// One context for the process, never freed: the text plug-in keeps a pointer to the last font's name, which belongs to
// the context, and reads it again at the next label.
GVC_t* Context() {
  static GVC_t* const context = gvContext();
  return context;
}

absl::StatusOr<std::string> Laid(Agraph_t* graph, const char* format) {
  GVC_t* context = Context();
  if (context == nullptr) return absl::InternalError("Graphviz cannot start");
  absl::StatusOr<std::string> result = absl::InternalError(absl::StrCat("Graphviz cannot render ", format));
  if (gvLayout(context, graph, "dot") != 0) return result;
  char* data = nullptr;
  unsigned int length = 0;
  if (gvRenderData(context, graph, format, &data, &length) == 0 && data != nullptr) {
    result = std::string(data, length);
    gvFreeRenderData(data);
  }
  gvFreeLayout(context, graph);
  return result;
}

}  // namespace

absl::StatusOr<std::string> RenderPicture(const Picture& picture, Format format) {
  const std::lock_guard<std::mutex> guard(GraphvizLock());
  agseterr(AGERR);
  agseterrf(Quiet);
  Agiodisc_t io = {nullptr, AppendText, NoFlush};
  Agiddisc_t ids = kIds;
  Agdisc_t discipline = {};
  discipline.id = &ids;
  discipline.io = &io;
  Agraph_t* graph = agopen(Mutable("model"), Agdirected, &discipline);
  FillGraph(picture, graph);
  absl::StatusOr<std::string> result = std::string();
  if (format == Format::kDot) {
    agwrite(graph, &*result);
  } else {
    result = Laid(graph, std::string(InfoOf(format).name).c_str());
  }
  if (result.ok() && format == Format::kPdf) RemoveDate(&*result);
  agclose(graph);
  return result;
}

}  // namespace hwest
