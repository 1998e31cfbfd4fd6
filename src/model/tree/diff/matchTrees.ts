import type { Sliced } from '../../sliced.ts';
import type { IndexedStep } from './indexedTree.ts';
import { isSought, NearestSteps } from './nearestSteps.ts';
import { OneToOne } from './oneToOne.ts';
import { WordWeights } from './wordWeights.ts';

/**
 * Which step of the base is which step now. There are two matches: of branches (a key or phrase at a menu) and of menus
 * (what plays and offers the keys), because several branches can lead to a menu, and a branch can lead elsewhere later.
 */
export interface Match {
  readonly ways: OneToOne<IndexedStep>;
  readonly menus: OneToOne<IndexedStep>;
}

/** How similar label and prompt of two branches must be under the same key, and under a different one. */
const alikeSameKey = 0.35;
const alikeOtherKey = 0.5;
const labelShare = 0.6;
/** Prefers a branch that kept its key if two are equally similar. */
const sameKeyBonus = 0.1;
/** A menu below an unchanged branch is still that menu. */
const alikeMenu = 0.6;
/** In larger families, not all pairs are compared. */
const maxPairs = 10_000;

/**
 * From the root down: the branches of a menu by key, label and prompt; then the rest anywhere in the tree by its words,
 * if these are distinctive; finally what kept its place and key, whatever it says now.
 */
export function matchTrees(base: readonly IndexedStep[], current: readonly IndexedStep[]): Sliced<Match> {
  return new Matching(base, current).run();
}

class Matching implements Match {
  readonly ways = new OneToOne<IndexedStep>();
  readonly menus = new OneToOne<IndexedStep>();
  readonly #base: readonly IndexedStep[];
  readonly #current: readonly IndexedStep[];
  readonly #weights: WordWeights;
  /** Prompts that several steps of one tree share don't identify a step. */
  readonly #common: ReadonlySet<string>;
  /** Pairs of steps, most of them menus, whose branches are still to be matched, and those that are done. */
  readonly #met: (readonly [IndexedStep, IndexedStep])[] = [];
  #walked = 0;
  /** Matching branches that lead to menus with different words. */
  readonly #doubtful: (readonly [IndexedStep, IndexedStep])[] = [];

  constructor(base: readonly IndexedStep[], current: readonly IndexedStep[]) {
    this.#base = base;
    this.#current = current;
    this.#weights = new WordWeights([...base, ...current].flatMap(({ words, label }) => [words, label]));
    this.#common = new Set([...repeated(base), ...repeated(current)]);
  }

  *run(): Sliced<Match> {
    const [baseRoot, currentRoot] = [this.#base[0], this.#current[0]];
    if (!baseRoot || !currentRoot) return this;
    this.#pair(baseRoot, currentRoot);
    yield* this.#walk();
    yield* this.#matchAnywhere();
    yield* this.#matchPlaces();
    return this;
  }

  #pair(base: IndexedStep, current: IndexedStep): void {
    this.ways.add(base, current);
    const [from, to] = [base.leadsTo, current.leadsTo];
    // Steps below an end or a link, which isn't a menu, still belong to it.
    if (from !== base && to !== current && base.children.length > 0 && current.children.length > 0)
      this.#met.push([base, current]);
    if (!from || !to || this.menus.hasEither(from, to)) return;
    if ((this.#weights.likeness(from.words, to.words) ?? 1) >= alikeMenu) this.#meet(from, to);
    else if (from === base && to === current) this.#doubtful.push([from, to]);
  }

  #meet(base: IndexedStep, current: IndexedStep): void {
    this.menus.add(base, current);
    this.#met.push([base, current]);
  }

  *#walk(): Sliced<void> {
    for (let next = this.#met[this.#walked]; next; next = this.#met[this.#walked]) {
      this.#walked += 1;
      this.#matchFamily(next[0].children, next[1].children);
      yield;
    }
  }

