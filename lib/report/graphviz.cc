// Lays a picture out and renders it with Graphviz, which reads it as DOT.
#include <graphviz/gvc.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "report/graphviz.h"
#include "report/graphviz_library.h"
#include "report/pdf_date.h"
#include "report/picture.h"

namespace hwest {
namespace {

// cgraph and gvc keep process-wide state.
std::mutex& GraphvizLock() {
  static std::mutex lock;
  return lock;
}

const absl::StatusOr<Graphviz>& Library() {
  static const absl::StatusOr<Graphviz> library = OpenGraphviz(HWEST_GVC_LIBRARY);
  return library;
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
  table->names.push_back(Library()->agstrdup(table->graph, name));
  *id = table->names.size() * 2;
  table->ids.emplace(name, *id);
  return 1;
}

char* NameOfId(void* state, int, IDTYPE id) {
  auto* table = static_cast<IdTable*>(state);
  return id % 2 == 0 && id / 2 <= table->names.size() && id != 0 ? table->names[id / 2 - 1] : nullptr;
}

constexpr Agiddisc_t kIds = {OpenIds, MapId, RefuseId, KeepId, NameOfId, CloseIds, IgnoreObject};

// Takes the next bytes of `channel`, a string_view of what is left.
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

// One context for the process, never freed: the text plug-in keeps a pointer to the last font's name, which belongs to
// the context, and reads it again at the next label.
GVC_t* Context(const Graphviz& graphviz) {
  static GVC_t* const context = graphviz.gvContext();
  return context;
}

absl::StatusOr<std::string> Laid(const Graphviz& graphviz, Agraph_t* graph, DotEngine engine, const char* format) {
  GVC_t* context = Context(graphviz);
  if (context == nullptr) return absl::InternalError("Graphviz cannot start");
  absl::StatusOr<std::string> result = absl::InternalError(absl::StrCat("Graphviz cannot render ", format));
  if (graphviz.gvLayout(context, graph, engine == DotEngine::kLayered ? "dot" : "nop2") != 0) return result;
  char* data = nullptr;
  unsigned int length = 0;
  if (graphviz.gvRenderData(context, graph, format, &data, &length) == 0 && data != nullptr) {
    result = std::string(data, length);
    graphviz.gvFreeRenderData(data);
  }
  graphviz.gvFreeLayout(context, graph);
  return result;
}

absl::StatusOr<std::string> Rendered(const Graphviz& graphviz, absl::string_view dot, DotEngine engine, const char* format) {
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
  absl::StatusOr<std::string> result = Laid(graphviz, graph, engine, format);
  graphviz.agclose(graph);
  return result;
}

}  // namespace

absl::StatusOr<std::string> RenderDot(absl::string_view dot, DotEngine engine, Format format) {
  if (!Library().ok()) return Library().status();
  absl::StatusOr<std::string> result = Rendered(*Library(), dot, engine, std::string(InfoOf(format).name).c_str());
  if (result.ok() && format == Format::kPdf) RemoveDate(&*result);
  return result;
}

absl::StatusOr<std::string> RenderPicture(const Picture& picture, Format format) {
  std::string dot = DotText(picture);
  return format == Format::kDot ? dot : RenderDot(dot, DotEngine::kLayered, format);
}

}  // namespace hwest
