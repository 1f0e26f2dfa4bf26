// Another Stage than that of second.cc: no compiler of one file can tell.
namespace hwest {

struct Stage {
  int index;
};

int IndexOf(const Stage& stage) { return stage.index; }

}  // namespace hwest
