// heron-matrix OUT [--rows N] [--width N]: makes a matrix of random numbers: float32 in OUT.npy, or
// a tensor "values" of BF16 in OUT.safetensors.
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr uint64_t kAlignment = 64;  // of the cells in the file

// Pads a header with blanks, so that the cells are aligned behind `before` more bytes.
std::string padded(std::string header, uint64_t before) {
  while ((before + header.size()) % kAlignment != 0) header += ' ';
  return header;
}

std::string little_endian(uint64_t number, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i);
  return text;
}

std::string npy_head(uint64_t rows, uint64_t width) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(width) + "), }";
  header = padded(std::move(header), 11) + '\n';
  return std::string("\x93NUMPY\x01\0", 8) + little_endian(header.size(), 2) + header;
}

std::string safetensors_head(uint64_t rows, uint64_t width) {
  const std::string header =
      padded("{\"values\":{\"dtype\":\"BF16\",\"shape\":[" + std::to_string(rows) + ',' +
                 std::to_string(width) + "],\"data_offsets\":[0," +
                 std::to_string(rows * width * sizeof(uint16_t)) + "]}}",
             8);
  return little_endian(header.size(), 8) + header;
}

// Writes numbers from 0 to 1, in all of their bits or the upper half.
void write_cells(std::ofstream& out, uint64_t rows, uint64_t width, bool halves) {
  std::mt19937_64 random(20261121);
  std::string bytes;
  for (uint64_t row = 0; row < rows; ++row) {
    bytes.clear();
    for (uint64_t i = 0; i < width; ++i) {
      const auto bits = std::bit_cast<uint32_t>(static_cast<float>(random() >> 40) * 0x1p-24F);
      bytes += halves ? little_endian(bits >> 16, 2) : little_endian(bits, 4);
    }
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
}

uint64_t number_of(std::string_view word) {
  uint64_t number = 0;
  const auto end = word.data() + word.size();
  if (std::from_chars(word.data(), end, number).ptr != end || number == 0) {
    throw std::invalid_argument("expected a number, got " + std::string(word));
  }
  return number;
}

void run(const std::vector<std::string_view>& words) {
  std::string path;
  uint64_t rows = 1'000'000, width = 256;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--rows" && i + 1 < words.size()) {
      rows = number_of(words[++i]);
    } else if (words[i] == "--width" && i + 1 < words.size()) {
      width = number_of(words[++i]);
    } else {
      path = words[i];
    }
  }
  const bool is_npy = path.ends_with(".npy");
  if (!is_npy && !path.ends_with(".safetensors")) {
    throw std::invalid_argument("heron-matrix OUT.npy|OUT.safetensors [--rows N] [--width N]");
  }
  std::ofstream out(path, std::ios::binary);
  out << (is_npy ? npy_head(rows, width) : safetensors_head(rows, width));
  write_cells(out, rows, width, !is_npy);
  if (!out.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

int main(int count, char** words) {
  try {
    run({words + 1, words + count});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-matrix: %s\n", error.what());
    return 1;
  }
}
