import type { Step } from './indexedTree.ts';
import type { Pairs } from './pairs.ts';
import { SpokenText } from './spokenText.ts';
import type { WordWeights } from './wordWeights.ts';

const alikeLabel = 0.5;

/**
 * The steps of one tree that the other certainly lacks. Absence alone proves nothing: a step is gone where its menu was heard in the other tree too and no longer
 * offers it, or where its way now ends or leads elsewhere; all below it is gone with it. What was not called (failed, skipped or pending steps, options that are
 * offered and were not tried, keys that no prompt offers and that a run tries only where it has time) is not gone.
 */
export function goneSteps(steps: readonly Step[], { ways, menus }: { readonly ways: Pairs<Step>; readonly menus: Pairs<Step> }, weights: WordWeights): ReadonlySet<Step> {
  const gone = new Set<Step>();
  // Parents come before their children.
  for (const step of steps) {
    const { parent } = step;
    if (!parent || ways.hasBase(step)) continue;
    if (gone.has(parent)) { gone.add(step); continue; }
    const there = ways.current(parent);
    const menu = menus.current(parent);
    if (!step.isProven || step.node.hidden === true) continue;
    if (menu) {
      if (!isUntried(step, menu, weights)) gone.add(step);
    } else if (parent.isProven && there?.isProven === true && there.behind !== 'unknown') gone.add(step);
  }
  return gone;
}

/** The menu offers it still, and the run did not try it; or nothing is known of what it offers. */
function isUntried({ node, label, way }: Step, menu: Step, weights: WordWeights): boolean {
  const { options = [], phrases = [] } = menu.node;
  const tried = new Set(menu.children.map((child) => child.way));
  if (menu.children.length === 0 && options.length === 0 && phrases.length === 0) return true;
  const isOffered = (key: string, said: string): boolean => !tried.has(key) && (label.bag.size === 0 ? key === way : (weights.likeness(label, new SpokenText(said)) ?? (key === way ? 1 : 0)) >= alikeLabel);
  return options.some((option) => isOffered(option.key, option.label)) || (node.digit === undefined && phrases.some((phrase) => isOffered(phrase, phrase)));
}
