//===- FusionPlan.cpp - which convolution computes what -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionPlan.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

//===----------------------------------------------------------------------===//
// From decisions to a plan
//===----------------------------------------------------------------------===//

/// A plan under construction.
struct Planner::Draft {
  Plan plan;
  std::vector<std::unique_ptr<ScalarArena>> arenas;
  std::vector<std::unique_ptr<Scalarizer>> prologues, epilogues;
  SmallVector<Value> pending;
  llvm::DenseSet<Value> demanded;
};

void Planner::demand(Draft &draft, Value value) {
  if (draft.demanded.insert(value).second)
    draft.pending.push_back(value);
}

/// Collects the tensors that `scalar` reads into `reads`.
static void collectReads(const Scalar *scalar, llvm::SetVector<Value> &reads) {
  llvm::DenseSet<const Scalar *> seen;
  forEachScalar(scalar, seen, [&](const Scalar *part) {
    if (part->kind == ScalarKind::Access)
      reads.insert(part->tensor);
  });
}

/// Whether some access runs over the whole of dimension `dim` of the domain.
static bool showsExtent(const Scalar *root, unsigned dim) {
  bool shows = false;
  llvm::DenseSet<const Scalar *> seen;
  forEachScalar(root, seen, [&](const Scalar *part) {
    if (part->kind == ScalarKind::Access)
      for (AffineExpr expr : part->map.getResults())
        shows |= expr == getAffineDimExpr(dim, expr.getContext());
  });
  return shows;
}

void Planner::enliven(Draft &draft, int64_t index) {
  Group &group = draft.plan.groups[index];
  if (group.input)
    return;
  Scalarizer &prologue = *draft.prologues[index];
  group.domain = prologue.getDomain();
  group.computeType = prologue.getComputeType();
  group.input = prologue.evaluateInput(/*asStored=*/false);
  // An extent that is not known has to be that of some operand.
  for (unsigned dim : {0u, 2u})
    if (ShapedType::isDynamic(group.domain[dim]) &&
        (!group.input || !showsExtent(group.input, dim)))
      group.input = prologue.evaluateInput(/*asStored=*/true);
  if (!group.input)
    group.input = prologue.evaluateInput(/*asStored=*/true);
  collectReads(group.input, group.reads);
  for (Value value : group.reads)
    demand(draft, value);
  FFTConvOp conv = graph.convolutions()[index];
  demand(draft, conv.getFilter());
  if (conv.getReverse())
    demand(draft, conv.getReverse());
}

bool Planner::addResult(Draft &draft, int64_t index, Value value, bool strictly,
                        Refusal &refusal) {
  MLIRContext *context = value.getContext();
  if (graph.heightOf(value) > maxDepth) {
    refusal = Refusal::Depth;
    return false;
  }
  AffineExpr b, c, l;
  bindDims(context, b, c, l);
  AffineMap maps[] = {AffineMap::get(3, 0, {b, c, l}, context),
                      AffineMap::get(3, 0, {b, l, c}, context),
                      AffineMap::get(3, 0, {c, b, l}, context),
                      AffineMap::get(3, 0, {c, l, b}, context),
                      AffineMap::get(3, 0, {l, b, c}, context),
                      AffineMap::get(3, 0, {l, c, b}, context)};
  enliven(draft, index);
  Group &group = draft.plan.groups[index];
  Scalarizer &epilogue = *draft.epilogues[index];
  FFTConvOp conv = graph.convolutions()[index];
  if (conv.getLayout() == Layout::ChannelsLast)
    std::swap(maps[0], maps[1]);
  for (AffineMap map : maps) {
    // Whether the value has the extents of the domain follows from the
    // convolution's result, if it is made of that, or from another place where
    // the same element is needed.
    bool isCovered = draft.prologues[index]->isCovered(value, map) ||
                     epilogue.isCovered(value, map);
    if (!isCovered && !graph.dependences(value).test(index))
      continue;
    const Scalar *scalar = epilogue.evaluateResult(value, map, isCovered);
    if (!scalar) {
      if (refusal == Refusal::Shape)
        refusal = epilogue.getLastRefusal();
      continue;
    }
    llvm::SetVector<Value> reads;
    collectReads(scalar, reads);
    bool isLegal = llvm::all_of(reads, [&](Value read) {
      const llvm::BitVector &needs = graph.dependences(read);
      return !needs.test(index) &&
             (!strictly || needs.find_last() < static_cast<int>(index));
    });
    if (!isLegal) {
      refusal = Refusal::Dependence;
      continue;
    }
    group.results.push_back({value, map, scalar});
    group.reads.insert(reads.begin(), reads.end());
    draft.plan.owners[value] = index;
    for (Value read : reads)
      demand(draft, read);
    return true;
  }
  return false;
}

