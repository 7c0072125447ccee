/** Circles in a graph of imports, and how many floors it has once each circle counts as one. */

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Strongly connected components with more than one member, the largest first (Tarjan, without recursion in depth). */
export function findCircles(graph: Graph): string[][] {
  return components(graph)
    .filter((members) => members.length > 1)
    .toSorted((a, b) => b.length - a.length);
}

/** The longest way down, each component counted once. */
export function countFloors(graph: Graph): number {
  const floors = new Map<string, number>();
  let highest = 0;
  // Components come with those that they import before them.
  for (const members of components(graph)) {
    const below = members.flatMap((member) =>
      [...(graph.get(member) ?? [])]
        .filter((next) => !members.includes(next))
        .map((next) => floors.get(next) ?? 0),
    );
    const floor = Math.max(0, ...below) + 1;
    for (const member of members) floors.set(member, floor);
    highest = Math.max(highest, floor);
  }
  return highest;
}

function components(graph: Graph): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    stack.push(node);
    open.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (open.has(next))
        low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0, index.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const members = stack.splice(stack.indexOf(node));
    for (const member of members) open.delete(member);
    found.push(members);
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}
