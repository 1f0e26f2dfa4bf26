// The subset of YAML that data files are written in, as a tree of JSON.
#include <cctype>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "measured/csv_table.h"
#include "measured/import_tree.h"

namespace hwest {
namespace {

constexpr int kMaxYamlDepth = 64;

struct Line {
  size_t number = 0;  // 1-based
  size_t indent = 0;
  absl::string_view text;  // without indentation, comment and trailing spaces
};

// Where a comment begins: a '#' at the start or behind a space, outside quotes.
size_t CommentAt(absl::string_view text) {
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    if (quote != '\0') {
      if (quote == '"' && text[i] == '\\')
        ++i;
      else if (text[i] == quote)
        quote = '\0';
    } else if ((text[i] == '"' || text[i] == '\'') && (i == 0 || text[i - 1] == ' ')) {
      quote = text[i];
    } else if (text[i] == '#' && (i == 0 || text[i - 1] == ' ')) {
      return i;
    }
  }
  return text.size();
}

std::vector<Line> LinesOf(absl::string_view text) {
  std::vector<Line> lines;
  size_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    absl::ConsumeSuffix(&line, "\r");
    const size_t indent = line.find_first_not_of(' ');
    if (indent == absl::string_view::npos) continue;
    line.remove_prefix(indent);
    line = absl::StripTrailingAsciiWhitespace(line.substr(0, CommentAt(line)));
    if (line.empty() || line == "---" || line == "...") continue;
    lines.push_back({number, indent, line});
  }
  return lines;
}

bool IsItem(absl::string_view text) { return text == "-" || absl::StartsWith(text, "- "); }

// Position of the ':' that ends the key of a mapping, npos when the text is no member of one.
size_t KeyEnd(absl::string_view text) {
  size_t from = 1;
  if (text[0] == '"' || text[0] == '\'') {
    from = text.find(text[0], 1);
    if (from == absl::string_view::npos) return from;
  }
  for (size_t at = text.find(':', from); at != absl::string_view::npos; at = text.find(':', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] == ' ') return at;
  }
  return absl::string_view::npos;
}

class YamlReader {
 public:
  YamlReader(absl::string_view text, absl::string_view name) : name_(name), lines_(LinesOf(text)) {}

  absl::StatusOr<Tree> Run() {
    if (lines_.empty()) return Tree();
    HWEST_ASSIGN_OR_RETURN(Tree tree, Block(lines_[0].indent, 0));
    if (next_ < lines_.size()) return Error(lines_[next_], "the indentation fits no line above");
    return tree;
  }

 private:
  absl::Status Error(const Line& line, absl::string_view what) const {
    return CsvError(name_, line.number, what, "give a file of plain mappings and sequences");
  }
  bool At(size_t indent) const { return next_ < lines_.size() && lines_[next_].indent == indent; }
  absl::StatusOr<Tree> Block(size_t indent, int depth);
  absl::StatusOr<Tree> Sequence(size_t indent, int depth);
  absl::StatusOr<Tree> Mapping(size_t indent, int depth);
  // What stands behind a key, or on the lines below it.
  absl::StatusOr<Tree> ValueOf(const Line& line, absl::string_view rest, int depth);
  absl::StatusOr<Tree> Scalar(const Line& line, absl::string_view text) const;
  absl::StatusOr<std::string> Quoted(const Line& line, absl::string_view text) const;
  std::string Folded(size_t indent);

  absl::string_view name_;
  std::vector<Line> lines_;
  size_t next_ = 0;
};

absl::StatusOr<Tree> YamlReader::Block(size_t indent, int depth) {
  if (depth > kMaxYamlDepth) return Error(lines_[next_], "nested too deeply");
  if (IsItem(lines_[next_].text)) return Sequence(indent, depth);
  if (KeyEnd(lines_[next_].text) != absl::string_view::npos) return Mapping(indent, depth);
  const Line line = lines_[next_++];
  return Scalar(line, line.text);
}

