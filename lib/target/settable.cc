#include "target/settable.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "target/kinds.h"
#include "target/names.h"
#include "target/params.h"

namespace hwest {
namespace {

constexpr size_t kMostValues = 100'000;

// A field that holds one fact; `in_mode` = the same of a mode, which may state it, too.
template <class Owner>
struct FactField {
  absl::string_view word;
  absl::string_view field;
  Fact Owner::* fact;
  Fact Setting::* in_mode = nullptr;
};
constexpr FactField<Memory> kMemoryFields[] = {
    {"size", "capacity_bytes", &Memory::capacity_bytes},
    {"usable", "usable_bytes", &Memory::usable_bytes},
    {"bandwidth", "bytes_per_s", &Memory::bytes_per_s, &Setting::bytes_per_s},
    {"energy", "energy_j_per_byte", &Memory::energy_j_per_byte},
    {"static", "static_w", &Memory::static_w},
};
constexpr FactField<Unit> kUnitFields[] = {
    {"clock", "clock_hz", &Unit::clock_hz, &Setting::clock_hz},
    {"vector", "vector_bytes", &Unit::vector_bytes},
    {"launch", "launch_s", &Unit::launch_s, &Setting::launch_s},
    {"invoke", "invoke_s", &Unit::invoke_s, &Setting::invoke_s},
    {"switch", "switch_s", &Unit::switch_s},
    {"static", "static_w", &Unit::static_w},
};
constexpr FactField<Link> kLinkFields[] = {
    {"bandwidth", "bytes_per_s", &Link::bytes_per_s},
    {"latency", "latency_s", &Link::latency_s},
    {"energy", "energy_j_per_byte", &Link::energy_j_per_byte},
};
constexpr absl::string_view kCores = "cores", kInstances = "instances", kRows = "rows", kColumns = "columns",
                            kMacs = "macs";

std::string NameOf(const Memory& memory) { return memory.name; }
std::string NameOf(const Unit& unit) { return unit.name; }
std::string NameOf(const Link& link) { return absl::StrCat(link.from, ":", link.to); }

// The usual CONTRACTION rate: of the unit's own precision, else the first.
const Rate* UsualRate(const Unit& unit) {
  const Rate* usual = nullptr;
  for (const Rate& rate : unit.rates) {
    if (rate.work != WorkKind::kContraction || !rate.per_cycle.known()) continue;
    if (usual == nullptr || (rate.act == unit.precision && usual->act != unit.precision)) usual = &rate;
  }
  return usual;
}

// The array behind the usual rate: a stated tile, else a square one.
std::optional<Tile> ArrayOf(const Unit& unit) {
  const Rate* usual = UsualRate(unit);
  if (usual == nullptr || !KindTraitsOf(unit).has_array) return std::nullopt;
  const Tile* found = nullptr;
  for (const Tile& tile : unit.tiles) {
    if (tile.num != Num::kUnset && tile.num != usual->act) continue;
    if (found == nullptr || tile.k * tile.n > found->k * found->n) found = &tile;
  }
  if (found != nullptr) return *found;
  const auto side = static_cast<uint32_t>(std::max(1L, std::lround(std::sqrt(*usual->per_cycle.value()))));
  return Tile{.m = 1, .n = side, .k = side, .m_height = 0, .num = usual->act, .source = ""};
}

void State(double value, Fact* fact) {
  fact->stated = value;
  fact->fit.reset();
  fact->min.reset();
  fact->max.reset();
}

void ScaleFact(double factor, Fact* fact) {
  if (fact->known()) State(*fact->value() * factor, fact);
}

void ScaleContractions(double factor, Unit* unit) {
  for (Rate& rate : unit->rates) {
    if (rate.work != WorkKind::kContraction) continue;
    ScaleFact(factor, &rate.per_cycle);
    ScaleFact(factor, &rate.sparse_per_cycle);
  }
}

void SetArray(uint32_t Tile::* side, double value, Unit* unit) {
  const Tile array = *ArrayOf(*unit);
  const double factor = value / static_cast<double>(array.*side);
  if (unit->tiles.empty()) {
    for (const Rate& rate : unit->rates) {
      if (rate.work != WorkKind::kContraction || !rate.per_cycle.known()) continue;
      const auto own = static_cast<uint32_t>(std::max(1L, std::lround(std::sqrt(*rate.per_cycle.value()))));
      unit->tiles.push_back(
          {.m = 1, .n = own, .k = own, .m_height = 0, .num = rate.act, .source = rate.per_cycle.source});
    }
  }
  for (Tile& tile : unit->tiles) {
    tile.*side = static_cast<uint32_t>(std::max(1L, std::lround(static_cast<double>(tile.*side) * factor)));
  }
  ScaleContractions(factor, unit);
}

bool IsOnChip(const Target& target, const Memory& memory) {
  const auto index = static_cast<uint32_t>(&memory - target.memories.data());
  bool is_near = false;
  for (const Unit& unit : target.units) {
    if (unit.memories.empty()) continue;
    if (unit.memories.back() == index) return false;
    is_near = is_near || std::find(unit.memories.begin(), unit.memories.end(), index) != unit.memories.end();
  }
  return is_near;
}

void SetSize(double value, bool is_on_chip, Memory* memory) {
  const std::optional<double> before = memory->capacity_bytes.value();
  State(value, &memory->capacity_bytes);
  if (!before.has_value() || *before <= 0) return;
  ScaleFact(value / *before, &memory->usable_bytes);
  if (!is_on_chip) return;
  ScaleFact(value / *before, &memory->static_w);
  ScaleFact(std::sqrt(value / *before), &memory->energy_j_per_byte);
}

// A plain parameter holds at every precision: those stated at one are left out.
void SetParam(absl::string_view name, double value, Unit* unit) {
  const bool is_plain = name.find('.') == absl::string_view::npos;
  const auto is_own = [&](const Param& param) {
    return param.name == name || (is_plain && absl::StartsWith(param.name, absl::StrCat(name, ".")));
  };
  unit->params.erase(std::remove_if(unit->params.begin(), unit->params.end(), is_own), unit->params.end());
  const ParamRow& row = *FindParamRow(name);
  Param param{.name = std::string(name), .fact = {}, .min = std::min(row.min, value), .max = std::max(row.max, value)};
  State(value, &param.fact);
  unit->params.push_back(std::move(param));
}

class Lister {
 public:
  explicit Lister(const Target& target) : target_(target) {}

