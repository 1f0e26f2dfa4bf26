// The best point as a target file: what it states otherwise than its base, laid over it.
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "explore/explore.h"

namespace hwest {
namespace {

constexpr absl::string_view kSource = "explore";

std::string Quoted(absl::string_view text) { return absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\""); }

std::string FactText(absl::string_view field, double value) {
  const Settable plain{.path = "", .fact = "", .measure = ""};
  return absl::StrCat(field, " { value: ", ValueText(plain, value), " source: ", Quoted(kSource),
                      " trust: ESTIMATED }");
}

// The message of a row, "" without members; `head` names it.
std::string RowText(absl::string_view message, const std::string& head, const std::string& members) {
  return members.empty() ? "" : absl::StrCat(message, " {\n  ", head, "\n", members, "}\n");
}

// Members whose figure differs from that of the base.
class Members {
 public:
  void Add(absl::string_view field, const Fact& base, const Fact& best) {
    if (best.known() && best.value() != base.value()) Line(FactText(field, *best.value()));
  }
  void AddCount(absl::string_view field, uint32_t base, uint32_t best) {
    if (base != best) Line(absl::StrCat(field, ": ", best));
  }
  void Line(absl::string_view text) { absl::StrAppend(&text_, "  ", text, "\n"); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string MemoryText(const Memory& base, const Memory& best) {
  Members members;
  members.Add("capacity_bytes", base.capacity_bytes, best.capacity_bytes);
  members.Add("usable_bytes", base.usable_bytes, best.usable_bytes);
  members.Add("bytes_per_s", base.bytes_per_s, best.bytes_per_s);
  members.Add("energy_j_per_byte", base.energy_j_per_byte, best.energy_j_per_byte);
  members.Add("static_w", base.static_w, best.static_w);
  return RowText("memory", absl::StrCat("name: ", Quoted(best.name)), members.text());
}

std::string EnumText(absl::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

void AddRates(const Unit& base, const Unit& best, Members* members) {
  for (size_t r = 0; r < best.rates.size(); ++r) {
    const Rate& rate = best.rates[r];
    Members of_rate;
    of_rate.Add("per_cycle", base.rates[r].per_cycle, rate.per_cycle);
    of_rate.Add("sparse_per_cycle", base.rates[r].sparse_per_cycle, rate.sparse_per_cycle);
    of_rate.Add("energy_j", base.rates[r].energy_j, rate.energy_j);
    if (of_rate.text().empty()) continue;
    const std::string weight = rate.weight == rate.act ? "" : absl::StrCat(" weight: ", EnumText(NumName(rate.weight)));
    members->Line(absl::StrCat("rate { work: ", EnumText(WorkKindName(rate.work)),
                               " act: ", EnumText(NumName(rate.act)), weight, "\n", of_rate.text(), "  }"));
  }
}

bool HasSameTiles(const Unit& base, const Unit& best) {
  if (base.tiles.size() != best.tiles.size()) return false;
  for (size_t t = 0; t < best.tiles.size(); ++t) {
    if (base.tiles[t].n != best.tiles[t].n || base.tiles[t].k != best.tiles[t].k) return false;
  }
  return true;
}

void AddTiles(const Unit& best, Members* members) {
  for (const Tile& tile : best.tiles) {
    const std::string height = tile.m_height > 0 ? absl::StrCat(" m_height: ", tile.m_height) : "";
    const std::string num = tile.num == Num::kUnset ? "" : absl::StrCat(" num: ", EnumText(NumName(tile.num)));
    members->Line(absl::StrCat("tile { m: ", tile.m, " n: ", tile.n, " k: ", tile.k, height, num,
                               " source: ", Quoted(kSource), " }"));
  }
}

const Param* FindParam(const Unit& unit, absl::string_view name) {
  for (const Param& param : unit.params) {
    if (param.name == name) return &param;
  }
  return nullptr;
}

void AddParam(absl::string_view name, const Param& best, Members* members) {
  const Settable plain{.path = "", .fact = "", .measure = ""};
  members->Line(absl::StrCat("param { name: ", Quoted(name), " min: ", ValueText(plain, best.min),
                             " max: ", ValueText(plain, best.max), " ", FactText("fact", *best.fact.value()), " }"));
}

// A plain parameter that is set holds at every precision, so those of the base are restated, too.
void AddParams(const Unit& base, const Unit& best, Members* members) {
  for (const Param& param : best.params) {
    const Param* before = FindParam(base, param.name);
    if (!param.fact.known() || (before != nullptr && before->fact.value() == param.fact.value())) continue;
    AddParam(param.name, param, members);
    for (const Param& other : base.params) {
      const bool is_own = absl::StartsWith(other.name, absl::StrCat(param.name, "."));
      if (is_own && FindParam(best, other.name) == nullptr) AddParam(other.name, param, members);
    }
  }
}

std::string UnitText(const Unit& base, const Unit& best) {
  Members members;
  members.AddCount("instances", base.instances, best.instances);
  members.AddCount("cores", base.cores, best.cores);
  members.Add("clock_hz", base.clock_hz, best.clock_hz);
  AddRates(base, best, &members);
  if (!HasSameTiles(base, best)) AddTiles(best, &members);
  members.Add("vector_bytes", base.vector_bytes, best.vector_bytes);
  members.Add("launch_s", base.launch_s, best.launch_s);
  members.Add("invoke_s", base.invoke_s, best.invoke_s);
  members.Add("switch_s", base.switch_s, best.switch_s);
  members.Add("static_w", base.static_w, best.static_w);
  AddParams(base, best, &members);
  return RowText("unit", absl::StrCat("name: ", Quoted(best.name)), members.text());
}

std::string LinkText(const Link& base, const Link& best) {
  Members members;
  members.Add("bytes_per_s", base.bytes_per_s, best.bytes_per_s);
  members.Add("latency_s", base.latency_s, best.latency_s);
  members.Add("energy_j_per_byte", base.energy_j_per_byte, best.energy_j_per_byte);
  return RowText("link", absl::StrCat("from: ", Quoted(best.from), " to: ", Quoted(best.to)), members.text());
}

std::string ModeText(const Mode& base, const Mode& best) {
  Members members;
  for (size_t s = 0; s < best.settings.size(); ++s) {
    const Setting &before = base.settings[s], &now = best.settings[s];
    Members of_setting;
    if (before.cores != now.cores && now.cores.has_value()) of_setting.Line(absl::StrCat("cores: ", *now.cores));
    of_setting.Add("clock_hz", before.clock_hz, now.clock_hz);
    of_setting.Add("bytes_per_s", before.bytes_per_s, now.bytes_per_s);
    of_setting.Add("launch_s", before.launch_s, now.launch_s);
    of_setting.Add("invoke_s", before.invoke_s, now.invoke_s);
    if (of_setting.text().empty()) continue;
    members.Line(absl::StrCat("set { of: ", Quoted(now.of), "\n", of_setting.text(), "  }"));
  }
  return RowText("mode", absl::StrCat("name: ", Quoted(best.name)), members.text());
}

}  // namespace

std::string BestTargetText(const Exploration& found, const std::string& base_path) {
  const Target &base = *found.base_target, &best = *found.best_target;
  const ExplorePoint& point = found.points[*found.best];
  std::string text =
      absl::StrCat("# ", PointText(found, point), "\nname: ", Quoted(absl::StrCat(found.target, "-best")),
                   "\nsummary: ", Quoted(absl::StrCat(best.summary, ", best by ", ExploreForName(found.objective))),
                   "\nbase: ", Quoted(base_path), "\n\nsources { key: ", Quoted(kSource),
                   " title: \"Chosen by onnx-hwest explore\" url: ", Quoted(base_path), " }\n");
  for (size_t u = 0; u < best.units.size(); ++u) {
    const Unit &before = base.units[UnitId(u)], &now = best.units[UnitId(u)];
    if (!HasSameTiles(before, now) && !before.tiles.empty()) {
      absl::StrAppend(&text, "remove: ", Quoted(absl::StrCat("tile/", now.name)), "\n");
    }
  }
  absl::StrAppend(&text, "\n");
  for (size_t m = 0; m < best.memories.size(); ++m) {
    absl::StrAppend(&text, MemoryText(base.memories[m], best.memories[m]));
  }
  for (size_t u = 0; u < best.units.size(); ++u) {
    absl::StrAppend(&text, UnitText(base.units[UnitId(u)], best.units[UnitId(u)]));
  }
  for (size_t l = 0; l < best.links.size(); ++l) absl::StrAppend(&text, LinkText(base.links[l], best.links[l]));
  for (size_t m = 0; m < best.modes.size(); ++m) absl::StrAppend(&text, ModeText(base.modes[m], best.modes[m]));
  return text;
}

}  // namespace hwest