Plan Planner::planOnce(const Decisions &decisions, bool strictly) {
  Draft draft;
  int64_t count = graph.convolutions().size();
  draft.plan.groups.resize(count);
  for (int64_t i = 0; i < count; ++i) {
    draft.arenas.push_back(std::make_unique<ScalarArena>());
    auto isStored = [&decisions, i](Value value) {
      const auto *it = decisions.find(value);
      return it != decisions.end() && it->second != i;
    };
    for (bool inEpilogue : {false, true})
      (inEpilogue ? draft.epilogues : draft.prologues)
          .push_back(std::make_unique<Scalarizer>(graph, i, *draft.arenas[i],
                                                  isStored, inEpilogue));
  }

  for (Value value : graph.demands())
    demand(draft, value);
  while (!draft.pending.empty()) {
    Value value = draft.pending.pop_back_val();
    Refusal refusal = Refusal::Shape;
    if (int64_t conv = graph.convolutionOf(value); conv >= 0) {
      addResult(draft, conv, value, /*strictly=*/false, refusal);
      continue;
    }
    Operation *op = graph.fusableDefinition(value);
    if (!op)
      continue;
    const auto *decided = decisions.find(value);
    bool isDone = false;
    if (decided != decisions.end()) {
      isDone = decided->second != kUnfused &&
               addResult(draft, decided->second, value, false, refusal);
    } else {
      // By default the last convolution that it depends on makes it.
      const llvm::BitVector &needs = graph.dependences(value);
      for (int conv = needs.find_last(); conv >= 0 && !isDone;
           conv = needs.find_prev(conv))
        isDone = addResult(draft, conv, value, strictly, refusal);
      if (!isDone && needs.any())
        draft.plan.leftOver[value] = refusal;
    }
    if (isDone)
      continue;
    draft.plan.owners[value] = kUnfused;
    for (Value operand : graph.operandsOf(op))
      demand(draft, operand);
  }

  for (int64_t i = 0; i < count; ++i) {
    Group &group = draft.plan.groups[i];
    llvm::sort(group.results, [](const auto &lhs, const auto &rhs) {
      auto left = cast<OpResult>(lhs.value), right = cast<OpResult>(rhs.value);
      if (left.getOwner() == right.getOwner())
        return left.getResultNumber() < right.getResultNumber();
      return left.getOwner()->isBeforeInBlock(right.getOwner());
    });
    for (Scalarizer *scalarizer :
         {draft.prologues[i].get(), draft.epilogues[i].get()})
      for (Value value : scalarizer->getMet())
        group.met.insert(value);
    for (Value value : group.reads)
      for (Scalarizer *scalarizer :
           {draft.prologues[i].get(), draft.epilogues[i].get()})
        if (Refusal refusal = scalarizer->getRefusal(value);
            refusal != Refusal::None)
          group.refusals.try_emplace(value, refusal);
  }
  for (auto &arena : draft.arenas)
    arenas.push_back(std::move(arena));
  return std::move(draft.plan);
}

