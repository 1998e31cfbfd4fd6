import type { IvrFile, IvrState } from '../../contract/ivrFile.ts';
import { promptText, promptTexts, type Prompt } from '../../contract/ivrPrompt.ts';
import { stayWay, type TreeNode, type TreeResponse } from '../../contract/tree.ts';

interface TruthOptions {
  /** Returns the keys that a prompt offers, and `stayWay` if it offers that; other branches are hidden. */
  readonly offeredKeys: (prompt: string) => ReadonlySet<string>;
  readonly start: string;
  readonly maxDepth?: number;
}

/** Where a caller arrives from a state: its prompts as one step, and the state that decides how the call continues. */
interface Arrival {
  readonly prompts: readonly Prompt[];
  readonly name: string;
  readonly state: IvrState;
}

/**
 * Returns the tree that a perfect mapper finds for a practice IVR. A state that only speaks and continues is part of
 * the step before its menu. A menu is expanded where it is nearest the root, and linked elsewhere. The mapper is a
 * caller for whom no branch applies. What follows an end or an unanswered input is out of reach.
 */
export function ivrTruth(ivr: IvrFile, { offeredKeys, start, maxDepth = Infinity }: TruthOptions): TreeResponse {
  const classes = menuClasses(ivr);
  const expanded = new Map<string, string>();
  let count = 0;
  const root: TreeNode = { stepId: 'root', depth: 0, path: '' };
  const queue: { readonly node: TreeNode; readonly state: string }[] = [{ node: root, state: start }];
  for (const { node, state } of queue) {
    const arrival = arriveAt(ivr, state);
    node.transcript = arrival.prompts.map((prompt) => promptText(prompt)).join(' ');
    node.children = [];
    const end = endAt(ivr, arrival);
    if (end !== undefined) {
      Object.assign(node, { status: 'explored', isTerminal: true, end });
      continue;
    }
    const same = classes.get(arrival.name) ?? arrival.name;
    const first = expanded.get(same);
    if (first !== undefined) {
      Object.assign(node, { status: 'linked', linksTo: first });
      continue;
    }
    expanded.set(same, node.stepId ?? '');
    Object.assign(node, { status: 'explored', isTerminal: false });
    const offered = new Set(arrival.prompts.flatMap(promptTexts).flatMap((text) => [...offeredKeys(text)]));
    const depth = (node.depth ?? 0) + 1;
    if (depth > maxDepth) continue;
    for (const { way, target, step } of waysOf(arrival.state, offered)) {
      const path = node.path === '' ? way : `${node.path ?? ''} > ${way}`;
      const child: TreeNode = { stepId: `step-${String((count += 1))}`, depth, path, ...step };
      node.children.push(child);
      queue.push({ node: child, state: target });
    }
  }
  return { jobId: ivr.name, status: 'completed', tree: root };
}

/** Returns how the path ends there, or undefined at a menu. */
function endAt(ivr: IvrFile, { name, state }: Arrival): TreeNode['end'] {
  if (ivr.faults.deadAirState === name) return 'dead-air';
  return state.end ?? (state.collect && 'input');
}

interface Way {
  readonly way: string;
  readonly target: string;
  readonly step: TreeNode;
}

/**
 * Returns the branches of a menu: its keys, or its phrases if it has none, and staying on the line. No mapper can guess
 * extensions, which are several keys in a row that no prompt offers.
 */
function waysOf({ keys = {}, speech = {}, stay }: IvrState, offered: ReadonlySet<string>): Way[] {
  const unlessOffered = (way: string): TreeNode => (offered.has(way) ? {} : { hidden: true });
  const ways: Way[] = Object.entries(keys)
    .filter(([digit]) => (digit.length === 1 && digit !== 'X') || offered.has(digit))
    .map(([digit, target]) => ({ way: digit, target, step: { digit, stepType: 'dtmf', ...unlessOffered(digit) } }));
  if (ways.length === 0)
    for (const [phrase, target] of Object.entries(speech))
      ways.push({ way: phrase, target, step: { spokenResponse: phrase, label: phrase, stepType: 'voice' } });
  if (stay !== undefined)
    ways.push({ way: stayWay, target: stay, step: { label: stayWay, byWaiting: true, ...unlessOffered(stayWay) } });
  return ways;
}

/** Follows `next` to where the caller or the IVR decides. A dead-air fault stops there, because nothing is spoken. */
function arriveAt(ivr: IvrFile, name: string): Arrival {
  const prompts: Prompt[] = [];
  const seen = new Set<string>();
  let at = name;
  for (;;) {
    const state = ivr.states[at];
    if (!state) throw new Error(`The state ${at} doesn't exist.`);
    if (ivr.faults.deadAirState === at) return { prompts, name: at, state };
    prompts.push(state.prompt);
    seen.add(at);
    if (state.next === undefined || seen.has(state.next)) return { prompts, name: at, state };
    at = state.next;
  }
}

/** Merges states with equal prompts whose keys lead to the same states (partition refinement). */
function menuClasses(ivr: IvrFile): Map<string, string> {
  const names = Object.keys(ivr.states);
  const dead = ivr.faults.deadAirState;
  let classOf = new Map(names.map((name) => [name, name === dead ? 'dead' : signature(ivr.states[name], () => '')]));
  for (let count = new Set(classOf.values()).size; ;) {
    const before = classOf;
    const numbered = new Map<string, string>();
    classOf = new Map(
      names.map((name) => {
        const full = `${before.get(name) ?? ''}|${signature(ivr.states[name], (target) => before.get(target) ?? '')}`;
        if (!numbered.has(full)) numbered.set(full, `class-${String(numbered.size)}`);
        return [name, numbered.get(full) ?? ''];
      }),
    );
    const now = new Set(classOf.values()).size;
    if (now === count) break;
    count = now;
  }
  const representative = new Map<string, string>();
  return new Map(
    names.map((name) => {
      const key = classOf.get(name) ?? '';
      if (!representative.has(key)) representative.set(key, name);
      return [name, representative.get(key) ?? name];
    }),
  );
}

function signature(state: IvrState | undefined, target: (name: string) => string): string {
  if (!state) return '';
  const targets = (record: Readonly<Record<string, string>> | undefined): string =>
    JSON.stringify(
      Object.entries(record ?? {})
        .map(([key, name]) => [key, target(name)])
        .sort(),
    );
  const { collect } = state;
  return JSON.stringify([
    state.prompt,
    targets(state.keys),
    targets(state.speech),
    state.end ?? '',
    state.stay === undefined ? '' : `stay:${target(state.stay)}`,
    (state.branches ?? []).map((branch) => [branch.entered, branch.callers, target(branch.next)]),
    state.next === undefined ? '' : `next:${target(state.next)}`,
    collect
      ? [
          collect.min,
          collect.max,
          collect.terminator ?? '',
          collect.accept ?? [],
          target(collect.next),
          collect.onReject === undefined ? '' : target(collect.onReject),
        ]
      : [],
  ]);
}
