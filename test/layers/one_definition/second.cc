namespace hwest {

struct Stage {
  double seconds;
};

double SecondsOf(const Stage& stage) { return stage.seconds; }

}  // namespace hwest

int main() { return hwest::SecondsOf({0}) > 0 ? 1 : 0; }
