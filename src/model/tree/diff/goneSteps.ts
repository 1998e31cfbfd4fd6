import type { IndexedStep } from './indexedTree.ts';
import type { OneToOne } from './oneToOne.ts';
import { SpokenText } from './spokenText.ts';
import type { WordWeights } from './wordWeights.ts';

const alikeLabel = 0.5;

/**
 * Returns the steps of one tree that the other certainly lacks. Absence alone proves nothing: a step is gone if its
 * menu was heard in the other tree too and no longer offers it, or if its key or phrase now ends or leads elsewhere.
 * Everything below it is gone with it. What wasn't called isn't gone: failed, skipped or pending steps, offered options
 * that weren't tried, unoffered keys, which a run tries only if it has time, and what either tree is unsure of.
 */
export function goneSteps(
  steps: readonly IndexedStep[],
  { ways, menus }: { readonly ways: OneToOne<IndexedStep>; readonly menus: OneToOne<IndexedStep> },
  weights: WordWeights,
): ReadonlySet<IndexedStep> {
  const gone = new Set<IndexedStep>();
  const offers = new Map<IndexedStep, Offer>();
  // Parents come before their children.
  for (const step of steps) {
    const { parent } = step;
    if (!parent || ways.hasBase(step)) continue;
    if (gone.has(parent)) {
      gone.add(step);
      continue;
    }
    const there = ways.current(parent);
    const menu = menus.current(parent);
    if (!step.isProven || step.node.hidden === true || [step, menu, there].some((at) => at?.node.unsure === true))
      continue;
    if (menu) {
      if (!offers.has(menu)) offers.set(menu, offerOf(menu));
      if (!isUntried(step, offers.get(menu), weights)) gone.add(step);
    } else if (parent.isProven && there?.isProven === true && there.behind !== 'unknown') gone.add(step);
  }
  return gone;
}

/** What a menu offers that wasn't tried there; undefined if nothing is known. */
type Offer =
  | {
      readonly keys: readonly { readonly key: string; readonly said: SpokenText }[];
      readonly phrases: readonly { readonly key: string; readonly said: SpokenText }[];
    }
  | undefined;

function offerOf({ node: { options = [], phrases = [] }, children }: IndexedStep): Offer {
  if (children.length === 0 && options.length === 0 && phrases.length === 0) return undefined;
  const tried = new Set(children.map(({ way }) => way));
  const untried = (
    offered: readonly { readonly key: string; readonly label: string }[],
  ): { readonly key: string; readonly said: SpokenText }[] =>
    offered.filter(({ key }) => !tried.has(key)).map(({ key, label }) => ({ key, said: new SpokenText(label) }));
  return { keys: untried(options), phrases: untried(phrases.map((phrase) => ({ key: phrase, label: phrase }))) };
}

/** The menu still offers it, and the run didn't try it; or nothing is known about its options. */
function isUntried({ node, label, way }: IndexedStep, offer: Offer, weights: WordWeights): boolean {
  if (!offer) return true;
  const isIt = ({ key, said }: { readonly key: string; readonly said: SpokenText }): boolean =>
    label.bag.size === 0 ? key === way : (weights.likeness(label, said) ?? (key === way ? 1 : 0)) >= alikeLabel;
  return offer.keys.some(isIt) || (node.digit === undefined && offer.phrases.some(isIt));
}
