import type { EndKind } from '../../../contract/tree.ts';
import type { TreeChange, TreeChangeKind } from '../../../contract/treeDiff.ts';
import { endPhrases } from '../endPhrases.ts';
import { differingParts } from './differingParts.ts';
import type { IndexedStep } from './indexedTree.ts';
import type { Match } from './matchTrees.ts';
import { saysOtherwise } from './saysOtherwise.ts';
import { upwards } from '../upwards.ts';

/** Later by both: short prompts vary by tenths of a second from call to call. */
const slowerByMs = 300;
const slowerByShare = 0.25;

export function stepChanges(base: IndexedStep, current: IndexedStep, { ways, menus }: Match): TreeChange[] {
  if (base.node.unsure === true || current.node.unsure === true) return [];
  const kept = ways.are(base, current);
  const changes: (TreeChange | undefined)[] = kept
    ? [
        moved(base, current, ways, menus),
        reworded(base, current, menus),
        renumbered(base, current, menus),
        relinked(base, current, menus),
        slower(base, current),
      ]
    : // The menu is now reached another way.
      [reworded(base, current, menus)];
  return changes.filter((change) => change !== undefined);
}

function moved(
  base: IndexedStep,
  current: IndexedStep,
  ways: Match['ways'],
  menus: Match['menus'],
): TreeChange | undefined {
  if (!base.parent || !current.parent || menus.are(base.parent, current.parent)) return undefined;
  // Below an end or a link, no menu says where this is.
  if (ways.are(base.parent, current.parent) && !menus.hasEither(base.parent, current.parent)) return undefined;
  return change('moved', base, current, {
    before: placeOf(base),
    after: placeOf(current),
    sentence: `${nameOf(current)} moved from ${placeOf(base)} to ${placeOf(current)}.`,
  });
}

function reworded(base: IndexedStep, current: IndexedStep, menus: Match['menus']): TreeChange | undefined {
  if (!base.isProven || !current.isProven) return undefined;
  const sameMenu = menus.are(base, current);
  const isEnd = base.behind === 'end' && current.behind === 'end';
  // People say something else each time.
  if (!sameMenu && (!isEnd || (base.node.end === 'human' && current.node.end === 'human'))) return undefined;
  // Silence counts as heard; what a file doesn't contain doesn't.
  if (
    base.node.transcript === undefined ||
    current.node.transcript === undefined ||
    !saysOtherwise(base.words, current.words)
  )
    return undefined;
  const [before, after] = [base.words.text, current.words.text];
  return change('reworded', base, current, {
    before,
    after,
    sentence: `${promptAt(current)} says something else: ${differingWords(before, after)}.`,
  });
}

function renumbered(base: IndexedStep, current: IndexedStep, menus: Match['menus']): TreeChange | undefined {
  if (!base.parent || !current.parent || !menus.are(base.parent, current.parent)) return undefined;
  const [before, after] = [base, current].map(({ node, way, label }) => ({ way, plain: node.digit ?? label.sounds }));
  if (!before || !after || before.plain === after.plain) return undefined;
  return change('renumbered', base, current, {
    before: before.way,
    after: after.way,
    sentence: `${nameOf(current)} is now reached by ${shownWay(current)} instead of ${shownWay(base)}, ${menuAt(current.parent)}.`,
  });
}

function relinked(base: IndexedStep, current: IndexedStep, menus: Match['menus']): TreeChange | undefined {
  if (!base.isProven || !current.isProven) return undefined;
  const [from, to] = [base.leadsTo, current.leadsTo];
  const isEnd = base.behind === 'end' || current.behind === 'end';
  if (
    isEnd
      ? leadOf(base) === leadOf(current) || leadOf(base) === undefined || leadOf(current) === undefined
      : !from || !to || menus.are(from, to)
  )
    return undefined;
  const [before, after] = [leadOf(base) ?? '', leadOf(current) ?? ''];
  return change('relinked', base, current, {
    before,
    after,
    sentence: `${nameOf(current)}${current.parent ? ` at ${placeOf(current)}` : ''} now ${leadPhrase(after)}. Before: ${leadPhrase(before)}.`,
  });
}

