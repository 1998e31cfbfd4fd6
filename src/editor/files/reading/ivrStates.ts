import type { JSONPath, Node } from 'jsonc-parser';
import { edgesOf, type Graph, type GraphState } from '../../../contract/ivrGraph.ts';
import { contains, entriesOf, membersOf, nodeAt, textAt, type ParsedFile } from '../../folders/parsedFile.ts';

export interface StateDefinition {
  readonly name: string;
  readonly key: Node;
  readonly value: Node | undefined;
  /** Key and value. */
  readonly member: Node;
}

export interface StateReference {
  readonly target: string;
  readonly path: JSONPath;
  readonly node: Node;
  /** The state that leads there, or undefined for "start" and similar properties. */
  readonly from: string | undefined;
}

/** The states of a practice IVR and their references, as far as the file can be parsed. */
export interface IvrStates {
  readonly states: ReadonlyMap<string, StateDefinition>;
  readonly references: readonly StateReference[];
  readonly graph: Graph;
}

/** The contract's rule for state names. */
export const isStateName = (text: string): boolean => /^[A-Za-z0-9_.-]{1,80}$/.test(text);

export function readStates({ root }: ParsedFile): IvrStates {
  const members = membersOf(nodeAt(root, ['states']));
  const states = new Map(
    members.map(({ name, key, value, node }): [string, StateDefinition] => [name, { name, key, value, member: node }]),
  );
  const references: StateReference[] = [];
  const refer = (within: Node | undefined, path: JSONPath, place: JSONPath, from?: string): void => {
    const node = nodeAt(within, place);
    if (node?.type === 'string') references.push({ target: String(node.value), path: [...path, ...place], node, from });
  };
  refer(root, [], ['start']);
  const hours = entriesOf(nodeAt(root, ['hours']));
  for (const index of hours.keys()) refer(root, [], ['hours', index, 'start']);
  refer(root, [], ['faults', 'deadAirState']);
  const read = new Map<string, GraphState>();
  for (const { name, value } of states.values()) {
    const state = stateOf(value);
    read.set(name, state);
    for (const [place] of edgesOf(state)) refer(value, ['states', name], [...place], name);
  }
  return {
    states,
    references,
    graph: {
      start: textAt(root, 'start') ?? '',
      states: Object.fromEntries(read),
      faults: { deadAirState: textAt(root, 'faults', 'deadAirState') ?? null },
      hours: hours.map((entry) => ({ start: textAt(entry, 'start') ?? '' })),
    },
  };
}

/** Incomplete input counts as far as it makes sense. A transition without a target leads nowhere. */
function stateOf(value: Node | undefined): GraphState {
  const next = (...path: JSONPath): string | undefined => textAt(value, ...path);
  const has = (name: string): boolean => nodeAt(value, [name]) !== undefined;
  return {
    keys: targetsOf(nodeAt(value, ['keys'])),
    speech: targetsOf(nodeAt(value, ['speech'])),
    collect: has('collect')
      ? { next: next('collect', 'next') ?? '', onReject: next('collect', 'onReject') }
      : undefined,
    branches: entriesOf(nodeAt(value, ['branches'])).map((branch) => ({ next: textAt(branch, 'next') ?? '' })),
    next: has('next') ? (next('next') ?? '') : undefined,
    end: has('end') ? (next('end') ?? '') : undefined,
    then: has('then') ? { next: next('then', 'next') ?? '' } : undefined,
    stay: next('stay'),
    onTimeout: { next: next('onTimeout', 'next') },
    onInvalid: { next: next('onInvalid', 'next') },
    onKey: Object.fromEntries(
      membersOf(nodeAt(value, ['onKey'])).map(({ name, value: retry }) => [name, { next: textAt(retry, 'next') }]),
    ),
    onExhausted: next('onExhausted'),
  };
}

function targetsOf(node: Node | undefined): Record<string, string> | undefined {
  if (node === undefined) return undefined;
  return Object.fromEntries(
    membersOf(node).map(({ name, value }) => [name, value?.type === 'string' ? String(value.value) : '']),
  );
}

export function stateAt(
  { states, references }: IvrStates,
  offset: number,
): { readonly name: string; readonly node: Node } | undefined {
  for (const { name, key } of states.values()) if (contains(key, offset)) return { name, node: key };
  const reference = references.find(({ node }) => contains(node, offset));
  return reference && { name: reference.target, node: reference.node };
}

/** Values at these paths name a state. */
export const statePlaces: readonly string[] = [
  'start',
  'hours.*.start',
  'faults.deadAirState',
  'states.*.keys.*',
  'states.*.speech.*',
  'states.*.collect.next',
  'states.*.collect.onReject',
  'states.*.branches.*.next',
  'states.*.then.next',
  'states.*.stay',
  'states.*.onTimeout.next',
  'states.*.onInvalid.next',
  'states.*.onKey.*.next',
  'states.*.next',
  'states.*.onExhausted',
];
