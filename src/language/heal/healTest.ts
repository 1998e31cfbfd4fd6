import { because, sentence, type Sentences } from '../../base/sentences.ts';
import type { HealChange, Healing } from '../../contract/heal.ts';
import { limits } from '../../contract/limits.ts';
import { defaultPassThreshold, type TestStep } from '../../contract/testConfigs.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import { similarity } from '../../model/heard/similarity.ts';
import { comparableTokens } from '../../model/heard/spokenForms.ts';
import { withoutVolatile } from '../../model/heard/volatileWords.ts';
import { masked } from '../../model/secrets/secretMask.ts';
import { readMenu } from '../menu/readMenu.ts';
import { actsOf, promptsOf } from './heardRun.ts';
import { isOffer, menuChange, movedKeys, withMovedKeys, type MenuChange } from './menuChange.ts';
import { compareWording, sentencesIn } from './wording.ts';

/** What was heard when the test passed, or what a tree or the test says about it. */
export interface HealReference {
  readonly kind: 'run' | 'tree' | 'test';
  /** From the answer to the first act, and after each act. */
  readonly prompts: readonly string[];
  /** What a run pressed or said between them. */
  readonly acts?: readonly string[];
  readonly hangUp?: RunResults['hangUp'];
}
interface FailedRun {
  readonly steps: readonly TestStep[];
  readonly run: Pick<RunResults, 'steps' | 'transcript' | 'hangUp'>;
  readonly reference: HealReference;
}
type Found = Pick<Healing, 'finding' | 'reason' | 'reasonParts' | 'changes' | 'steps'>;
type Kind = HealChange['kind'];

const reasons: Readonly<Record<Kind, Sentences>> = {
  keyMoved: sentence`The menu offers the same under another key.`,
  promptReworded: sentence`The prompt says the same in other words.`,
  announcementAdded: sentence`More is said within the expected words.`,
  optionGone: sentence`The menu doesn't offer this any more.`,
  endChanged: sentence`The call continues differently.`,
  slower: sentence`It takes longer than the test allows.`,
  valueChanged: sentence`A number, name, negation, notice or check that the test relies on differs.`,
};
const adapted: ReadonlySet<Kind> = new Set<Kind>(['keyMoved', 'promptReworded', 'announcementAdded']);
/** Words this similar may be the expected ones. */
const partOfIt = 0.5;
const anyWords = /(?<!\S)\*(?!\S)/g;
const again = sentence`This result says little about the called side. Run the test again, then repair it.`;
const doubt = sentence`Nothing shows for certain that what is heard now means the same. Read the run, and change the test by hand if it is right.`;
const asBefore = sentence`The same words were heard when the test passed. Run it again.`;
const repaired = sentence`What changed keeps the meaning of the test. Read the proposed steps, then run the test with them.`;
const broken = sentence`What changed is a regression of the called side, so the test stays as it is.`;

export const foundNothing = (finding: Found['finding'], why: Sentences): Found => ({
  finding,
  ...because(why),
  changes: [],
});

function concluded(changes: HealChange[], steps?: TestStep[]): Found {
  if (changes.some(({ regression }) => regression)) return { finding: 'regression', ...because(broken), changes };
  if (!steps || changes.length === 0) return foundNothing('unclear', doubt);
  return { finding: 'repairable', ...because(repaired), changes, steps };
}
const change = (kind: Kind, step: number, before = '', now = ''): HealChange => ({
  step,
  kind,
  ...(before !== '' && { before }),
  ...(now !== '' && { now }),
  regression: !adapted.has(kind),
  ...because(reasons[kind]),
});
const moveOf = (step: number, { key, label, to }: MenuChange['moved'][number]): HealChange =>
  change('keyMoved', step, `${key}: ${label}`, `${to}: ${label}`);
const lossOf = (step: number, { key, label, now }: MenuChange['gone'][number]): HealChange =>
  change(now === undefined ? 'optionGone' : 'valueChanged', step, `${key}: ${label}`, now);

/**
 * Compares the first failed step of a run, and the menus before it, with what was heard when the test passed. Proposes
 * steps only if all that changed is a key, or words that mean the same and that the matcher of runs accepts.
 */
export function healTest(failed: FailedRun): Found {
  const at = failed.run.steps.findIndex(({ outcome, optional }) => outcome !== 'PASS' && optional !== true);
  return failed.run.steps[at]?.outcome === 'FAIL' && failed.steps[at]
    ? new Healer(failed).heal(at)
    : foundNothing('unclear', again);
}

