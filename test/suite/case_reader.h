// Conformance cases as the onnx backend suite keeps them: a folder with model.onnx and
// test_data_set_0/{input,output}_N.pb.
#pragma once

#include <string>
#include <vector>

#include "hwest/graph.h"
#include "hwest/type.h"

namespace hwest {

// CaseValue is one input or output of a run: its contents as the reference implementation fed or produced them.
struct CaseValue {
  std::string name;
  ValueKind kind = ValueKind::kUnknown;  // kUnknown = the format of the file is not supported
  ValueKind inner = ValueKind::kTensor;  // what a sequence or optional holds
  std::vector<Constant> tensors;  // one of a tensor, all elements of a sequence, none or what is held of an optional
  int64_t length = 0;             // of a sequence, whatever it holds; 1 for an optional that holds something
};

struct Case {
  std::string name;      // name of the folder
  std::string bytes;     // the model as it is in the file
  std::string stripped;  // without the shapes it declares anywhere but at its inputs
  std::vector<CaseValue> inputs;
  std::vector<CaseValue> outputs;
};

// CaseFolders returns the folders below `root` that hold a model.onnx, sorted.
std::vector<std::string> CaseFolders(const std::string& root);
// ReadModelStripped is the model of a file without the shapes it declares anywhere but at its inputs; empty when the
// reference implementation does not read it.
std::string ReadModelStripped(const std::string& path);
// ReadCase reads one of them. Empty name when the model is no ModelProto.
Case ReadCase(const std::string& folder);

}  // namespace hwest
