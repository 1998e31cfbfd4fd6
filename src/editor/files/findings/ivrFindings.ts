import { groupBy } from '../../../base/groupBy.ts';
import type { Edit, Node } from 'jsonc-parser';
import { findStateProblems, findWayProblems } from '../../../contract/ivrGraph.ts';
import type { Graph, GraphProblem, GraphState } from '../../../contract/ivrGraph.ts';
import { maxProblems } from '../../../model/files/fileProblem.ts';
import { insertMember, removeMember } from '../../../model/files/jsonMembers.ts';
import { spokenTokens } from '../../../model/heard/spokenTokens.ts';
import type { L10n } from '../../basics/localise.ts';
import type { FileContext } from '../reading/fileContext.ts';
import { promptWordsIn, recordingsIn } from '../reading/ivrPrompts.ts';
import { isStateName, readStates, type IvrStates, type StateDefinition } from '../reading/ivrStates.ts';
import { entriesOf, membersOf, nodeAt, numberAt, textAt, type ParsedFile } from '../../folders/parsedFile.ts';
import { change, finding, meantAmong, type FileFinding, type FindingCode, type Remedy } from './finding.ts';
import { missingFile } from './missingFile.ts';

const codes: Readonly<Record<GraphProblem['kind'], FindingCode>> = {
  'missing-state': 'missing-state',
  'ways-on': 'ways-on',
  'empty-menu': 'empty-menu',
  unreachable: 'unreachable-state',
  'no-end': 'no-end',
};

/** Finds errors and probable errors in the states of a practice IVR. Errors prevent it from being played. */
export async function ivrFindings(file: ParsedFile, around: FileContext, l10n: L10n): Promise<FileFinding[]> {
  const states = readStates(file);
  const all = [...states.states.values()];
  const recordings: FileFinding[] = [];
  for (const node of all.flatMap(({ value }) => recordingsIn(value)))
    recordings.push(...(await missingFile(node, around, l10n, undefined, recordings.length < maxProblems)));
  const leading = groupBy(
    states.references.filter(({ from, path }) => from !== undefined && path.at(-1) === 'next' && path.length === 3),
    ({ target }) => target,
  );
  return [
    ...graphFindings(file, states, l10n),
    ...all.flatMap((state) => {
      const before = (leading.get(state.name) ?? []).flatMap(({ from = '' }) => states.states.get(from)?.value ?? []);
      return stateFindings(file, state, before, l10n);
    }),
    ...recordings,
  ];
}

function graphFindings(file: ParsedFile, states: IvrStates, l10n: L10n): FileFinding[] {
  const meant = meantAmong([...states.states.keys()]);
  // The schema reports invalid names.
  const missing = states.references
    .filter(({ target }) => isStateName(target) && !states.states.has(target))
    .map(({ target, node }): FileFinding => {
      const near = meant(target);
      const message =
        near === undefined
          ? l10n.t('The state "{0}" doesn\'t exist.', target)
          : l10n.t('The state "{0}" doesn\'t exist. Did you mean "{1}"?', target, near);
      const remedies = (): Remedy[] => [
        ...(near === undefined ? [] : [change(node, near, l10n)]),
        ...createState(file, target, near === undefined, l10n),
      ];
      return finding('error', 'missing-state', node, message, { remedies });
    });
  const others = [
    ...findStateProblems(states.graph).filter(({ kind }) => kind !== 'missing-state'),
    ...findWayProblems(repaired(states.graph, meant)),
  ].flatMap(({ kind, path, message }): FileFinding[] => {
    const state = states.states.get(String(path[1]));
    if (!state) return [];
    const remedies = (): Remedy[] => [
      {
        kind: 'edit',
        title: l10n.t('Remove the state "{0}"', state.name),
        edits: removeMember(file.text, state.member),
      },
    ];
    const more = kind === 'unreachable' ? { isUnneeded: true, remedies } : {};
    return [finding('error', codes[kind], state.key, message, more)];
  });
  return [...missing, ...others];
}

function createState(file: ParsedFile, name: string, isPreferred: boolean, l10n: L10n): Remedy[] {
  const states = nodeAt(file.root, ['states']);
  if (states?.type !== 'object') return [];
  const edits: Edit[] = insertMember(file.text, states, name, (indent) =>
    JSON.stringify({ prompt: `You have reached ${name}. Goodbye.`, end: 'hangup' }, undefined, 2).replaceAll(
      '\n',
      `\n${indent}`,
    ),
  );
  return [{ kind: 'edit', title: l10n.t('Create the state "{0}"', name), edits, isPreferred }];
}

/**
 * Replaces a wrong name with the one that was probably meant, so that one mistake is reported once. Otherwise it leads
 * out of the graph, like a state that isn't written yet.
 */
