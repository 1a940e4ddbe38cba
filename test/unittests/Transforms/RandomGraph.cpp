//===- RandomGraph.cpp - graphs that nobody would write -------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"

#include <cmath>

using hyena::interp::Value;

uint64_t Random::next() {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int64_t Random::below(int64_t count) {
  return static_cast<int64_t>(next() % static_cast<uint64_t>(count));
}

double Random::number() {
  return static_cast<double>(next() >> 11) / 4503599627370496.0 - 1.0;
}

namespace {

/// The signals of a graph are (B, C, L) or (B, L, C).
enum class Layout { First, Last };

struct Signal {
  std::string name;
  Layout layout;
};

class Maker {
public:
  explicit Maker(uint64_t seed) : random(seed) {}
  RandomGraph make();

private:
  std::string extent(int64_t value, bool isDynamic) {
    return isDynamic ? "?" : std::to_string(value);
  }
  std::string typeOf(const std::vector<std::string> &extents) {
    std::string type = "tensor<";
    for (const std::string &e : extents)
      type += e + "x";
    return type + "f64>";
  }
  std::string typeOf(Layout layout, int64_t c, const std::string &l) {
    std::string b = extent(batch, dynamicBatch), channel = std::to_string(c);
    return layout == Layout::First ? typeOf({b, channel, l})
                                   : typeOf({b, l, channel});
  }
  std::string typeOf(Layout layout) { return typeOf(layout, channels, time()); }
  std::string time() { return extent(length, dynamicLength); }
  std::string last(const Signal &s) {
    return s.layout == Layout::Last ? "channels_last" : "channels_first";
  }
  int64_t timeDim(const Signal &s) { return s.layout == Layout::First ? 2 : 1; }

  std::string fresh() { return "%v" + std::to_string(counter++); }
  std::string argument(const std::string &type, std::vector<int64_t> shape);
  std::string weight(int64_t rows, int64_t columns) {
    return argument(typeOf({std::to_string(rows), std::to_string(columns)}),
                    {rows, columns});
  }
  std::string vector(int64_t size) {
    return argument(typeOf({std::to_string(size)}), {size});
  }
  void line(const std::string &text) { body += "  " + text + "\n"; }

  Signal pick() { return signals[random.below(signals.size())]; }
  /// A signal of this layout, transposed if need be.
  Signal pick(Layout layout);
  int64_t divisor(int64_t of);
  void add(Signal s) { signals.push_back(std::move(s)); }

  void addStreams();
  void addPointwise();
  void addShortConv();
  void addLongConv();
  void addBroadcast();
  void addCut();
  void addGeneric();
  void addReduction();
  void addReshape();
  void addStep();

  Random random;
  int64_t batch, channels, length;
  bool dynamicBatch, dynamicLength;
  int counter = 0;
  std::string arguments, body;
  std::vector<Value> values;
  std::vector<Signal> signals;
  Signal lastConvolution;
};

} // namespace

std::string Maker::argument(const std::string &type,
                            std::vector<int64_t> shape) {
  std::string name = fresh();
  bool isParam = type.find('?') == std::string::npos && random.chance(30);
  arguments += (arguments.empty() ? "" : ", ") + name + ": " + type +
               (isParam ? " {hyena.param}" : "");
  int64_t count = 1;
  for (int64_t e : shape)
    count *= e;
  std::vector<double> elements;
  elements.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(random.number());
  values.push_back(Value::real(std::move(shape), std::move(elements)));
  return name;
}

Signal Maker::pick(Layout layout) {
  Signal s = pick();
  if (s.layout == layout)
    return s;
  Signal result{fresh(), layout};
  line(result.name + " = hyena.transpose " + s.name + " : (" +
       typeOf(s.layout) + ") -> " + typeOf(layout));
  return result;
}

int64_t Maker::divisor(int64_t of) {
  int64_t d;
  do
    d = 1 + random.below(of);
  while (of % d != 0);
  return d;
}

void Maker::addStreams() {
  int64_t count = 1 + random.below(3);
  Layout layout = random.chance(50) ? Layout::Last : Layout::First;
  std::string type = typeOf(layout, count * channels, time());
  std::vector<int64_t> shape = {batch, length, count * channels};
  if (layout == Layout::First)
    std::swap(shape[1], shape[2]);
  std::string p = argument(type, shape);
  std::string attrs = "layout = #hyena.layout<" + last({p, layout}) + ">";
  switch (random.below(3)) {
  case 0:
    break;
  case 1:
    attrs += ", arrangement = #hyena.arrangement<interleaved>";
    break;
  case 2:
    attrs += ", arrangement = #hyena.arrangement<per_head>, heads = " +
             std::to_string(divisor(channels));
    break;
  }
  std::string names, types;
  for (int64_t i = 0; i < count; ++i) {
    Signal s{fresh(), layout};
    names += (i ? ", " : "") + s.name;
    types += (i ? ", " : "") + typeOf(layout);
    add(s);
  }
  line(names + " = hyena.chunk " + p + " {" + attrs + "} : (" + type +
       ") -> (" + types + ")");
}

void Maker::addPointwise() {
  Signal a = pick();
  std::string type = typeOf(a.layout);
  Signal result{fresh(), a.layout};
  static const char *unary[] = {"arith.negf", "math.exp", "math.tanh",
                                "math.cos", "math.absf"};
  static const char *binary[] = {"arith.addf", "arith.subf", "arith.mulf",
                                 "arith.maximumf"};
  int64_t kind = random.below(4);
  if (kind == 0) {
    line(result.name + " = " + unary[random.below(5)] + " " + a.name + " : " +
         type);
  } else if (kind == 1) {
    Signal b = pick(a.layout);
    line(result.name + " = " + binary[random.below(4)] + " " + a.name + ", " +
         b.name + " : " + type);
  } else if (kind == 2) {
    Signal b = pick(a.layout), c = pick(a.layout);
    bool three = random.chance(30);
    line(result.name + " = hyena.gate " + a.name + ", " + b.name +
         (three ? ", " + c.name : "") + " : (" + type + ", " + type +
         (three ? ", " + type : "") + ") -> " + type);
  } else {
    std::string flag = fresh();
    Signal b = pick(a.layout);
    line(flag + " = arith.cmpf ogt, " + a.name + ", " + b.name + " : " + type);
    std::string flags = type.substr(0, type.size() - 4) + "i1>";
    line(result.name + " = arith.select " + flag + ", " + a.name + ", " +
         b.name + " : " + flags + ", " + type);
  }
  add(result);
}

void Maker::addShortConv() {
  Signal x = pick();
  int64_t taps = 1 + random.below(4), groups = divisor(channels);
  std::string w = weight(groups, taps);
  bool hasBias = random.chance(50);
  std::string bias = hasBias ? vector(channels) : "";
  std::string attrs = "layout = #hyena.layout<" + last(x) + ">";
  int64_t padding = random.below(3);
  if (padding == 1)
    attrs += ", padding = #hyena.padding<same>";
  if (padding == 2) {
    int64_t low = random.below(taps);
    attrs += ", padding = #hyena.padding<explicit>, pad_low = " +
             std::to_string(low) +
             ", pad_high = " + std::to_string(taps - 1 - low);
  }
  if (random.chance(30))
    attrs += ", tap_order = #hyena.tap_order<lag0_first>";
  Signal result{fresh(), x.layout};
  std::string type = typeOf(x.layout);
  std::string vectorType = typeOf({std::to_string(channels)});
  line(result.name + " = hyena.shortconv " + x.name + ", " + w +
       (hasBias ? " bias(" + bias + ")" : "") + " {" + attrs + "} : (" + type +
       ", " + typeOf({std::to_string(groups), std::to_string(taps)}) +
       (hasBias ? ", " + vectorType : "") + ") -> " + type);
  add(result);
}

void Maker::addLongConv() {
  Signal u = pick();
  int64_t groups = divisor(channels);
  int64_t taps = 1 + random.below(length + 2);
  std::string attrs = "layout = #hyena.layout<" + last(u) + ">";
  std::string operands, types;
  int64_t mode = random.below(dynamicLength ? 3 : 4);
  if (mode == 3)
    taps = 1 + random.below(length);
  std::string h = weight(groups, taps);
  types = typeOf({std::to_string(groups), std::to_string(taps)});
  if (mode == 0 && random.chance(30))
    attrs += ", tap_order = #hyena.tap_order<newest_last>";
  if (mode == 1) {
    int64_t back = 1 + random.below(length + 1);
    operands += " reverse(" + weight(groups, back) + ")";
    types += ", " + typeOf({std::to_string(groups), std::to_string(back)});
    attrs += ", mode = #hyena.conv_mode<bidirectional>";
  }
  if (mode == 2)
    attrs += ", mode = #hyena.conv_mode<noncausal>, lag0 = " +
             std::to_string(random.below(taps));
  if (mode == 3)
    attrs += ", mode = #hyena.conv_mode<circular>";
  if (random.chance(40)) {
    int64_t size = divisor(channels);
    operands += " skip(" + vector(size) + ")";
    types += ", " + typeOf({std::to_string(size)});
  }
  Signal result{fresh(), u.layout};
  std::string type = typeOf(u.layout);
  line(result.name + " = hyena.fftconv " + u.name + ", " + h + operands + " {" +
       attrs + "} : (" + type + ", " + types + ") -> " + type);
  add(result);
  lastConvolution = result;
}

void Maker::addBroadcast() {
  Signal like = pick();
  std::string input, inputType, dims;
  std::string b = extent(batch, dynamicBatch);
  int64_t kind = random.below(3);
  if (kind == 0) {
    input = vector(channels);
    inputType = typeOf({std::to_string(channels)});
    dims = like.layout == Layout::First ? ": 1" : ": 2";
  } else if (kind == 1) {
    inputType = typeOf({b, time()});
    input = argument(inputType, {batch, length});
    dims = like.layout == Layout::First ? ": 0, 2" : ": 0, 1";
  } else {
    input = fresh();
    inputType = "tensor<f64>";
    line(input + " = arith.constant dense<0.75> : tensor<f64>");
  }
  Signal result{fresh(), like.layout};
  line(result.name + " = hyena.broadcast " + input + " like " + like.name +
       " {dims = array<i64" + dims + ">} : (" + inputType + ", " +
       typeOf(like.layout) + ") -> " + typeOf(like.layout));
  add(result);
}

/// Cuts a part out and pads it again, or the other way round.
void Maker::addCut() {
  Signal x = pick();
  std::string dim = std::to_string(timeDim(x));
  std::string middle = fresh();
  Signal result{fresh(), x.layout};
  std::string type = typeOf(x.layout);
  int64_t low = random.below(3), high = random.below(3);
  std::string lowText = std::to_string(low), highText = std::to_string(high);
  if (random.chance(25)) {
    line(result.name + " = hyena.flip " + x.name + " {dim = " +
         std::to_string(1 + random.below(2)) + "} : (" + type + ") -> " + type);
  } else if (dynamicLength) {
    return;
  } else if (low + high < length && random.chance(60)) {
    std::string part = std::to_string(length - low - high);
    std::string partType = typeOf(x.layout, channels, part);
    line(middle + " = hyena.truncate " + x.name + " {dim = " + dim +
         ", offset = " + lowText + ", length = " + part + "} : (" + type +
         ") -> " + partType);
    int64_t shifted = random.below(low + high + 1);
    line(result.name + " = hyena.pad " + middle + " {dim = " + dim +
         ", low = " + std::to_string(shifted) +
         ", high = " + std::to_string(low + high - shifted) + "} : (" +
         partType + ") -> " + type);
  } else {
    std::string wide =
        typeOf(x.layout, channels, std::to_string(length + low + high));
    line(middle + " = hyena.pad " + x.name + " {dim = " + dim + ", low = " +
         lowText + ", high = " + highText + "} : (" + type + ") -> " + wide);
    line(result.name + " = hyena.truncate " + middle + " {dim = " + dim +
         ", offset = " + std::to_string(random.below(low + high + 1)) +
         ", length = " + std::to_string(length) + "} : (" + wide + ") -> " +
         type);
  }
  add(result);
}

/// A product of two signals of different layouts, or a copy that transposes.
void Maker::addGeneric() {
  Signal a = pick(), b = pick();
  Layout layout = random.chance(50) ? Layout::First : Layout::Last;
  auto mapOf = [&](Layout l) {
    return l == layout ? "affine_map<(d0, d1, d2) -> (d0, d1, d2)>"
                       : "affine_map<(d0, d1, d2) -> (d0, d2, d1)>";
  };
  std::string sizes;
  std::string source = a.name;
  if (dynamicBatch || dynamicLength) {
    // The sizes of a tensor of the result's layout.
    std::string c0 = fresh(), ct = fresh();
    line(c0 + " = arith.constant 0 : index");
    line(ct + " = arith.constant " + std::to_string(timeDim(a)) + " : index");
    for (const auto &[isDynamic, index] :
         {std::pair<bool, std::string>{dynamicBatch, c0},
          {dynamicLength, ct}}) {
      if (!isDynamic)
        continue;
      std::string size = fresh();
      line(size + " = tensor.dim " + source + ", " + index + " : " +
           typeOf(a.layout));
      sizes += (sizes.empty() ? "" : ", ") + size;
    }
  }
  std::string init = fresh();
  std::string type = typeOf(layout);
  line(init + " = tensor.empty(" + sizes + ") : " + type);
  Signal result{fresh(), layout};
  bool isCopy = random.chance(40);
  line(result.name + " = linalg.generic {indexing_maps = [" + mapOf(a.layout) +
       (isCopy ? std::string() : std::string(", ") + mapOf(b.layout)) + ", " +
       mapOf(layout) +
       "], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]} ins(" +
       a.name + (isCopy ? "" : ", " + b.name) + " : " + typeOf(a.layout) +
       (isCopy ? "" : ", " + typeOf(b.layout)) + ") outs(" + init + " : " +
       type + ") {");
  if (isCopy) {
    line("^bb0(%x: f64, %o: f64):");
    line("  linalg.yield %x : f64");
  } else {
    line("^bb0(%x: f64, %y: f64, %o: f64):");
    line("  %c = arith.constant 0.5 : f64");
    line("  %s = arith.addf %x, %c : f64");
    line("  %p = arith.mulf %s, %y : f64");
    line("  linalg.yield %p : f64");
  }
  line("} -> " + type);
  add(result);
}

void Maker::addReduction() {
  if (dynamicBatch || dynamicLength)
    return;
  Signal x = pick(Layout::First);
  std::string zero = fresh(), init = fresh(), filled = fresh(), sum = fresh();
  std::string rows = typeOf({std::to_string(batch), time()});
  line(zero + " = arith.constant 0.0 : f64");
  line(init + " = tensor.empty() : " + rows);
  line(filled + " = linalg.fill ins(" + zero + " : f64) outs(" + init + " : " +
       rows + ") -> " + rows);
  line(sum +
       " = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, "
       "d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = "
       R"(["parallel", "reduction", "parallel"]} ins()" +
       x.name + " : " + typeOf(Layout::First) + ") outs(" + filled + " : " +
       rows + ") {");
  line("^bb0(%x: f64, %o: f64):");
  line("  %s = arith.addf %x, %o : f64");
  line("  linalg.yield %s : f64");
  line("} -> " + rows);
  Signal result{fresh(), Layout::First};
  line(result.name + " = hyena.broadcast " + sum + " like " + x.name +
       " {dims = array<i64: 0, 2>} : (" + rows + ", " + typeOf(Layout::First) +
       ") -> " + typeOf(Layout::First));
  add(result);
}

/// Splits the channels in two dimensions and puts them together in another
/// order.
void Maker::addReshape() {
  if (dynamicBatch || dynamicLength)
    return;
  Signal x = pick(Layout::First);
  int64_t inner = divisor(channels), outer = channels / inner;
  auto split = [&](int64_t a, int64_t b) {
    return typeOf({std::to_string(batch), std::to_string(a), std::to_string(b),
                   std::to_string(length)});
  };
  std::string parts = fresh(), init = fresh(), moved = fresh();
  line(parts + " = tensor.expand_shape " + x.name +
       " [[0], [1, 2], [3]] output_shape [" + std::to_string(batch) + ", " +
       std::to_string(outer) + ", " + std::to_string(inner) + ", " +
       std::to_string(length) + "] : " + typeOf(Layout::First) + " into " +
       split(outer, inner));
  line(init + " = tensor.empty() : " + split(inner, outer));
  line(moved +
       " = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> "
       "(d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], "
       "iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
       "\"parallel\"]} ins(" +
       parts + " : " + split(outer, inner) + ") outs(" + init + " : " +
       split(inner, outer) + ") {");
  line("^bb0(%x: f64, %o: f64):");
  line("  linalg.yield %x : f64");
  line("} -> " + split(inner, outer));
  Signal result{fresh(), Layout::First};
  line(result.name + " = tensor.collapse_shape " + moved +
       " [[0], [1, 2], [3]] : " + split(inner, outer) + " into " +
       typeOf(Layout::First));
  add(result);
}

void Maker::addStep() {
  int64_t kind = random.below(100);
  if (kind < 35)
    addPointwise();
  else if (kind < 55)
    addShortConv();
  else if (kind < 68)
    addLongConv();
  else if (kind < 76)
    addBroadcast();
  else if (kind < 85)
    addCut();
  else if (kind < 92)
    addGeneric();
  else if (kind < 96)
    addReduction();
  else
    addReshape();
}

RandomGraph Maker::make() {
  static const int64_t channelCounts[] = {1, 2, 4, 6};
  static const int64_t lengths[] = {1, 2, 4, 5, 9};
  batch = 1 + random.below(2);
  channels = channelCounts[random.below(4)];
  length = lengths[random.below(5)];
  dynamicBatch = random.chance(25);
  dynamicLength = random.chance(15);
  for (int64_t i = 0, e = 1 + random.below(2); i < e; ++i)
    addStreams();
  addLongConv();
  for (int64_t i = 0, e = 3 + random.below(12); i < e; ++i)
    addStep();
  // The last value, and perhaps others.
  std::string names = signals.back().name;
  std::string types = typeOf(signals.back().layout);
  for (int64_t i = 0, e = random.below(3); i < e; ++i) {
    Signal s = random.chance(50) ? lastConvolution : pick();
    names += ", " + s.name;
    types += ", " + typeOf(s.layout);
  }
  return {"func.func @f(" + arguments + ") -> (" + types + ") {\n" + body +
              "  return " + names + " : " + types + "\n}\n",
          values, dynamicLength};
}

RandomGraph makeRandomGraph(uint64_t seed) { return Maker(seed).make(); }
