// Symbols of a DimPool: records, names, and what a child pool keeps of its parent's.
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ir/dim_impl.h"

namespace hwest {
namespace {

// Python's keywords and the functions our expressions call.
constexpr absl::string_view kReserved[] = {
    "False",   "None",   "True",     "and",    "as",     "assert", "async",  "await",  "break",   "broadcast",
    "ceildiv", "class",  "continue", "def",    "del",    "elif",   "else",   "except", "finally", "for",
    "from",    "global", "if",       "import", "in",     "is",     "lambda", "max",    "min",     "nonlocal",
    "not",     "or",     "pass",     "raise",  "return", "try",    "while",  "with",   "yield"};

bool IsWordChar(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// `text` itself when it is an identifier, else the nearest one: other characters become "_".
std::string ToIdentifier(absl::string_view text) {
  constexpr size_t kMaxName = 128;
  std::string name;
  for (const char c : text.substr(0, kMaxName)) name += IsWordChar(c) ? c : '_';
  if (name != text && name.find_first_not_of('_') == std::string::npos) name = "dim";
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) name = absl::StrCat("dim_", name);
  for (const absl::string_view word : kReserved) {
    if (name == word) return absl::StrCat(name, "_");
  }
  return name;
}

}  // namespace

const Symbol& DimStore::symbol(SymbolId id) const {
  for (const DimStore* pool = this;; pool = pool->parent) {
    if (id.index() >= pool->symbol_base) return pool->symbols[id.index() - pool->symbol_base];
    const auto copy = pool->local_copies.find(id);
    if (copy != pool->local_copies.end()) return *copy->second;
  }
}

Symbol& DimStore::mutable_symbol(SymbolId id) {
  if (id.index() >= symbol_base) return symbols[id.index() - symbol_base];
  auto& copy = local_copies[id];
  if (copy == nullptr) copy = std::make_unique<hwest::Symbol>(parent->symbol(id));
  return *copy;
}

uint32_t DimStore::SymbolTerm(SymbolId id) const {
  const DimStore* pool = this;
  while (id.index() < pool->symbol_base) pool = pool->parent;
  return pool->symbol_terms[id.index() - pool->symbol_base];
}

std::optional<SymbolId> DimStore::FindText(absl::string_view text) const {
  for (const DimStore* pool = this; pool != nullptr; pool = pool->parent) {
    const auto found = pool->by_text.find(text);
    if (found != pool->by_text.end()) return found->second;
  }
  return std::nullopt;
}

bool DimStore::NameTaken(absl::string_view name) const {
  for (const DimStore* pool = this; pool != nullptr; pool = pool->parent) {
    if (pool->names.contains(name)) return true;
  }
  return false;
}

std::string DimStore::UniqueName(absl::string_view wanted) {
  if (!NameTaken(wanted)) return std::string(wanted);
  uint32_t& suffix = next_suffix.try_emplace(std::string(wanted), 2).first->second;
  std::string name;
  do {
    name = absl::StrCat(wanted, "_", suffix++);
  } while (NameTaken(name));
  return name;
}

Dim DimStore::AddSymbol(hwest::Symbol record) {
  const SymbolId id(num_symbols());
  names.insert(record.name);
  symbols.push_back(std::move(record));
  symbol_terms.push_back(Intern(Term{.kind = TermKind::kSymbol, .symbol = id}));
  return Dim::FromTerm(symbol_terms.back());
}

Dim DimStore::SymbolOf(absl::string_view text) {
  if (text.empty()) return Dim::Unknown();
  if (const auto found = FindText(text)) return Dim::FromTerm(SymbolTerm(*found));
  const Dim dim = AddSymbol({.name = UniqueName(ToIdentifier(text)), .text = std::string(text)});
  by_text.emplace(std::string(text), term(dim).symbol);
  return dim;
}

Dim DimStore::Fresh(absl::string_view prefix, hwest::Symbol record) {
  record.name = UniqueName(ToIdentifier(prefix));
  if (record.text.empty()) record.text = record.name;
  return AddSymbol(std::move(record));
}

void DimStore::CollectSymbols(Dim dim, std::vector<SymbolId>* out) const {
  absl::flat_hash_set<uint32_t> seen;  // a long expression shares its parts
  std::vector<Dim> open = {dim};
  while (!open.empty()) {
    const Dim next = open.back();
    open.pop_back();
    if (!next.is_symbolic() || !seen.insert(next.term()).second) continue;
    const Term& found = term(next);
    if (found.kind == TermKind::kSymbol) out->push_back(found.symbol);
    open.insert(open.end(), found.args.begin(), found.args.end());
    for (const Monomial& monomial : found.poly) {
      for (const PolyFactor& factor : monomial.factors) open.push_back(Dim::FromTerm(factor.atom.term));
    }
  }
}

}  // namespace hwest
