import { endSounds, type IvrState } from './ivrFile.ts';
import { promptNodes, promptTexts } from './ivrPrompt.ts';

export const defaultMaxTries = 3;

interface MemberProblem {
  readonly path: (string | number)[];
  readonly message: string;
}

const problem = (message: string, ...path: (string | number)[]): MemberProblem => ({ path, message });
const isMenu = ({ keys, speech }: IvrState): boolean => keys !== undefined || speech !== undefined;

/** Finds members of a state that would have no effect, because of its other members. */
export function* findMemberProblems(state: IvrState): Generator<MemberProblem> {
  const { prompt, end, sound, then, keys = {}, collect, stay, onTimeout, onKey } = state;
  if (end === undefined && promptTexts(prompt).every((text) => text === ''))
    yield problem('Only a state with "end" can have an empty prompt. Write what the IVR says.', 'prompt');
  if (sound && (end === undefined || !(end in endSounds)))
    yield problem(
      `Only a state with one of these ends can have a sound: ${Object.keys(endSounds).join(', ')}.`,
      'sound',
    );
  if (then && (end === undefined || end === 'hangup'))
    yield problem('Only a state with an "end" other than "hangup" can have "then".', 'then');
  if (stay !== undefined && !isMenu(state) && !collect)
    yield problem('Only a state with "keys", "speech" or "collect" can have "stay".', 'stay');
  if (stay !== undefined && onTimeout)
    yield problem('With "stay", doing nothing isn\'t a failure. Remove "stay" or "onTimeout".', 'onTimeout');
  if (onKey && !isMenu(state)) yield problem('Only a state with "keys" or "speech" can have "onKey".', 'onKey');
  for (const key of Object.keys(onKey ?? {}))
    if (Object.hasOwn(keys, key)) yield problem(`"keys" contains ${key}, so it isn't a wrong key.`, 'onKey', key);
  yield* findBranchProblems(state);
  yield* findPromptProblems(state);
}

function* findBranchProblems({ branches = [], collect, next }: IvrState): Generator<MemberProblem> {
  if (branches.length > 0 && !collect && next === undefined)
    yield problem('Only a state with "collect" or "next" can have "branches".', 'branches');
  for (const [index, { entered, callers }] of branches.entries()) {
    const path = ['branches', index];
    if (!entered && !callers)
      yield problem('A branch needs "entered" or "callers". Otherwise, it always applies.', ...path);
    if (entered && !collect) yield problem('Callers enter digits only in a state with "collect".', ...path, 'entered');
    const { min = 1, max = Infinity, terminator = ' ' } = collect ?? {};
    for (const [place, entry] of (entered ?? []).entries())
      if (entry.length < min || entry.length > max || entry.includes(terminator))
        yield problem(
          `Callers can't enter this value. An entry has ${String(min)} to ${String(max)} keys, without the terminator.`,
          ...[...path, 'entered', place],
        );
  }
}

function* findPromptProblems(state: IvrState): Generator<MemberProblem> {
  const { prompt, end, collect, onTimeout, onInvalid, onKey = {}, maxTries = defaultMaxTries } = state;
  const places: [path: string[], retry: IvrState['onTimeout']][] = [[[], { prompt }]];
  places.push([['onTimeout'], onTimeout], [['onInvalid'], onInvalid]);
  for (const [key, retry] of Object.entries(onKey)) places.push([['onKey', key], retry]);
  for (const [place, retry] of places) {
    const times = !isMenu(state) && !collect ? 1 : place.length > 0 ? maxTries - 1 : maxTries;
    for (const node of promptNodes(retry?.prompt ?? '')) {
      if (typeof node !== 'object') continue;
      if ('byTry' in node && node.byTry.length > times)
        yield problem(
          `"byTry" has ${String(node.byTry.length)} prompts, but this state plays at most ${String(times)} of them. Remove the others, or increase "maxTries" in a state that waits for input.`,
          ...[...place, 'prompt'],
        );
      if ('say' in node && end !== undefined)
        yield problem('In a state with "end", keys have no effect. Write the prompt without "bargeIn".', 'prompt');
    }
  }
}