  std::vector<Settable> Run() && {
    for (const Memory& memory : target_.memories) AddFields(kMemoryFields, "memory/", memory);
    for (const Unit& unit : target_.units) AddUnit(unit);
    for (const Link& link : target_.links) AddFields(kLinkFields, "link/", link);
    return std::move(rows_);
  }

 private:
  template <class Owner, size_t size>
  void AddFields(const FactField<Owner> (&fields)[size], absl::string_view part, const Owner& owner) {
    const std::string name = NameOf(owner);
    for (const FactField<Owner>& field : fields) {
      Settable row{.path = absl::StrCat(name, ".", field.word),
                   .fact = absl::StrCat(part, name, "/", field.field),
                   .measure = std::string(MeasureOf(field.field)),
                   .value = (owner.*field.fact).value()};
      row.is_whole = row.measure == "B";
      rows_.push_back(std::move(row));
    }
  }

  void AddCount(const Unit& unit, absl::string_view word, std::optional<double> value, std::string fact = "") {
    rows_.push_back({.path = absl::StrCat(unit.name, ".", word),
                     .fact = std::move(fact),
                     .measure = "",
                     .is_whole = true,
                     .min = 1,
                     .value = value});
  }

  void AddUnit(const Unit& unit) {
    if (!unit.placeable) return;
    AddCount(unit, kCores, unit.cores);
    AddCount(unit, kInstances, unit.instances);
    if (const std::optional<Tile> array = ArrayOf(unit)) {
      AddCount(unit, kRows, array->k);
      AddCount(unit, kColumns, array->n);
    }
    if (const Rate* usual = UsualRate(unit)) {
      AddCount(unit, kMacs, usual->per_cycle.value());
      rows_.back().fact = absl::StrCat("unit/", unit.name, "/rate/contraction/", NumName(usual->act), "/per_cycle");
    }
    AddFields(kUnitFields, "unit/", unit);
    for (const ParamRow& param : AllParams()) {
      if (!IsFor(param, unit.kind)) continue;
      rows_.push_back({.path = absl::StrCat(unit.name, ".", param.name),
                       .fact = absl::StrCat("unit/", unit.name, "/param/", param.name),
                       .measure = std::string(MeasureOf(param.name)),
                       .min = param.min,
                       .max = param.max,
                       .value = ParamOf(unit, param.name).value_or(DefaultOf(param, unit.kind))});
    }
  }