function repaired(graph: Graph, near: (target: string) => string | undefined): Graph {
  const known = new Set(Object.keys(graph.states));
  // A state's name can't contain a space.
  const out = 'the end';
  const meant = (target: string): string => (known.has(target) ? target : (near(target) ?? out));
  const each = (targets: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined =>
    targets && Object.fromEntries(Object.entries(targets).map(([way, target]) => [way, meant(target)]));
  const maybe = (target: string | undefined): string | undefined => (target === undefined ? undefined : meant(target));
  const states = Object.entries(graph.states).map(([name, state]): [string, GraphState] => {
    const goesOn =
      state.next !== undefined ||
      state.collect !== undefined ||
      Object.keys({ ...state.keys, ...state.speech }).length > 0;
    return [
      name,
      {
        keys: each(state.keys),
        speech: each(state.speech),
        collect: state.collect && { next: meant(state.collect.next), onReject: maybe(state.collect.onReject) },
        branches: state.branches?.map(({ next }) => ({ next: meant(next) })),
        next: maybe(state.next),
        end: state.end ?? (goesOn ? undefined : ''),
        then: state.then && { next: meant(state.then.next) },
        stay: maybe(state.stay),
        onTimeout: { next: maybe(state.onTimeout?.next) },
        onInvalid: { next: maybe(state.onInvalid?.next) },
        onKey: Object.fromEntries(
          Object.entries(state.onKey ?? {}).map(([key, { next }]) => [key, { next: maybe(next) }]),
        ),
        onExhausted: maybe(state.onExhausted),
      },
    ];
  });
  return {
    start: meant(graph.start),
    hours: graph.hours.map(({ start }) => ({ start: meant(start) })),
    faults: graph.faults,
    states: Object.fromEntries([...states, [out, { end: '' }]]),
  };
}

function stateFindings(
  file: ParsedFile,
  { value }: StateDefinition,
  before: readonly Node[],
  l10n: L10n,
): FileFinding[] {
  if (value?.type !== 'object') return [];
  return [
    ...entryFindings(nodeAt(value, ['collect']), l10n),
    ...timeFindings(value, l10n),
    ...silentKeys(file, value, before, l10n),
  ];
}

function entryFindings(collect: Node | undefined, l10n: L10n): FileFinding[] {
  const [least, most] = [numberAt(collect, 'min') ?? 1, numberAt(collect, 'max')];
  // If no entry is accepted, that is the problem.
  if (most === undefined || least > most) return [];
  return entriesOf(nodeAt(collect, ['accept'])).flatMap((entry): FileFinding[] => {
    const value: unknown = entry.value;
    if (typeof value !== 'string' || (value.length >= least && value.length <= most)) return [];
    const message = l10n.t(
      "Callers can't enter this value. Its length is {0}, but the IVR accepts only {1} to {2} digits.",
      value.length,
      least,
      most,
    );
    return [finding('warning', 'impossible-entry', entry, message)];
  });
}

function timeFindings(state: Node, l10n: L10n): FileFinding[] {
  const waits = nodeAt(state, ['keys']) ?? nodeAt(state, ['speech']) ?? nodeAt(state, ['collect']);
  const timeout = nodeAt(state, ['timeoutMs']);
  const message = l10n.t('The caller has no time to answer after the prompt. Increase "timeoutMs".');
  return waits && timeout?.value === 0 ? [finding('warning', 'no-time', timeout, message)] : [];
}

/**
 * Finds keys that no prompt offers. Words for keys are known only in English; in other languages only digits count, if
 * a prompt contains any.
 */
function silentKeys(file: ParsedFile, state: Node, before: readonly Node[], l10n: L10n): FileFinding[] {
  const keys = membersOf(nodeAt(state, ['keys']));
  if (keys.length === 0) return [];
  const prompts = [state, ...before]
    .flatMap((spoken) => [
      promptWordsIn(spoken),
      promptWordsIn(nodeAt(spoken, ['onTimeout'])),
      promptWordsIn(nodeAt(spoken, ['onInvalid'])),
    ])
    .filter((text) => text !== undefined);
  if (prompts.length === 0) return [];
  const mentioned = new Set(prompts.flatMap(keysSaid));
  const isEnglish = /^en\b/i.test(textAt(file.root, 'language') ?? 'en');
  const saysDigits = [...mentioned].some((said) => /\d/.test(said));
  const judged = isEnglish ? keys : keys.filter(({ name: key }) => saysDigits && /\d/.test(key));
  return judged
    .filter(({ name: key }) => !mentioned.has(key) && !key.includes('X'))
    .map(({ name: key, key: node }) => {
      const message = l10n.t(
        'No prompt here offers the key {0}, so callers must already know about it. A mapping treats the key as a hidden option.',
        key,
      );
      return finding('information', 'silent-key', node, message);
    });
}

const signs: Readonly<Record<string, string>> = { star: '*', pound: '#' };

function keysSaid(prompt: string): string[] {
  return spokenTokens(prompt, false).flatMap(({ kind, text, segments = [] }) =>
    kind === 'number' ? [text, ...segments] : (signs[text] ?? []),
  );
}
