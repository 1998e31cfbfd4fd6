import { heardOut } from './heardOut.ts';
import type { IndexedStep } from './indexedTree.ts';
import type { WordWeights } from './wordWeights.ts';

/** The minimum similarity of two steps in different places that are one. */
const alike = 0.7;
/**
 * If the words are less similar than that, but at least this similar, the texts are aligned, because recognition may
 * have written them differently.
 */
const doubtful = 0.4;
/** If more are in doubt, it is a different IVR that sounds a little alike. */
const maxHeardOut = 500;
/** The next best must be less similar by this much. */
const margin = 0.1;
/** A word that more steps have doesn't lead to candidates. */
const maxWithWord = 40;
/** A step with this few words isn't searched elsewhere. */
const minWords = 3;

/** Menus and ends with words. Links are where their menu is, and an unoffered key isn't certain. */
export const isSought = ({ isProven, behind, words, node }: IndexedStep): boolean =>
  isProven && (behind === 'menu' || (behind === 'end' && node.hidden !== true)) && words.bag.size >= minWords;

/** Finds the other tree's step with the same words. Words lead to candidates, so not all pairs are compared. */
export class NearestSteps {
  readonly #current: Index;
  readonly #base: Index;
  readonly #weights: WordWeights;
  #heardOut = 0;

  constructor(base: readonly IndexedStep[], current: readonly IndexedStep[], weights: WordWeights) {
    this.#weights = weights;
    this.#base = new Index(base.filter(isSought));
    this.#current = new Index(current.filter(isSought));
  }

  /** Returns the step of the current tree that matches this step of the base, and no other. */
  of(base: IndexedStep): IndexedStep | undefined {
    const current = this.#best(base, this.#current);
    return current && this.#best(current, this.#base) === base ? current : undefined;
  }

  #best(step: IndexedStep, index: Index): IndexedStep | undefined {
    let [best, score, next]: [IndexedStep | undefined, number, number] = [undefined, 0, 0];
    for (const candidate of index.near(step)) {
      if (candidate.behind !== step.behind) continue;
      const found = this.#likeness(step, candidate);
      if (found > score) [best, score, next] = [candidate, found, score];
      else if (found > next) next = found;
    }
    if (best && score >= doubtful && score < alike && score - next >= margin) score = this.#heardAs(step, best);
    return score >= alike && score - next >= margin ? best : undefined;
  }

  /** Compares its prompt, and at an end also its label. A text that both lack says nothing. */
  #heardAs(step: IndexedStep, other: IndexedStep): number {
    if (this.#heardOut >= maxHeardOut) return 0;
    const words = heardOut(step.words, other.words, alike);
    if (words === undefined) return 0;
    this.#heardOut += 1;
    if (step.behind === 'menu' || words < alike || (step.label.text === '' && other.label.text === '')) return words;
    return Math.min(words, heardOut(step.label, other.label, alike) ?? 0);
  }

  /** A menu is its prompt. Many ends say the same, and are distinguished by the chosen option. */
  #likeness(step: IndexedStep, other: IndexedStep): number {
    const words = this.#weights.likeness(step.words, other.words) ?? 0;
    if (step.behind === 'menu') return words;
    const label = this.#weights.likeness(step.label, other.label);
    return label === undefined ? words : (words + label) / 2;
  }
}

class Index {
  readonly #byWord = new Map<string, IndexedStep[]>();
  readonly #bySounds = new Map<string, IndexedStep[]>();

  constructor(steps: readonly IndexedStep[]) {
    for (const step of steps) {
      list(this.#bySounds, step.words.sounds).push(step);
      for (const word of step.words.bag.keys()) list(this.#byWord, word).push(step);
      for (const word of step.label.bag.keys()) if (!step.words.bag.has(word)) list(this.#byWord, word).push(step);
    }
  }

  near({ words, label }: IndexedStep): ReadonlySet<IndexedStep> {
    const found = new Set(this.#bySounds.get(words.sounds)?.slice(0, maxWithWord));
    for (const word of [...words.bag.keys(), ...label.bag.keys()]) {
      const steps = this.#byWord.get(word);
      if (steps && steps.length <= maxWithWord) for (const step of steps) found.add(step);
    }
    return found;
  }
}

function list(lists: Map<string, IndexedStep[]>, name: string): IndexedStep[] {
  const known = lists.get(name);
  if (known) return known;
  const result: IndexedStep[] = [];
  lists.set(name, result);
  return result;
}