  const Target& target_;
  std::vector<Settable> rows_;
};

// The row that `path` names by word, by the field of the file, or by a parameter at a precision.
std::optional<Settable> Match(const Settable& row, absl::string_view path) {
  if (row.path == path) return row;
  const absl::string_view owner = absl::string_view(row.path).substr(0, row.path.find('.'));
  absl::string_view field = path;
  if (!absl::ConsumePrefix(&field, owner) || !absl::ConsumePrefix(&field, ".")) return std::nullopt;
  const absl::string_view last = absl::string_view(row.fact).substr(row.fact.rfind('/') + 1);
  if (!row.fact.empty() && field == last && last != "per_cycle") return row;
  const size_t dot = field.find('.');
  if (dot == absl::string_view::npos || last != field.substr(0, dot) || FindParamRow(field) == nullptr) {
    return std::nullopt;
  }
  Settable precise = row;
  precise.path = std::string(path);
  precise.fact = absl::StrCat(row.fact, field.substr(dot));
  return precise;
}

struct Prefix {
  absl::string_view text;
  double factor;
};
constexpr Prefix kPrefixes[] = {{"Ti", 1099511627776.0},
                                {"Gi", 1073741824.0},
                                {"Mi", 1048576.0},
                                {"Ki", 1024.0},
                                {"T", 1e12},
                                {"G", 1e9},
                                {"M", 1e6},
                                {"k", 1e3},
                                {"K", 1e3},
                                {"", 1},
                                {"m", 1e-3},
                                {"u", 1e-6},
                                {"n", 1e-9},
                                {"p", 1e-12},
                                {"f", 1e-15}};

std::string FormOf(const Settable& figure) {
  const absl::string_view examples[][2] = {{"B", "1MB,2MB or 0.5MB:8MB:x2"},
                                           {"B/s", "8GB/s,16GB/s or 8GB/s:64GB/s:x2"},
                                           {"Hz", "800MHz,1GHz or 0.5GHz:2GHz:+500MHz"},
                                           {"s", "5us,10us"},
                                           {"W", "0.2W,0.4W"},
                                           {"J/B", "20pJ/B,40pJ/B"}};
  for (const auto& [measure, example] : examples) {
    if (figure.measure == measure) return absl::StrCat("write ", example);
  }
  return figure.is_whole ? "write 8,16,32 or 8:128:x2" : "write 0.5,0.7 or 0.5:0.9:+0.1";
}

absl::Status BadValues(absl::string_view flag, absl::string_view text, const Settable& figure,
                       absl::string_view why = "") {
  return MakeError(Code::kUsage,
                   absl::StrCat(flag, " ", figure.path, "=", EscapeControl(text),
                                why.empty() ? absl::string_view(" cannot be read") : why),
                   FormOf(figure));
}

class ValueReader {
 public:
  ValueReader(absl::string_view flag, absl::string_view text, const Settable& figure)
      : flag_(flag), text_(text), figure_(figure) {}