Plan Planner::plan(const Decisions &decisions) {
  Plan result = planOnce(decisions, /*strictly=*/false);
  result.isLegal = isAcyclic(result);
  if (!result.isLegal) {
    result = planOnce(decisions, /*strictly=*/true);
    result.isLegal = isAcyclic(result);
  }
  result.cost = costOf(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Legality and cost
//===----------------------------------------------------------------------===//

bool Planner::isAcyclic(const Plan &plan) const {
  // Nodes are groups and the operations of the block that stay.
  using Node = llvm::PointerUnion<Operation *, const Group *>;
  enum class State { Open, Done };
  llvm::DenseMap<void *, State> states;
  auto nodeOf = [&](Value value) -> Node {
    const auto *it = plan.owners.find(value);
    if (it != plan.owners.end() && it->second != kUnfused)
      return &plan.groups[it->second];
    return graph.definition(value);
  };
  auto needs = [&](Node node) {
    SmallVector<Node> result;
    if (auto *group = dyn_cast<const Group *>(node)) {
      for (Value read : group->reads)
        result.push_back(nodeOf(read));
      FFTConvOp conv = graph.convolutions()[group - plan.groups.data()];
      result.push_back(nodeOf(conv.getFilter()));
      if (conv.getReverse())
        result.push_back(nodeOf(conv.getReverse()));
      return result;
    }
    auto *op = cast<Operation *>(node);
    for (Value operand : graph.operandsOf(op))
      result.push_back(nodeOf(operand));
    if (Operation *previous = graph.previousEffect(op))
      result.push_back(previous);
    return result;
  };
  // Without the groups there is no cycle, so each goes through one.
  SmallVector<Node> roots;
  for (const Group &group : plan.groups)
    if (group.isAlive())
      roots.push_back(&group);

  struct Frame {
    Node node;
    SmallVector<Node> needs;
  };
  SmallVector<Frame> stack;
  auto enter = [&](Node node) {
    if (node.isNull())
      return true;
    auto [it, isNew] = states.try_emplace(node.getOpaqueValue(), State::Open);
    if (!isNew)
      return it->second == State::Done;
    stack.push_back({node, needs(node)});
    return true;
  };
  for (Node root : roots) {
    // A root is never entered while another is open.
    enter(root);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      if (frame.needs.empty()) {
        states[frame.node.getOpaqueValue()] = State::Done;
        stack.pop_back();
        continue;
      }
      Node next = frame.needs.pop_back_val();
      if (!enter(next))
        return false;
    }
  }
  return true;
}

double Planner::costOf(const Plan &plan) const {
  double cost = 0;
  for (const Group &group : plan.groups)
    if (group.isAlive())
      cost += groupCost(group);
  llvm::DenseSet<Operation *> counted;
  for (auto [value, owner] : plan.owners)
    if (owner == kUnfused && !graph.isParameter(value) &&
        counted.insert(graph.definition(value)).second)
      cost += operationCost(graph.definition(value));
  return cost;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

SmallVector<int64_t> Planner::possibleOwners(const Plan &plan,
                                             Value value) const {
  SmallVector<int64_t> owners;
  const llvm::BitVector &needs = graph.dependences(value);
  if (needs.any()) {
    owners.push_back(needs.find_last());
    return owners;
  }
  // The first group that computes it anyway can yield it to the others.
  for (auto [i, group] : llvm::enumerate(plan.groups))
    if (group.isAlive() && group.met.contains(value)) {
      owners.push_back(i);
      break;
    }
  owners.push_back(kUnfused);
  return owners;
}

/// Whether a short convolution reads `value`, so that fusing it computes it
/// once for each tap.
static bool isReadByTaps(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto conv = dyn_cast<ShortConvOp>(user);
    return conv && conv.getInput() == value;
  });
}

llvm::SetVector<Value> Planner::candidates(const Plan &plan) const {
  struct Readers {
    int64_t count = 0;
    /// One of them is not the convolution that would make the value.
    bool isCrossing = false;
  };
  llvm::MapVector<Value, Readers> met;
  for (auto [i, group] : llvm::enumerate(plan.groups)) {
    if (!group.isAlive())
      continue;
    for (Value value : group.met) {
      ++met[value].count;
      int last = graph.dependences(value).find_last();
      met[value].isCrossing |= last >= 0 && last != static_cast<int>(i);
    }
  }
  llvm::SetVector<Value> result;
  for (auto [value, readers] : met) {
    Operation *op = graph.definition(value);
    if (op->hasTrait<OpTrait::ConstantLike>() || graph.isParameter(value) ||
        !isa<RankedTensorType>(value.getType()))
      continue;
    bool isDemanded = plan.owners.contains(value);
    if (!isDemanded && isView(op))
      continue;
    if (readers.count > 1 || isDemanded || readers.isCrossing ||
        isReadByTaps(value))
      result.insert(value);
  }
  return result;
}

/// A tensor that had to be kept in memory before a decision said so too.
static void keepReasons(const Plan &before, Plan &after) {
  for (auto [old, group] : llvm::zip_equal(before.groups, after.groups))
    for (auto [value, refusal] : old.refusals)
      if (refusal != Refusal::Cheaper)
        group.refusals[value] = refusal;
}

Plan Planner::search() {
  Decisions decisions;
  Plan best = plan(decisions);
  // Each change that is kept makes the plan cheaper, so this ends; the bounds
  // are for graphs on which it would take long.
  constexpr int maxSweeps = 4, maxTrials = 2000;
  int trials = 0;
  for (int sweep = 0; sweep < maxSweeps; ++sweep) {
    bool isBetter = false;
    for (Value value : candidates(best)) {
      SmallVector<std::optional<int64_t>> choices;
      if (decisions.contains(value))
        choices.push_back(std::nullopt);
      for (int64_t owner : possibleOwners(best, value))
        choices.push_back(owner);
      for (std::optional<int64_t> choice : choices) {
        auto *known = decisions.find(value);
        if (choice && known != decisions.end() && known->second == *choice)
          continue;
        if (++trials > maxTrials)
          return best;
        Decisions changed = decisions;
        if (choice)
          changed[value] = *choice;
        else
          changed.erase(value);
        size_t kept = arenas.size();
        Plan trial = plan(changed);
        if (trial.isLegal &&
            (!best.isLegal || trial.cost < best.cost * (1 - 1e-9))) {
          keepReasons(best, trial);
          best = std::move(trial);
          decisions = std::move(changed);
          isBetter = true;
        } else {
          arenas.resize(kept);
        }
      }
    }
    if (!isBetter)
      break;
  }
  return best;
}