class Healer {
  readonly #steps: readonly TestStep[];
  readonly #run: FailedRun['run'];
  readonly #reference: HealReference;
  readonly #acts: readonly number[];
  readonly #prompts: readonly string[];

  constructor({ steps, run, reference }: FailedRun) {
    [this.#steps, this.#run, this.#reference] = [steps, run, reference];
    [this.#acts, this.#prompts] = [actsOf(steps), promptsOf(run.transcript)];
  }

  heal(at: number): Found {
    const here = this.#failedStep(at);
    const mayBeIt = (this.#run.steps[at]?.similarity ?? 0) >= partOfIt;
    for (const [menu, index] of this.#acts.entries()) {
      if (index > at) break;
      const found = menuChange(this.#reference.prompts[menu] ?? '', this.#prompts[menu] ?? '');
      const key = keyOf(this.#steps[index], found, this.#reference.acts?.[menu]);
      if (key === undefined) continue;
      const gone = found.gone.find((option) => option.key === key);
      const moved = found.moved.find((option) => option.key === key);
      if (gone) return concluded([lossOf(index, gone)]);
      if (!moved) return concluded([]);
      if (mayBeIt && here.finding === 'regression') return here;
      const named = this.#reworded(index - 1);
      if (named.finding === 'regression' || named.changes.some(({ kind }) => kind === 'keyMoved')) return named;
      return concluded([moveOf(index, moved)], withKey(this.#steps, index, moved));
    }
    return here;
  }

  #failedStep(at: number): Found {
    const { similarity: score, transcript: heard = '', latencyMs = 0, reason } = this.#run.steps[at] ?? {};
    const {
      action,
      timing,
      expectedEnd,
      expectedTranscript,
      heardBeforeAnswer,
      passThreshold = 0,
    } = this.#steps[at] ?? {};
    if (action?.type === 'collect' || heardBeforeAnswer !== undefined) return concluded([]);
    if (expectedTranscript === undefined ? heard !== '' || timing : (score ?? 0) >= passThreshold) {
      const isLate = latencyMs > (timing?.promptWithinSeconds ?? Infinity) * 1000;
      const kind = !isLate && expectedEnd !== undefined ? 'endChanged' : timing ? 'slower' : 'valueChanged';
      return concluded([change(kind, at, expectedEnd, reason)]);
    }
    const { by = 'us', transferTo } = this.#run.hangUp ?? {};
    const { by: byBefore, transferTo: transferBefore } = this.#reference.hangUp ?? {};
    const endsEarly = by !== 'us' && (by !== byBefore || this.#acts.some((index) => index > at));
    if (heard === '' || endsEarly || transferTo !== transferBefore)
      return concluded([change('endChanged', at, expectedEnd, reason)]);
    return this.#reworded(at);
  }

  /**
   * If the passing run heard the same words with other keys only, moves these keys in the expected words. Names and
   * punctuation that are always heard otherwise don't matter then.
   */
  #withMovedKeys(at: number, before: string, heard: string): Found | undefined {
    const { expectedTranscript: expected = '', passThreshold = 1 } = this.#steps[at] ?? {};
    const moves = this.#reference.kind === 'run' ? movedKeys(before, heard) : undefined;
    if (!moves) return undefined;
    const proposal = withMovedKeys(expected, moves);
    if (similarity(proposal, heard).score < passThreshold || contradicts(proposal, heard)) return undefined;
    const place = this.#acts.filter((index) => index <= at).length;
    const index = this.#acts[place] ?? at;
    if (this.#steps[index]?.secret === true) return undefined;
    const found = { moved: moves, gone: [], unclear: [] };
    const key = keyOf(this.#steps[index], found, this.#reference.acts?.[place]);
    const pressed = moves.find((option) => option.key === key);
    const steps = this.#steps.with(at, { ...this.#steps[at], expectedTranscript: proposal } as TestStep);
    const changes = moves.map((move) => moveOf(move === pressed ? index : at, move));
    return concluded(changes, pressed ? withKey(steps, index, pressed) : steps);
  }

  /** Compares the words that a step expects, and the menu of which they are a part. */
  #reworded(at: number): Found {
    const place = this.#acts.filter((index) => index <= at).length;
    const { expectedTranscript: expected = '', transcript: heard = '' } = this.#run.steps[at] ?? {};
    const step = this.#steps[at];
    const [before, now] = [this.#reference.prompts[place] ?? expected, this.#prompts[place] ?? heard];
    if (!step || expected === '') return concluded([]);
    const [isOpen, words] = [expected.includes('*'), expected.replaceAll(anyWords, '.')];
    if (this.#reference.kind === 'run' && before === now) return foundNothing('flaky', asBefore);
    const keysOnly = this.#withMovedKeys(at, before, heard);
    if (keysOnly) return keysOnly;
    const [menu, own] = [menuChange(before, now), menuChange(words, now)];
    const changes = (menu.gone.length > 0 ? menu : own).gone.map((option) => lossOf(at, option));
    const [said = '', old = '', rest = ''] = [expected, before, now].map(withoutOffers);
    const wording = compareWording(said, rest, before);
    const whole = isOpen ? wording : compareWording(greeted(old), greeted(rest), expected);
    const other = [wording, whole].find(({ finding }) => finding === 'values');
    if (other || contradicts(said, rest)) changes.push(change('valueChanged', at, other?.before, other?.now));
    const isSame = wording.finding === (said === '' ? 'other' : 'same');
    const isUnclear = !isSame || menu.unclear.length + own.unclear.length > 0;
    if (changes.length > 0 || isUnclear || /\{\w+\}/.test(step.expectedTranscript ?? '')) return concluded(changes);
    const { options } = readMenu(words);
    const keepsOffer = ({ gone, unclear }: MenuChange): boolean => gone.length + unclear.length < options.length;
    const proposal = excerpt(sentencesIn(now), isOpen, (each) =>
      isOffer(each) ? keepsOffer(menuChange(words, each)) : wording.sentences.includes(each),
    );
    if (
      proposal === expected ||
      proposal.length > limits.missionText.max ||
      proposal.includes(masked.charAt(0)) ||
      similarity(proposal, heard).score < Math.max(step.passThreshold, defaultPassThreshold) ||
      contradicts(proposal, heard)
    )
      return concluded([]);
    const next = this.#steps.with(at, { ...step, expectedTranscript: proposal });
    const index = this.#acts[place] ?? at;
    const key = keyOf(next[index], menu, this.#reference.acts?.[place]);
    const pressed = menu.moved.find((option) => option.key === key);
    const moved = pressed ?? own.moved[0];
    if (moved) changes.push(moveOf(pressed ? index : at, moved));
    const isLonger = wordsOf(proposal) === wordsOf(expected);
    if (isLonger || !moved)
      changes.push(change(isLonger ? 'announcementAdded' : 'promptReworded', at, expected, proposal));
    return concluded(changes, pressed ? withKey(next, index, pressed) : next);
  }
}

/**
 * Returns the key that a step presses if it isn't offered as before. It can be the first of several. A key that the
 * reference didn't press has already been moved.
 */
function keyOf(step: TestStep | undefined, { moved, gone, unclear }: MenuChange, act?: string): string | undefined {
  if (step?.action.type !== 'press' || step.secret === true) return undefined;
  const { keys } = step.action;
  if (act !== undefined && act !== `[keys ${keys}]`) return undefined;
  return [...moved, ...gone, ...unclear].find(({ key }) => keys === key || keys.startsWith(`${key},`))?.key;
}

const withKey = (steps: readonly TestStep[], at: number, { key, to }: MenuChange['moved'][number]): TestStep[] =>
  steps.map((step, index) =>
    index === at && step.action.type === 'press'
      ? { ...step, action: { ...step.action, keys: to + step.action.keys.slice(key.length) } }
      : step,
  );

/** Returns the sentences to keep, with `*` for those in between. Nothing that was heard is a placeholder. */
function excerpt(all: readonly string[], isVolatile: boolean, keeps: (sentence: string) => boolean): string {
  const parts = all.map((each) => (keeps(each) ? each.replaceAll(/[{}]/g, '').replaceAll(anyWords, 'star') : '*'));
  const text = parts.join(' ').replaceAll(/(?:\* )+(?=\*)|^(?:\* )+|(?: \*)+$/g, '');
  return isVolatile ? withoutVolatile(text) : text;
}

const contradicts = (expected: string, heard: string): boolean =>
  similarity(expected, heard).words.some((word) => word.contradicts);
const wordsOf = (text: string): string =>
  comparableTokens(text, true)
    .flatMap(({ kind, text: word }) => (kind === 'any' ? [] : [word]))
    .join(' ');
/** A greeting differs with the time of day. */
const greeted = (text: string): string => text.replaceAll(/\bgood (?:morning|afternoon|evening)\b/gi, 'hello');
const withoutOffers = (text: string): string =>
  sentencesIn(text)
    .filter((each) => !isOffer(each))
    .join(' ');
