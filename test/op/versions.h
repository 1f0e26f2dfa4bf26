// Every operator at every version: tables of one representative node for each signature an operator has had.
//
// A row runs its node once at each version it names and compares the types of all outputs. versions_test.cc fails when
// a rule of the standard domains has a version without a row. To cover an operator, add to the table of its family
//
//   {"1 6", {.op = "Clip", .inputs = {"float[2]"}, .attrs = {Float("min", 0)}}, {"float[2]"}},
//   {"11 12 13", {.op = "Clip", .inputs = {"float[2]", "float[]"}}, {"float[2]"}},
//   {"*", {.op = "Abs", .inputs = {"float[2]"}}, {"float[2]"}},            // "*" = all versions of its rule
//
// each written as its versions allow: attributes where they were attributes, inputs where they are inputs. A new family
// is one file with one function, named here and in AllVersionRows().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "op/op_fixture.h"

namespace hwest {

// VersionRow runs `op` at each of `versions`; opset or domain_version are set to the version.
struct VersionRow {
  std::string versions;            // since-versions of the operator's rule, or "*" for all of them
  OpCase op;                       // `outputs` follows from `types`
  std::vector<std::string> types;  // of all outputs
  // For nodes with bodies, which an OpCase cannot write: types of all outputs at the given version; only op.op is read.
  std::function<std::vector<std::string>(int version)> run = nullptr;
};

std::vector<VersionRow>
ComputeVersions();  // products, convolutions, attention, pools, normalisation, recurrent, quantised
std::vector<VersionRow> ControlVersions();  // nodes with bodies, sequences, optionals
std::vector<VersionRow> OrtVersions();      // what ONNX Runtime adds to the default domain
std::vector<VersionRow> MlVersions();       // ai.onnx.ml, training
std::vector<VersionRow> PointwiseVersions();
std::vector<VersionRow> ReduceVersions();  // reductions, TopK, detection
std::vector<VersionRow> ShapeVersions();   // views, movement, indexing, resampling, constants
std::vector<VersionRow> SignalVersions();  // signal, random, image, loss, text

// The rows of all families.
std::vector<VersionRow> AllVersionRows();

}  // namespace hwest
