// A Stage that differs from the one in second.cc; compiling one file alone cannot detect it.
namespace hwest {

struct Stage {
  int index;
};

int IndexOf(const Stage& stage) { return stage.index; }

}  // namespace hwest
