// Cell: one value of a report, as in JSON: null, a truth, a number, a text, a list or an object.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest {

class Cell {
 public:
  using List = std::vector<Cell>;
  using Member = std::pair<std::string, Cell>;
  using Object = std::vector<Member>;

  Cell() = default;
  Cell(std::nullptr_t) {}  // NOLINT: cells are made from what they hold
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Cell(T number) {
    if constexpr (std::is_same_v<T, bool>) {
      value_ = number;
    } else {
      value_ = static_cast<int64_t>(number);
    }
  }
  Cell(double number) : value_(number) {}
  Cell(std::string text) : value_(std::move(text)) {}
  Cell(absl::string_view text) : value_(std::string(text)) {}
  Cell(const char* text) : value_(std::string(text)) {}
  Cell(std::initializer_list<Member> members) : value_(Object(members)) {}
  Cell(const std::vector<std::string>& texts) : value_(List(texts.begin(), texts.end())) {}
  template <class T>
  Cell(const std::optional<T>& maybe) {
    if (maybe.has_value()) *this = Cell(*maybe);
  }
  static Cell OfList(List list = {}) { return Cell(Value(std::move(list))); }
  static Cell OfObject(Object object = {}) { return Cell(Value(std::move(object))); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_number() const { return number() != nullptr || real() != nullptr; }
  bool is_structured() const { return list() != nullptr || object() != nullptr; }
  // Null, "", or a list without elements.
  bool is_empty() const {
    return is_null() || (text() != nullptr && text()->empty()) || (list() != nullptr && list()->empty());
  }

  const bool* truth() const { return std::get_if<bool>(&value_); }  // null when it is none, as the next ones
  const int64_t* number() const { return std::get_if<int64_t>(&value_); }
  const double* real() const { return std::get_if<double>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const List* list() const { return std::get_if<List>(&value_); }
  const Object* object() const { return std::get_if<Object>(&value_); }
  double figure() const { return number() != nullptr ? static_cast<double>(*number()) : *real(); }  // of a number

  void push_back(Cell cell) { std::get<List>(value_).push_back(std::move(cell)); }
  void Set(std::string key, Cell cell) { std::get<Object>(value_).emplace_back(std::move(key), std::move(cell)); }

 private:
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string, List, Object>;
  explicit Cell(Value value) : value_(std::move(value)) {}

  Value value_;
};

using Cells = std::vector<Cell>;

// What a partly known figure still says: a sum is a lower bound, a rate an upper bound, a ratio nothing.
enum class BoundKind : uint8_t { kNone, kAtLeast, kAtMost };
// What must be known of every node for a figure to cover them all.
namespace need {
inline constexpr uint8_t kTypes = 1, kCounts = 2, kTimes = 4;
}

// A column of a table of cells.
struct ColumnInfo {
  std::string key;
  std::string id_prefix = "";  // what `explain` puts before its ids: "#" of nodes, "g" of groups
  bool has_none = false;       // null says that there is none, not that it is unknown
  bool is_asked = false;       // in an object: left out where it is null
  bool is_of_shapes = false;   // in the summary: needs no target
  BoundKind bound = BoundKind::kNone;
  uint8_t needs = need::kTimes;
};
using Columns = std::vector<ColumnInfo>;

// How text prints a number.
enum class Shown : uint8_t {
  kPlain,
  kCount,
  kSeconds,
  kBytes,
  kJoules,
  kWatts,
  kPerSecond,
  kShare,
  kRatio,
  kShareOfTotal,
  kBar
};

// A column of a plain text table: which column of cells it shows, and how.
struct TextColumn {
  std::string title;
  size_t column = 0;  // of the table of cells
  Shown shown = Shown::kPlain;
  std::string null;           // the text for null
  bool is_word = false;       // aligned left
  bool is_shortened = false;  // loses its middle where the page is narrow
  bool is_dim = false;
};
using TextColumns = std::vector<TextColumn>;

}  // namespace hwest