function slower(base: IndexedStep, current: IndexedStep): TreeChange | undefined {
  const [before, after] = [base.node.latencyMs, current.node.latencyMs];
  if (!base.isProven || !current.isProven || before === undefined || after === undefined) return undefined;
  if (after - before <= slowerByMs || after <= before * (1 + slowerByShare)) return undefined;
  return change('slower', base, current, {
    before: String(Math.round(before)),
    after: String(Math.round(after)),
    sentence: `${promptAt(current)} now starts after ${shownSeconds(after)} instead of ${shownSeconds(before)}.`,
  });
}

export const added = (step: IndexedStep): TreeChange => ({
  kind: 'added',
  stepId: step.id,
  path: stepPathOf(step),
  ...(step.words.text === '' ? {} : { after: step.words.text }),
  sentence: `${nameOf(step)} is new at ${placeOf(step)}.`,
});

export const removed = (step: IndexedStep): TreeChange => ({
  kind: 'removed',
  baseStepId: step.id,
  basePath: stepPathOf(step),
  ...(step.words.text === '' ? {} : { before: step.words.text }),
  sentence: `${nameOf(step)} is gone from ${placeOf(step)}.`,
});

function change(
  kind: TreeChangeKind,
  base: IndexedStep,
  current: IndexedStep,
  told: Pick<TreeChange, 'before' | 'after' | 'sentence'>,
): TreeChange {
  return {
    kind,
    stepId: current.id,
    baseStepId: base.id,
    path: stepPathOf(current),
    basePath: stepPathOf(base),
    ...told,
  };
}

/** Returns where a branch leads, in words, or undefined if it isn't known. */
function leadOf(step: IndexedStep): string | undefined {
  if (step.behind === 'end') return step.node.end ?? undefined;
  const menu = step.leadsTo;
  return (
    menu &&
    (menu === step
      ? `a menu${menu.words.text === '' ? '' : ` ("${cut(menu.words.text, 40)}")`}`
      : menu.parent
        ? `the menu at ${stepPathOf(menu)}`
        : 'the first menu')
  );
}

/** Returns what follows, in words for people. `lead` is `before` or `after` of a `relinked` change. */
export const leadPhrase = (lead: string): string => (isEndLead(lead) ? endPhrases[lead] : `leads to ${lead}`);
export const isEndLead = (lead: string): lead is EndKind => Object.hasOwn(endPhrases, lead);

/** Returns keys or phrases from the root, even if the tree doesn't contain them. */
export function stepPathOf(step: IndexedStep): string {
  const below = [...upwards(step, ({ parent }) => parent)].filter(({ parent }) => parent);
  return below
    .reverse()
    .map(({ way }) => way)
    .join(' > ');
}

const placeOf = (step: IndexedStep): string => (step.parent ? stepPathOf(step) : 'the first menu');
const promptAt = (step: IndexedStep): string =>
  step.parent ? `The prompt at ${stepPathOf(step)}` : 'The first prompt';
const menuAt = (step: IndexedStep): string => (step.parent ? `at ${stepPathOf(step)}` : 'at the first menu');
const shownWay = ({ node, way }: IndexedStep): string =>
  node.digit === undefined && node.byWaiting !== true ? `"${way}"` : way;
export const shownSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

function nameOf(step: IndexedStep): string {
  if (!step.parent) return 'The first menu';
  const name = step.label.text === '' ? step.words.text : step.label.text;
  return name === '' ? `Key ${step.way}` : `"${cut(name, 60)}"`;
}

/** Words shown around the difference. */
const around = 2;
const maxWords = 14;

/** Describes where two texts differ, with a word or two around it: `"… press 2" became "… press 3"`. */
function differingWords(before: string, after: string): string {
  const [one, other] = differingParts(before, after).map(({ words, from, to }) => part(words, from, to));
  return `${one ?? ''} became ${other ?? ''}`;
}

function part(words: readonly string[], start: number, end: number): string {
  if (words.length === 0) return 'silence';
  const from = Math.max(0, start - around);
  const to = Math.min(words.length, end + around, from + maxWords);
  return `"${from > 0 ? '… ' : ''}${words.slice(from, to).join(' ')}${to < words.length ? ' …' : ''}"`;
}
