#include "measured/csv_table.h"

#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

using Fields = std::vector<std::string>;

TEST_CASE("fields as RFC 4180 writes them") {
  const auto table = ParseCsv(
      "\xef\xbb\xbf"
      "a,\"b,c\",d\r\n"
      "1,\"say \"\"x\"\"\",\"two\nlines\"\r\n"
      "\n"
      ",,\n"
      "last,\"\",no end",
      "t.csv");
  REQUIRE(table.ok());
  CHECK(table->header == Fields{"a", "b,c", "d"});
  REQUIRE(table->records.size() == 3);
  CHECK(table->records[0].fields == Fields{"1", "say \"x\"", "two\nlines"});
  CHECK(table->records[0].line == 2);
  CHECK(table->records[1].fields == Fields{"", "", ""});
  CHECK(table->records[1].line == 5);
  CHECK(table->records[2].fields == Fields{"last", "", "no end"});
}

struct BadTable {
  const char* text;
  const char* where;
  const char* what;
};

TEST_CASE("a table that cannot be read names the line") {
  const auto c = GENERATE(values<BadTable>({
      {"", "t.csv:1: ", "empty"},
      {"\n\n", "t.csv:1: ", "empty"},
      {"a,b\n1,2\n\"x\n,y", "t.csv:3: ", "never closed"},
      {"a,b\n\"1\"2,3\n", "t.csv:2: ", "follows a quoted field"},
      {"a,b\n1,2\n1,2,3\n", "t.csv:3: ", "3 fields, the header has 2"},
      {"a,b\n1\n", "t.csv:2: ", "1 fields, the header has 2"},
      {"a,b,a\n", "t.csv:1: ", "two columns are called 'a'"},
  }));
  const auto table = ParseCsv(c.text, "t.csv");
  REQUIRE_FALSE(table.ok());
  const Diagnostic error = DiagnosticOf(table.status());
  CHECK(error.code == Code::kUsage);
  CHECK_THAT(error.message, Catch::StartsWith(c.where) && Catch::Contains(c.what));
}

}  // namespace
}  // namespace hwest::test