  #matchFamily(baseChildren: readonly IndexedStep[], currentChildren: readonly IndexedStep[]): void {
    const unchanged = this.#freeBy(currentChildren, wholeWay);
    // Most of a tree hasn't changed at all.
    for (const base of baseChildren) {
      const current = this.ways.hasBase(base) ? undefined : unchanged(base);
      if (current) this.#pair(base, current);
    }
    const [from, to] = this.#free(baseChildren, currentChildren);
    const scored: { readonly base: IndexedStep; readonly current: IndexedStep; readonly score: number }[] = [];
    const consider = (base: IndexedStep, current: IndexedStep): void => {
      const sameKey = plainWay(base) === plainWay(current);
      const score = this.#likeness(base, current) ?? (sameKey && !(base.isProven && current.isProven) ? 1 : 0);
      if (score >= (sameKey ? alikeSameKey : alikeOtherKey))
        scored.push({ base, current, score: score + (sameKey ? sameKeyBonus : 0) });
    };
    if (from.length * to.length <= maxPairs) for (const base of from) for (const current of to) consider(base, current);
    else {
      const sameKey = this.#freeBy(to, plainWay);
      for (const base of from) {
        const current = sameKey(base);
        if (current) consider(base, current);
      }
    }
    const placeOf = new Map(
      [...baseChildren.entries(), ...currentChildren.entries()].map(([place, step]) => [step, place]),
    );
    const places = ({
      base,
      current,
    }: {
      readonly base: IndexedStep;
      readonly current: IndexedStep;
    }): readonly [number, number] => [placeOf.get(base) ?? 0, placeOf.get(current) ?? 0];
    // The order is the same whichever tree is the base.
    scored.sort((a, b) => {
      const [one, other] = [places(a), places(b)];
      return b.score - a.score || Math.min(...one) - Math.min(...other) || Math.max(...one) - Math.max(...other);
    });
    for (const { base, current } of scored) if (!this.ways.hasEither(base, current)) this.#pair(base, current);
  }

  /**
   * Returns, for a step of the base, the next unpaired one with the same key, each once, because a file can have
   * several branches with one key.
   */
  #freeBy(
    current: readonly IndexedStep[],
    keyOf: (step: IndexedStep) => string,
  ): (base: IndexedStep) => IndexedStep | undefined {
    const byKey = new Map<string, IndexedStep[]>();
    for (const step of current.toReversed()) {
      const known = byKey.get(keyOf(step));
      if (known) known.push(step);
      else byKey.set(keyOf(step), [step]);
    }
    return (base) => {
      const steps = byKey.get(keyOf(base)) ?? [];
      let step = steps.pop();
      while (step && this.ways.hasCurrent(step)) step = steps.pop();
      return step;
    };
  }

  #free(
    base: readonly IndexedStep[],
    current: readonly IndexedStep[],
  ): readonly [readonly IndexedStep[], readonly IndexedStep[]] {
    return [base.filter((step) => !this.ways.hasBase(step)), current.filter((step) => !this.ways.hasCurrent(step))];
  }

  /** Returns 0 to 1 by label and prompt, or undefined if nothing can be compared. */
  #likeness(base: IndexedStep, current: IndexedStep): number | undefined {
    const label = this.#weights.likeness(base.label, current.label);
    const words = this.#prompts(base, current);
    if (label === undefined || words === undefined) return label ?? words;
    return labelShare * label + (1 - labelShare) * words;
  }

  #prompts(base: IndexedStep, current: IndexedStep): number | undefined {
    if (!base.isProven || !current.isProven) return undefined;
    if (base.behind === 'link' || current.behind === 'link') {
      const [from, to] = [base.leadsTo, current.leadsTo];
      return from && to && this.menus.are(from, to) ? 1 : undefined;
    }
    return this.#common.has(base.words.sounds) || this.#common.has(current.words.sounds)
      ? undefined
      : this.#weights.likeness(base.words, current.words);
  }

  /** What is elsewhere now: mutually nearest in both trees, and much nearer than the next. */
  *#matchAnywhere(): Sliced<void> {
    let nearest: NearestSteps | undefined;
    for (const base of this.#base) {
      if (this.#isPlaced(base) || !isSought(base)) continue;
      nearest ??= new NearestSteps(this.#base, this.#current, this.#weights);
      yield;
      const current = nearest.of(base);
      if (!current || this.#isPlaced(current)) continue;
      if (base.behind === 'menu') {
        this.#meet(base, current);
        if (!this.ways.hasEither(base, current)) this.ways.add(base, current);
      } else this.ways.add(base, current);
      yield* this.#walk();
    }
  }

  #isPlaced(step: IndexedStep): boolean {
    const pairs = step.behind === 'menu' ? this.menus : this.ways;
    return pairs.hasBase(step) || pairs.hasCurrent(step);
  }

  *#matchPlaces(): Sliced<void> {
    // Both lists grow during the loop.
    let [doubted, family] = [0, 0];
    for (;;) {
      const doubtful = this.#doubtful[doubted];
      if (doubtful) {
        doubted += 1;
        if (!this.menus.hasEither(...doubtful)) {
          this.#meet(...doubtful);
          yield* this.#walk();
        }
        continue;
      }
      const met = this.#met[family];
      if (!met) return;
      family += 1;
      const [from, to] = this.#free(met[0].children, met[1].children);
      const sameKey = this.#freeBy(to, plainWay);
      for (const base of from) {
        const current = sameKey(base);
        if (current && this.#mayBeSame(base, current)) this.#pair(base, current);
      }
      yield* this.#walk();
    }
  }

  /** Under the same key of the same menu, a different label means a different option, unless it wasn't tried. */
  #mayBeSame(base: IndexedStep, current: IndexedStep): boolean {
    if (!base.isProven || !current.isProven) return true;
    if (base.behind === 'link' && current.behind === 'link') return true;
    return this.#weights.likeness(base.label, current.label) === undefined;
  }
}

/** Phrases are compared by sound. */
const plainWay = (step: IndexedStep): string => step.node.digit ?? step.label.sounds;
const wholeWay = (step: IndexedStep): string => [plainWay(step), step.label.sounds, step.words.sounds].join('\n');

function repeated(steps: readonly IndexedStep[]): string[] {
  const seen = new Set<string>();
  return steps.flatMap(({ words: { sounds }, behind }) => {
    if (behind === 'link' || sounds === '') return [];
    if (seen.has(sounds)) return [sounds];
    seen.add(sounds);
    return [];
  });
}