  absl::StatusOr<std::vector<double>> Run() && {
    for (const absl::string_view part : absl::StrSplit(text_, ',')) HWEST_RETURN_IF_ERROR(AddPart(part));
    std::set<double> seen;
    for (const double value : values_) {
      if (!seen.insert(value).second) return Bad(absl::StrCat(" names ", ValueText(figure_, value), " twice"));
    }
    return std::move(values_);
  }

 private:
  absl::Status Bad(absl::string_view why = "") const { return BadValues(flag_, text_, figure_, why); }

  absl::Status Add(double value) {
    if (values_.size() == kMostValues) return Bad(" has more than 100,000 values");
    if (figure_.is_whole) value = std::round(value);
    if (!(value >= figure_.min && value <= figure_.max) || value <= 0) {
      const bool may_be_zero = value == 0 && figure_.min == 0 && !figure_.is_whole;
      if (!may_be_zero) return Bad(absl::StrCat(": ", ValueText(figure_, value), " is out of range"));
    }
    values_.push_back(value);
    return absl::OkStatus();
  }

  // FIRST, or FIRST:LAST:xK or FIRST:LAST:+STEP.
  absl::Status AddPart(absl::string_view part) {
    const std::vector<absl::string_view> words = absl::StrSplit(part, ':');
    const std::optional<double> first = ReadQuantity(words[0], figure_.measure);
    if (!first.has_value() || (words.size() != 1 && words.size() != 3)) return Bad();
    if (words.size() == 1) return Add(*first);
    absl::string_view step_text = words[2];
    const bool multiplies = absl::ConsumePrefix(&step_text, "x");
    if (!multiplies && !absl::ConsumePrefix(&step_text, "+")) return Bad();
    const std::optional<double> last = ReadQuantity(words[1], figure_.measure);
    const std::optional<double> step = ReadQuantity(step_text, multiplies ? "" : figure_.measure);
    const bool grows = last.has_value() && step.has_value() && (multiplies ? *step > 1 && *first > 0 : *step > 0);
    if (!grows || *first > *last) return Bad();
    constexpr double kRounding = 1 + 1e-9;  // 0.5:0.9:+0.1 ends at 0.9
    double value = *first;
    for (int i = 1; value <= *last * kRounding; ++i) {
      HWEST_RETURN_IF_ERROR(Add(value));
      value = multiplies ? value * *step : *first + i * *step;
    }
    return absl::OkStatus();
  }

