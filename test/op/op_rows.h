// Table rows that most tests of operator families share.
#pragma once

#include <string>
#include <vector>

#include "op/op_fixture.h"

namespace hwest {

// One node and everything that is expected of it.
struct OpRow {
  const char* name;
  OpCase op;
  std::vector<std::string> types;  // of all outputs
  std::string macs = "0";
  std::string ops;
  std::string contractions;
  std::string int_macs = "0";
};

// CheckRows runs every row and checks types, counts and geometry.
void CheckRows(const std::vector<OpRow>& rows);

// One node, its output 0 and what is known of the contents of that.
struct KnownRow {
  const char* name;
  OpCase op;
  std::string type;
  std::string known = "none";
};

// CheckKnown runs every row and checks type and contents of output 0.
void CheckKnown(const std::vector<KnownRow>& rows);

// CheckRefused runs a node that infer has to refuse with a message containing `message`, setting no output.
void CheckRefused(const OpCase& op, const std::string& message);

}  // namespace hwest
