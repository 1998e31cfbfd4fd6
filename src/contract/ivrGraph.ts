/** The states of a practice IVR as a graph: who leads where, and what is wrong with it. */

interface GraphState {
  readonly keys?: Readonly<Record<string, string>> | undefined;
  readonly speech?: Readonly<Record<string, string>> | undefined;
  readonly collect?: { readonly next: string; readonly onReject?: string | undefined } | undefined;
  readonly next?: string | undefined;
  readonly end?: string | undefined;
  readonly onTimeout?: { readonly next?: string | undefined } | undefined;
  readonly onInvalid?: { readonly next?: string | undefined } | undefined;
  readonly onExhausted?: string | undefined;
}

interface Graph {
  readonly start: string;
  readonly states: Readonly<Record<string, GraphState>>;
  readonly hours: readonly { readonly start: string }[];
  readonly faults: { readonly deadAirState: string | null };
}

export interface GraphProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Edge = readonly [place: readonly string[], target: string];

export function edgesOf(state: GraphState): Edge[] {
  const edges: Edge[] = [];
  for (const [key, target] of Object.entries(state.keys ?? {})) edges.push([['keys', key], target]);
  for (const [phrase, target] of Object.entries(state.speech ?? {})) edges.push([['speech', phrase], target]);
  if (state.collect) {
    edges.push([['collect', 'next'], state.collect.next]);
    if (state.collect.onReject !== undefined) edges.push([['collect', 'onReject'], state.collect.onReject]);
  }
  if (state.next !== undefined) edges.push([['next'], state.next]);
  if (state.onTimeout?.next !== undefined) edges.push([['onTimeout', 'next'], state.onTimeout.next]);
  if (state.onInvalid?.next !== undefined) edges.push([['onInvalid', 'next'], state.onInvalid.next]);
  if (state.onExhausted !== undefined) edges.push([['onExhausted'], state.onExhausted]);
  return edges;
}

export function findGraphProblems(graph: Graph): GraphProblem[] {
  const has = (name: string): boolean => Object.hasOwn(graph.states, name);
  const problems: GraphProblem[] = [];
  const missing = (path: readonly (string | number)[], name: string): void => {
    problems.push({ path, message: `There is no state "${name}". Add it under "states", or name one that exists.` });
  };

  if (!has(graph.start)) missing(['start'], graph.start);
  graph.hours.forEach((variant, index) => { if (!has(variant.start)) missing(['hours', index, 'start'], variant.start); });
  if (graph.faults.deadAirState !== null && !has(graph.faults.deadAirState)) missing(['faults', 'deadAirState'], graph.faults.deadAirState);

  for (const [name, state] of Object.entries(graph.states)) {
    const ways = [state.keys !== undefined || state.speech !== undefined, state.collect !== undefined, state.next !== undefined, state.end !== undefined];
    const count = ways.filter(Boolean).length;
    if (count !== 1) {
      problems.push({
        path: ['states', name],
        message: `A state has exactly one way on: "keys" and/or "speech", "collect", "next", or "end"; this one has ${count === 0 ? 'none' : String(count)}.`,
      });
    }
    if ((state.keys !== undefined || state.speech !== undefined) && Object.keys(state.keys ?? {}).length + Object.keys(state.speech ?? {}).length === 0) {
      problems.push({ path: ['states', name], message: 'A menu needs at least one key or phrase.' });
    }
    for (const [place, target] of edgesOf(state)) if (!has(target)) missing(['states', name, ...place], target);
  }
  if (problems.length > 0) return problems;

  const reached = reachable(graph, [graph.start, ...graph.hours.map((variant) => variant.start)]);
  for (const name of Object.keys(graph.states)) {
    if (!reached.has(name)) problems.push({ path: ['states', name], message: `No path leads to this state. Let a key, phrase or "next" lead to it, or remove it.` });
  }
  const ending = statesThatCanEnd(graph);
  for (const name of reached) {
    if (!ending.has(name)) problems.push({ path: ['states', name], message: 'From here no path comes to an "end". Let one of its ways lead to a state with "end".' });
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
  const ending = new Set(Object.entries(graph.states).filter(([, state]) => state.end !== undefined).map(([name]) => name));
  for (let grew = true; grew;) {
    grew = false;
    for (const [name, state] of Object.entries(graph.states)) {
      if (!ending.has(name) && edgesOf(state).some(([, target]) => ending.has(target))) {
        ending.add(name);
        grew = true;
      }
    }
  }
  return ending;
}
