// A picture before and after: draws a scene, filters it with one rung of lab4, and writes PGM files, which most image
// viewers open. Linked with one rung's object; runs wherever the rung does.
//
//   ./warpgrade run -- build/labs/lab4/v5_image_tiled_picture [folder]
//
//   before.pgm    a disc, a ring, stripes and a slope, with noise on top
//   blurred.pgm   after a Gaussian of 15 x 15, which takes the noise away, and sharp edges too
//   edges.pgm     after a Laplacian of Gaussian of 9 x 9: grey where nothing changes. v6 leaves it out, since
//                 it is not separable.
//
// No test looks at the pictures; the rung that makes them has its own tests.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "labs/lab4/lab4.h"
#include "labs/support/device_array.h"

namespace {

constexpr int kRows = 240, kColumns = 322;  // no multiple of 4, nor of any tile
constexpr int kBlurSide = 15, kEdgesSide = 9;

using Floats = std::vector<float>;

float Scene(int row, int column) {
  const double to_disc = std::hypot(row - 80, column - 90), to_ring = std::hypot(row - 150, column - 230);
  if (to_disc < 50) return 230;
  if (to_ring > 40 && to_ring < 60) return 40;
  if (row > 175 && column < 160) return column / 8 % 2 == 0 ? 30.0F : 210.0F;
  return 90.0F + 80.0F * static_cast<float>(row) / kRows;
}

Floats DrawScene() {
  Floats image;
  uint32_t noise = 1;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      noise = noise * 1664525 + 1013904223;
      image.push_back(Scene(row, column) + static_cast<float>(static_cast<int>(noise >> 26) - 32));
    }
  }
  return image;
}

// The Gaussian's values, which sum up to 1.
Floats Gaussian(int width, double sigma) {
  std::vector<double> values;
  double sum = 0;
  const int middle = width / 2;
  for (int i = 0; i < width; ++i) {
    const double x = (i - middle) / sigma;
    values.push_back(std::exp(-x * x / 2));
    sum += values.back();
  }
  Floats mask;
  for (const double value : values) mask.push_back(static_cast<float>(value / sum));
  return mask;
}

Floats Product(const Floats& column, const Floats& row) {
  Floats mask;
  for (const float c : column) {
    for (const float r : row) mask.push_back(c * r);
  }
  return mask;
}

// What it makes of a surface that is even is 0: the mean is taken off. kStrength is chosen for the eye.
constexpr double kStrength = 0.3;
Floats LaplacianOfGaussian(int side, double sigma) {
  Floats mask;
  double sum = 0;
  const int middle = side / 2;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const double y = (i - middle) / sigma, x = (j - middle) / sigma, square = x * x + y * y;
      mask.push_back(static_cast<float>(kStrength * (square - 2) * std::exp(-square / 2)));
      sum += static_cast<double>(mask.back());
    }
  }
  for (float& value : mask) value -= static_cast<float>(sum / (side * side));
  return mask;
}

class OnDevice {
 public:
  explicit OnDevice(const Floats& array) : array_(array.size() * sizeof(float)) {
    lab::Require(cudaMemcpy(data(), array.data(), array.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  float* data() const { return static_cast<float*>(array_.data()); }

 private:
  lab::DeviceArray array_;
};

// `row_mask` is empty where the mask is whole.
Floats Filtered(const Floats& image, const Floats& mask, const Floats& row_mask, int side) {
  const OnDevice d_in(image), d_mask(mask), d_row_mask(row_mask);
  const lab::DeviceArray d_workspace(image.size() * sizeof(float)), d_out(image.size() * sizeof(float));
  lab4::Arguments arguments;
  arguments.d_in = d_in.data();
  arguments.d_mask = d_mask.data();
  arguments.d_row_mask = d_row_mask.data();
  arguments.d_workspace = static_cast<float*>(d_workspace.data());
  arguments.d_out = static_cast<float*>(d_out.data());
  arguments.rows = kRows;
  arguments.columns = kColumns;
  arguments.mask_rows = arguments.mask_columns = side;
  lab4::CallRung(arguments, nullptr);
  lab::Require(cudaGetLastError(), "launch");
  Floats out(image.size());
  lab::Require(cudaMemcpy(out.data(), d_out.data(), out.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return out;
}

// Values below 0 are black, those above 255 white.
void Write(const std::string& path, const Floats& image, float offset) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << kColumns << " " << kRows << "\n255\n";
  for (const float value : image) file.put(static_cast<char>(std::lround(std::clamp(value + offset, 0.0F, 255.0F))));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  std::printf("%s\n", path.c_str());
}

void DrawAll(const std::string& folder) {
  const Floats scene = DrawScene();
  Write(folder + "/before.pgm", scene, 0);
  const Floats gaussian = Gaussian(kBlurSide, 2.5);
  if (lab4::RungVariant() == lab4::kSeparable) {
    Write(folder + "/blurred.pgm", Filtered(scene, gaussian, gaussian, kBlurSide), 0);
    return;
  }
  Write(folder + "/blurred.pgm", Filtered(scene, Product(gaussian, gaussian), {}, kBlurSide), 0);
  Write(folder + "/edges.pgm", Filtered(scene, LaplacianOfGaussian(kEdgesSide, 1.5), {}, kEdgesSide), 128);
}

}  // namespace

int main(int argc, char** argv) {
  if (lab4::RungVariant() == lab4::kLine) {
    std::printf("this rung convolves lines; v4, v5, v6, v8, v9 and v10 make pictures\n");
    return 1;
  }
  try {
    DrawAll(argc > 1 ? argv[1] : ".");
  } catch (const lab::NotWrittenYet&) {
    std::printf("not written yet\n");
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
