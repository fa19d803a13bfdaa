// heron-forest FILE.balsa [TREES [NODES]]: writes a forest of 150 trees of about 20,000 nodes by
// default, as a trainer would grow it: siblings adjacent behind their parent, a split in every
// inner node. Heron can only convert forests, so the benchmark has this writer.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr uint8_t kClasses = 5, kFeatures = 20;

struct Node {
  uint32_t left = 0, right = 0;  // numbers of the children; 0 in a leaf
  uint8_t feature = 0;
  float value = 0;
  uint8_t label = 0;
};

using Nodes = std::vector<Node>;

// Appends the format's numbers in the byte order of this machine, without gaps.
class Bytes {
 public:
  Bytes& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  template <class T>
  Bytes& number(T number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  Bytes& string(std::string_view text) {
    return number(static_cast<uint8_t>(text.size())).text(text);
  }
  Bytes& begin_dictionary(uint8_t entries) { return text("dict").number(entries); }
  Bytes& end_dictionary() { return text("tcid"); }
  template <class T>
  Bytes& entry(std::string_view key, std::string_view type, T value) {
    return string(key).text(type).number(value);
  }
  Bytes& entry(std::string_view key, std::string_view value) {
    return string(key).text("strn").string(value);
  }
  Bytes& counts() {
    return entry<uint8_t>("class_count", "ui08", kClasses)
        .entry<uint8_t>("feature_count", "ui08", kFeatures);
  }
  template <class T>
  Bytes& table(std::string_view type, const Nodes& nodes, T Node::*member) {
    text("tabl").begin_dictionary(3);
    entry<uint32_t>("column_count", "ui32", 1);
    entry("row_count", "ui32", static_cast<uint32_t>(nodes.size()));
    entry("scalar_type_id", type).end_dictionary();
    for (const Node& node : nodes) number(node.*member);
    return text("lbat");
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Splits nodes in the order of their numbers, four in five of them, until there are enough.
Nodes grow(uint64_t min_nodes, std::mt19937_64& random) {
  std::normal_distribution<float> value;
  Nodes nodes(1);
  for (uint64_t i = 0; i < nodes.size(); ++i) {
    nodes[i].label = static_cast<uint8_t>(random() % kClasses);
    const bool is_last = i + 1 == nodes.size();
    if (nodes.size() >= min_nodes || (!is_last && random() % 5 == 0)) continue;
    nodes[i].left = static_cast<uint32_t>(nodes.size());
    nodes[i].right = nodes[i].left + 1;
    nodes[i].feature = static_cast<uint8_t>(random() % kFeatures);
    nodes[i].value = value(random);
    nodes.resize(nodes.size() + 2);
  }
  return nodes;
}

void add_tree(const Nodes& nodes, Bytes& out) {
  out.text("tree").begin_dictionary(3).counts();
  out.entry("feature_type_id", "fl32").end_dictionary();
  out.table("ui32", nodes, &Node::left).table("ui32", nodes, &Node::right);
  out.table("ui08", nodes, &Node::feature).table("fl32", nodes, &Node::value);
  out.table("ui08", nodes, &Node::label).text("eert");
}

std::string forest(uint64_t trees, uint64_t nodes) {
  std::mt19937_64 random(20261121);
  Bytes out;
  out.text("blsa").text(std::endian::native == std::endian::little ? "lend" : "bend");
  out.begin_dictionary(2).entry<uint8_t>("file_major_version", "ui08", 1);
  out.entry<uint8_t>("file_minor_version", "ui08", 0).end_dictionary();
  out.text("ensl").begin_dictionary(2).counts().end_dictionary();
  for (uint64_t tree = 0; tree < trees; ++tree) {
    const uint64_t min_nodes = nodes - nodes / 4 + random() % (nodes / 2 + 1);
    add_tree(grow(min_nodes, random), out);
  }
  return out.text("lsne").bytes();
}

}  // namespace

int main(int count, char** words) {
  const uint64_t trees = count > 2 ? std::strtoull(words[2], nullptr, 10) : 150;
  const uint64_t nodes = count > 3 ? std::strtoull(words[3], nullptr, 10) : 20'000;
  if (count < 2 || count > 4 || nodes == 0) {
    std::fprintf(stderr, "usage: heron-forest FILE.balsa [TREES [NODES]]\n");
    return 2;
  }
  const std::string bytes = forest(trees, nodes);
  std::ofstream file(words[1], std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    std::fprintf(stderr, "heron-forest: %s cannot be written\n", words[1]);
    return EXIT_FAILURE;
  }
}
