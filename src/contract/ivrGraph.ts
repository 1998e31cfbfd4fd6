/** The states of a practice IVR as a graph: which state leads where, and what is wrong with it. */

export interface GraphState {
  readonly keys?: Readonly<Record<string, string>> | undefined;
  readonly speech?: Readonly<Record<string, string>> | undefined;
  readonly collect?: { readonly next: string; readonly onReject?: string | undefined } | undefined;
  readonly branches?: readonly { readonly next: string }[] | undefined;
  readonly next?: string | undefined;
  readonly end?: string | undefined;
  readonly then?: { readonly next: string } | undefined;
  readonly stay?: string | undefined;
  readonly onTimeout?: { readonly next?: string | undefined } | undefined;
  readonly onInvalid?: { readonly next?: string | undefined } | undefined;
  readonly onKey?: Readonly<Record<string, { readonly next?: string | undefined }>> | undefined;
  readonly onExhausted?: string | undefined;
}

export interface Graph {
  readonly start: string;
  readonly states: Readonly<Record<string, GraphState>>;
  readonly hours: readonly { readonly start: string }[];
  readonly faults: { readonly deadAirState: string | null };
}

export interface GraphProblem {
  readonly kind: 'missing-state' | 'ways-on' | 'empty-menu' | 'unreachable' | 'no-end';
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Edge = readonly [place: readonly (string | number)[], target: string];

export function edgesOf(state: GraphState): Edge[] {
  const edges: Edge[] = [];
  for (const [key, target] of Object.entries(state.keys ?? {})) edges.push([['keys', key], target]);
  for (const [phrase, target] of Object.entries(state.speech ?? {})) edges.push([['speech', phrase], target]);
  if (state.collect) {
    edges.push([['collect', 'next'], state.collect.next]);
    if (state.collect.onReject !== undefined) edges.push([['collect', 'onReject'], state.collect.onReject]);
  }
  state.branches?.forEach((branch, index) => edges.push([['branches', index, 'next'], branch.next]));
  if (state.next !== undefined) edges.push([['next'], state.next]);
  if (state.then) edges.push([['then', 'next'], state.then.next]);
  if (state.stay !== undefined) edges.push([['stay'], state.stay]);
  if (state.onTimeout?.next !== undefined) edges.push([['onTimeout', 'next'], state.onTimeout.next]);
  if (state.onInvalid?.next !== undefined) edges.push([['onInvalid', 'next'], state.onInvalid.next]);
  for (const [key, { next }] of Object.entries(state.onKey ?? {}))
    if (next !== undefined) edges.push([['onKey', key, 'next'], next]);
  if (state.onExhausted !== undefined) edges.push([['onExhausted'], state.onExhausted]);
  return edges;
}

/** Returns what is wrong with the states, and if nothing is, with the paths between them. */
export function findGraphProblems(graph: Graph): GraphProblem[] {
  const problems = findStateProblems(graph);
  return problems.length > 0 ? problems : findWayProblems(graph);
}

/** Finds states that don't exist, and states that lead nowhere or continue in two ways. */
export function findStateProblems(graph: Graph): GraphProblem[] {
  const has = (name: string): boolean => Object.hasOwn(graph.states, name);
  const problems: GraphProblem[] = [];
  const missing = (path: readonly (string | number)[], name: string): void => {
    problems.push({
      kind: 'missing-state',
      path,
      message: `The state "${name}" doesn't exist. Add it under "states", or use the name of an existing state.`,
    });
  };

  if (!has(graph.start)) missing(['start'], graph.start);
  graph.hours.forEach((variant, index) => {
    if (!has(variant.start)) missing(['hours', index, 'start'], variant.start);
  });
  if (graph.faults.deadAirState !== null && !has(graph.faults.deadAirState))
    missing(['faults', 'deadAirState'], graph.faults.deadAirState);

  for (const [name, state] of Object.entries(graph.states)) {
    const ways = [
      state.keys !== undefined || state.speech !== undefined,
      state.collect !== undefined,
      state.next !== undefined,
      state.end !== undefined,
    ];
    const count = ways.filter(Boolean).length;
    if (count !== 1) {
      problems.push({
        kind: 'ways-on',
        path: ['states', name],
        message: `A state must continue in exactly one way: "keys" and/or "speech", "collect", "next", or "end". This state has ${count === 0 ? 'none' : String(count)}.`,
      });
    }
    if (
      (state.keys !== undefined || state.speech !== undefined) &&
      Object.keys(state.keys ?? {}).length + Object.keys(state.speech ?? {}).length === 0
    ) {
      problems.push({
        kind: 'empty-menu',
        path: ['states', name],
        message: 'A menu needs at least one key or phrase.',
      });
    }
    for (const [place, target] of edgesOf(state)) if (!has(target)) missing(['states', name, ...place], target);
  }
  return problems;
}

/** Finds states that no call reaches, and states from which no call can end. Every named state must exist. */
export function findWayProblems(graph: Graph): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const reached = reachable(graph, [graph.start, ...graph.hours.map((variant) => variant.start)]);
  for (const name of Object.keys(graph.states)) {
    if (!reached.has(name))
      problems.push({
        kind: 'unreachable',
        path: ['states', name],
        message: `No path leads to this state. Point a key, a phrase or "next" to it, or remove the state.`,
      });
  }
  const ending = statesThatCanEnd(graph);
  for (const name of reached) {
    if (!ending.has(name))
      problems.push({
        kind: 'no-end',
        path: ['states', name],
        message: 'No path from this state reaches an "end". Point one of its branches to a state with "end".',
      });
  }
  return problems;
}

function reachable(graph: Graph, starts: readonly string[]): Set<string> {
  const seen = new Set(starts);
  for (const name of seen) {
    const state = graph.states[name];
    if (state) for (const [, target] of edgesOf(state)) seen.add(target);
  }
  return seen;
}

function statesThatCanEnd(graph: Graph): Set<string> {
  const leadingTo = new Map<string, string[]>();
  for (const [name, state] of Object.entries(graph.states)) {
    for (const [, target] of edgesOf(state)) {
      const before = leadingTo.get(target);
      if (before) before.push(name);
      else leadingTo.set(target, [name]);
    }
  }
  const ending = new Set(
    Object.entries(graph.states)
      .filter(([, state]) => state.end !== undefined)
      .map(([name]) => name),
  );
  for (const name of ending) for (const before of leadingTo.get(name) ?? []) ending.add(before);
  return ending;
}
