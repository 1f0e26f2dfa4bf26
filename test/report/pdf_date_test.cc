#include "report/pdf_date.h"

#include "support/catch.h"

namespace hwest {
namespace {

std::string Pdf(const std::string& date, const std::string& offset, const std::string& start) {
  return "%PDF\n1 0 obj\n<< /Producer (cairo)\n   " + date + "\n>>\nendobj\n2 0 obj\nendobj\nxref\n0 3\n" +
         "0000000000 65535 f \n0000000005 00000 n \n" + offset + " 00000 n \ntrailer\nstartxref\n" + start +
         "\n%%EOF\n";
}

TEST_CASE("one day for every clock and time zone, and offsets that still hold") {
  const std::string fixed = Pdf("/CreationDate (D:19700101000000Z)", "0000000081", "96");
  REQUIRE(fixed.find("2 0 obj") == 81);
  REQUIRE(fixed.find("xref\n") == 96);
  for (std::string pdf : {Pdf("/CreationDate (D:20261121172500Z)", "0000000081", "96"),
                          Pdf("/CreationDate (D:20261121172500+09'00)", "0000000086", "101"),
                          Pdf("/CreationDate (D:20261121172500-05'00)", "0000000086", "101")}) {
    RemoveDate(&pdf);
    CHECK(pdf == fixed);
  }
}

TEST_CASE("a file without a date, or cut short, stays readable") {
  for (const std::string text : {"", "%PDF\n", "/CreationDate (D:2026", "/CreationDate (D:19700101000000Z)\nxref\n"}) {
    std::string pdf = text;
    RemoveDate(&pdf);
    CHECK(pdf == text);
  }
}

}  // namespace
}  // namespace hwest
