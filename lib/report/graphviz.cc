// Lays a picture out with Graphviz, which reads it as DOT and writes it as SVG.
#include <graphviz/gvc.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "base/status_macros.h"
#include "chart/drawing.h"
#include "report/chart.h"
#include "report/graphviz_library.h"
#include "report/picture.h"

namespace hwest {
namespace {

// cgraph and gvc keep process-wide state.
std::mutex& GraphvizLock() {
  static std::mutex lock;
  return lock;
}

const Graphviz& Library() {
  static const Graphviz graphviz(HWEST_GVC_LIBRARY);
  return graphviz;
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
long RefuseId(void*, int, IDTYPE) { return 0; }  // NOLINT(google-runtime-int): as cgraph declares it

// NOLINTNEXTLINE(google-runtime-int): as cgraph declares it
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
  table->names.push_back(Library().agstrdup(table->graph, name));
  *id = table->names.size() * 2;
  table->ids.emplace(name, *id);
  return 1;
}

char* NameOfId(void* state, int, IDTYPE id) {
  auto* table = static_cast<IdTable*>(state);
  return id % 2 == 0 && id / 2 <= table->names.size() && id != 0 ? table->names[id / 2 - 1] : nullptr;
}

constexpr Agiddisc_t kIds = {OpenIds, MapId, RefuseId, KeepId, NameOfId, CloseIds, IgnoreObject};

// Reads the next bytes from `channel`, a string_view of what is left.
int ReadText(void* channel, char* buffer, int size) {
  auto* rest = static_cast<absl::string_view*>(channel);
  const size_t count = std::min(rest->size(), static_cast<size_t>(std::max(size, 0)));
  std::memcpy(buffer, rest->data(), count);
  rest->remove_prefix(count);
  return static_cast<int>(count);
}
int NoText(void*, const char*) { return 0; }
int NoFlush(void*) { return 0; }
int Quiet(char*) { return 0; }

// One context for the process, never freed: the text plug-in keeps a pointer to the last font's name, which the context
// owns, and reads it at the next label.
GVC_t* Context(const Graphviz& graphviz) {
  static GVC_t* const context = graphviz.gvContext();
  return context;
}

absl::StatusOr<std::string> LaidOut(const Graphviz& graphviz, Agraph_t* graph) {
  GVC_t* context = Context(graphviz);
  if (context == nullptr) return absl::InternalError("Graphviz cannot start");
  absl::StatusOr<std::string> svg = absl::InternalError("Graphviz cannot lay out the picture");
  if (graphviz.gvLayout(context, graph, "dot") != 0) return svg;
  char* data = nullptr;
  unsigned int length = 0;
  if (graphviz.gvRenderData(context, graph, "svg", &data, &length) == 0 && data != nullptr) {
    svg = std::string(data, length);
    graphviz.gvFreeRenderData(data);
  }
  graphviz.gvFreeLayout(context, graph);
  return svg;
}

// The SVG of a graph in DOT.
absl::StatusOr<std::string> SvgOfDot(const Graphviz& graphviz, absl::string_view dot) {
  const std::lock_guard<std::mutex> guard(GraphvizLock());
  graphviz.agseterr(AGERR);
  graphviz.agseterrf(Quiet);
  Agiodisc_t io = {ReadText, NoText, NoFlush};
  Agiddisc_t ids = kIds;
  Agdisc_t discipline = {};
  discipline.id = &ids;
  discipline.io = &io;
  Agraph_t* graph = graphviz.agread(&dot, &discipline);
  if (graph == nullptr) return absl::InternalError("Graphviz cannot read the picture");
  absl::StatusOr<std::string> svg = LaidOut(graphviz, graph);
  graphviz.agclose(graph);
  return svg;
}

}  // namespace

absl::StatusOr<std::string> RenderPicture(const Picture& picture, Format format) {
  const std::string dot = DotText(picture);
  if (format == Format::kDot) return dot;
  HWEST_RETURN_IF_ERROR(Library().library.status());
  HWEST_ASSIGN_OR_RETURN(const std::string svg, SvgOfDot(Library(), dot));
  return PictureBytes(WithDarkScheme(svg), format);
}

}  // namespace hwest
