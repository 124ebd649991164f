// Virtual functions: objects that a kernel builds in device memory, called through their base by the next kernel.
#include <new>

#include "feature.h"

struct Shape {
  __device__ virtual int Area() const = 0;
  __device__ virtual int Corners() const { return 4; }
  int id;
};
struct Rectangle : Shape {
  __device__ Rectangle(int w, int h) : width(w), height(h) {}
  __device__ int Area() const override { return width * height; }
  int width, height;
};
struct Square final : Rectangle {
  __device__ explicit Square(int side) : Rectangle(side, side) {}
  __device__ int Area() const override { return width * width + 1000000; }
};
struct Triangle : Shape {
  __device__ Triangle(int b, int h) : base(b), height(h) {}
  __device__ int Area() const override { return base * height / 2; }
  __device__ int Corners() const override { return 3; }
  int base, height;
};
struct alignas(8) Room {
  char bytes[sizeof(Triangle) > sizeof(Square) ? sizeof(Triangle) : sizeof(Square)];
};

__global__ void Build(Room* rooms, Shape** shapes) {
  const int i = threadIdx.x;
  if (i % 3 == 0) shapes[i] = new (&rooms[i]) Rectangle(i, i + 1);
  if (i % 3 == 1) shapes[i] = new (&rooms[i]) Square(i);
  if (i % 3 == 2) shapes[i] = new (&rooms[i]) Triangle(i, 4);
  shapes[i]->id = i * 10000000;
}

__global__ void Measure(Shape* const* shapes, int* out) {
  const Shape* shape = shapes[threadIdx.x];
  out[threadIdx.x] = shape->id + shape->Area() * 10 + shape->Corners();
}

int main() {
  constexpr int kCount = 96;
  DeviceArray<Room> rooms(kCount);
  DeviceArray<Shape*> shapes(kCount);
  DeviceArray<int> out(kCount);
  Build<<<1, kCount>>>(rooms, shapes);
  Measure<<<1, kCount>>>(shapes, out);
  FINISH();
  int got[kCount], want[kCount];
  out.CopyTo(got);
  for (int i = 0; i < kCount; ++i) {
    const int areas[3] = {i * (i + 1), i * i + 1000000, i * 4 / 2};
    want[i] = i * 10000000 + areas[i % 3] * 10 + (i % 3 == 2 ? 3 : 4);
  }
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