  const absl::string_view flag_, text_;
  const Settable& figure_;
  std::vector<double> values_;
};

// The fewest digits that read back as the same number.
std::string Digits(double value) {
  for (int digits = 6; digits < 17; ++digits) {
    const std::string text = absl::StrFormat("%.*g", digits, value);
    double back;
    if (absl::SimpleAtod(text, &back) && back == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

template <class Owner, size_t size>
const FactField<Owner>* FieldOf(const FactField<Owner> (&fields)[size], absl::string_view word) {
  for (const FactField<Owner>& field : fields) {
    if (field.word == word) return &field;
  }
  return nullptr;
}

void StateInModes(absl::string_view owner, Fact Setting::* fact, double value, Target* target) {
  if (fact == nullptr) return;
  for (Mode& mode : target->modes) {
    for (Setting& setting : mode.settings) {
      if (setting.of == owner && (setting.*fact).known()) State(value, &(setting.*fact));
    }
  }
}

void SetOfUnit(absl::string_view word, double value, Unit* unit, Target* target) {
  const auto count = static_cast<uint32_t>(value);
  if (const FactField<Unit>* field = FieldOf(kUnitFields, word)) {
    State(value, &(unit->*field->fact));
    StateInModes(unit->name, field->in_mode, value, target);
  } else if (word == kCores) {
    unit->cores = count;
    for (Mode& mode : target->modes) {
      for (Setting& setting : mode.settings) {
        if (setting.of == unit->name && setting.cores.has_value()) setting.cores = count;
      }
    }
  } else if (word == kInstances) {
    unit->instances = count;
  } else if (word == kRows) {
    SetArray(&Tile::k, value, unit);
  } else if (word == kColumns) {
    SetArray(&Tile::n, value, unit);
  } else if (word == kMacs) {
    ScaleContractions(value / *UsualRate(*unit)->per_cycle.value(), unit);
  } else {
    SetParam(word, value, unit);
  }
}

}  // namespace

std::vector<Settable> SettablesOf(const Target& target) { return Lister(target).Run(); }

absl::StatusOr<Settable> FindSettable(const Target& target, absl::string_view path) {
  std::vector<std::string> known;
  for (const Settable& row : SettablesOf(target)) {
    if (std::optional<Settable> match = Match(row, path)) return *std::move(match);
    known.push_back(row.path);
  }
  return MakeError(
      Code::kUsage, absl::StrCat("target ", target.name, " has no '", EscapeControl(path), "' that can be set"),
      absl::StrCat(DidYouMean(path, known), "`onnx-hwest targets show NAME` lists what can, in its column `set`"));
}

absl::StatusOr<std::vector<double>> ParseValues(absl::string_view flag, absl::string_view text,
                                                const Settable& figure) {
  return ValueReader(flag, text, figure).Run();
}

std::optional<double> ReadQuantity(absl::string_view text, absl::string_view measure) {
  const size_t letters = text.find_first_not_of("0123456789.+-eE ");
  absl::string_view number = absl::StripAsciiWhitespace(text.substr(0, letters));
  absl::string_view unit = letters == absl::string_view::npos ? "" : absl::StripAsciiWhitespace(text.substr(letters));
  double value;
  if (!absl::SimpleAtod(number, &value) || !std::isfinite(value)) return std::nullopt;
  if (unit.empty()) return value;
  if (!measure.empty() && !absl::ConsumeSuffix(&unit, measure)) return std::nullopt;
  for (const Prefix& prefix : kPrefixes) {
    if (unit == prefix.text) return value * prefix.factor;
  }
  return std::nullopt;
}

std::string ValueText(const Settable& figure, double value) {
  if (figure.measure.empty() || value == 0) return Digits(value);
  constexpr absl::string_view kSpoken[] = {"T", "G", "M", "k", "", "m", "u", "n", "p"};
  std::string best;
  for (const absl::string_view text : kSpoken) {
    const auto prefix =
        std::find_if(std::begin(kPrefixes), std::end(kPrefixes), [&](const Prefix& row) { return row.text == text; });
    const double scaled = value / prefix->factor;
    if (scaled < 1 || scaled * prefix->factor != value) continue;
    best = absl::StrCat(Digits(scaled), " ", text, figure.measure);
    break;
  }
  return best.empty() ? absl::StrCat(Digits(value), " ", figure.measure) : best;
}

void SetFigure(const Settable& figure, double value, Target* target) {
  const size_t dot = figure.path.find('.');
  const absl::string_view owner = absl::string_view(figure.path).substr(0, dot);
  const absl::string_view word = absl::string_view(figure.path).substr(dot + 1);
  for (Memory& memory : target->memories) {
    if (memory.name != owner) continue;
    const FactField<Memory>& field = *FieldOf(kMemoryFields, word);
    if (field.fact == &Memory::capacity_bytes) return SetSize(value, IsOnChip(*target, memory), &memory);
    State(value, &(memory.*field.fact));
    return StateInModes(owner, field.in_mode, value, target);
  }
  for (Unit& unit : target->units) {
    if (unit.name == owner) return SetOfUnit(word, value, &unit, target);
  }
  for (Link& link : target->links) {
    if (NameOf(link) == owner) State(value, &(link.*FieldOf(kLinkFields, word)->fact));
  }
}

}  // namespace hwest