absl::StatusOr<Tree> YamlReader::Sequence(size_t indent, int depth) {
  Tree items = Tree::array();
  while (At(indent) && IsItem(lines_[next_].text)) {
    Line& line = lines_[next_];
    const size_t skip = line.text.find_first_not_of(' ', 1);
    if (skip == absl::string_view::npos) {
      ++next_;
      const bool has_block = next_ < lines_.size() && lines_[next_].indent > indent;
      if (!has_block) items.push_back(nullptr);
      if (!has_block) continue;
    } else {
      line.indent += skip;  // the item's content is the first line of a block of its own
      line.text.remove_prefix(skip);
    }
    HWEST_ASSIGN_OR_RETURN(Tree item, Block(lines_[next_].indent, depth + 1));
    items.push_back(std::move(item));
  }
  return items;
}

absl::StatusOr<Tree> YamlReader::Mapping(size_t indent, int depth) {
  Tree members = Tree::object();
  while (At(indent) && !IsItem(lines_[next_].text)) {
    const Line line = lines_[next_];
    const size_t end = KeyEnd(line.text);
    if (end == absl::string_view::npos) return Error(line, "no 'key: value'");
    std::string key(line.text.substr(0, end));
    if (key[0] == '"' || key[0] == '\'') {
      HWEST_ASSIGN_OR_RETURN(key, Quoted(line, line.text.substr(0, end)));
    }
    ++next_;
    HWEST_ASSIGN_OR_RETURN(Tree value,
                           ValueOf(line, absl::StripLeadingAsciiWhitespace(line.text.substr(end + 1)), depth));
    members[key] = std::move(value);
  }
  return members;
}

absl::StatusOr<Tree> YamlReader::ValueOf(const Line& line, absl::string_view rest, int depth) {
  if (!rest.empty() && (rest[0] == '|' || rest[0] == '>')) return Tree(Folded(line.indent));
  if (!rest.empty()) return Scalar(line, rest);
  if (next_ >= lines_.size()) return Tree();
  const Line& below = lines_[next_];
  // A sequence may stand as far left as the key it belongs to.
  const bool belongs = below.indent > line.indent || (below.indent == line.indent && IsItem(below.text));
  if (!belongs) return Tree();
  return Block(below.indent, depth + 1);
}

std::string YamlReader::Folded(size_t indent) {
  std::string text;
  for (; next_ < lines_.size() && lines_[next_].indent > indent; ++next_)
    absl::StrAppend(&text, lines_[next_].text, "\n");
  return text;
}

absl::StatusOr<std::string> YamlReader::Quoted(const Line& line, absl::string_view text) const {
  const char quote = text[0];
  if (text.size() < 2 || text.back() != quote) return Error(line, "a quote is never closed");
  std::string value;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    const bool escaped = (quote == '"' && text[i] == '\\') || (quote == '\'' && text[i] == '\'');
    if (escaped && ++i + 1 >= text.size()) return Error(line, "a quote is never closed");
    value.push_back(text[i]);
  }
  return value;
}

absl::StatusOr<Tree> YamlReader::Scalar(const Line& line, absl::string_view text) const {
  if (text.empty() || text == "null" || text == "~") return Tree();
  if (text == "true" || text == "false") return Tree(text == "true");
  if (text == "[]") return Tree::array();
  if (text == "{}") return Tree::object();
  if (text[0] == '"' || text[0] == '\'') {
    HWEST_ASSIGN_OR_RETURN(std::string value, Quoted(line, text));
    return Tree(std::move(value));
  }
  if (absl::string_view("[{&*!%@`").find(text[0]) != absl::string_view::npos) {
    return Error(line, absl::StrCat("'", text.substr(0, 1), "' is not understood here"));
  }
  double number;
  const bool may_be_number = std::isdigit(static_cast<unsigned char>(text.back())) != 0 || text.back() == '.';
  if (may_be_number && absl::SimpleAtod(text, &number)) return Tree(number);
  return Tree(std::string(text));
}

}  // namespace

absl::StatusOr<Tree> ParseYaml(absl::string_view text, absl::string_view name) { return YamlReader(text, name).Run(); }

}  // namespace hwest
