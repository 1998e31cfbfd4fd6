import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { rejectsKey } from '../../language/menu/announcement.ts';
import { isOurs } from '../hearing/callEnding.ts';
import { isMenu, namesOtherLanguage, type CrawlNode, type ReportedStep } from './crawlNode.ts';
import { hasLeft, spanOf, type Found } from './found.ts';
import type { HeardPrompt } from './hear.ts';
import { witnessOf } from './linkCheck.ts';
import type { MenuPlace } from './menuWait.ts';
import { beganMs, playingAt } from './navigator.ts';
import { firstOptionMs, mayBeSameMenu, readsLikeTailOf } from './sameMenu.ts';

/** What the map makes of what followed a key. */
type Settled =
  /** The step is what was heard. */
  | { readonly is: 'keep'; readonly change: Partial<ReportedStep> }
  /** The step is the menu that was heard. `waited`: waiting was known to lead to it. */
  | { readonly is: 'menu'; readonly waited?: CrawlNode | undefined }
  /** A known menu plays. `before`: what was said before it. */
  | { readonly is: 'link'; readonly place: MenuPlace; readonly before: string }
  /** The prompt of the menu above continued, so the key was lost. `at`: where this call can press it again. */
  | { readonly is: 'lost'; readonly at: MenuPlace | 'promptEnd' | undefined }
  /** Another call must hear it. */
  | { readonly is: 'retry'; readonly hungUp: boolean }
  /** The key leads nowhere, and no prompt offers it. */
  | { readonly is: 'drop' };

/** Decides what was heard, by what the map knows. Changes nothing. `longestCallMs`: of this run, so far. */
export function settle(found: Found, longestCallMs: number, isForeign = false): Settled {
  const { task, heard, visit } = found;
  const { kind, end = 'dead-air', transferTo } = heard;
  if (kind === 'known') {
    const known = visit.map.menu(heard.knownId);
    if (playsOn(found, known)) return { is: 'lost', at: 'promptEnd' };
    if (!known) return { is: 'retry', hungUp: false };
    return { is: 'link', place: playingAt(known, heard), before: heard.words.length > 0 ? heard.text : '' };
  }
  if (kind === 'cut') {
    const hungUp = hangsUpAtOnce(found, longestCallMs);
    // The first time can be bad luck.
    return hungUp && (task.drops ?? 0) > 0
      ? { is: 'keep', change: { status: 'explored', end: 'hangup' } }
      : { is: 'retry', hungUp };
  }
  if (kind === 'menu') return settleMenu(found, longestCallMs);
  const isNowhere = isRejection(heard);
  // A menu that gives up on its caller leads nowhere.
  if (task.byWaiting ? isNowhere || end === 'hangup' : isNowhere && !visit.map.offers(task)) return { is: 'drop' };
  if (isForeign) return { is: 'keep', change: { status: 'explored', foreign: true } };
  if (kind === 'endless') return { is: 'keep', change: { status: 'failed', reason: endless } };
  return { is: 'keep', change: { status: 'explored', end, ...withoutUndefined({ transferTo }) } };
}

function settleMenu(found: Found, longestCallMs: number): Settled {
  const { task, heard, press, visit } = found;
  const parent = visit.map.parentOf(task);
  const state = heard.overrun ? 'again' : 'ended';
  if (parent && press.isInto && continues(found, parent))
    return { is: 'lost', at: hasLeft(found) ? undefined : { menu: parent, state } };
  const twin = twinOf(found);
  if (!twin) return { is: 'menu' };
  if (heard.asked) return settle({ ...found, heard: heard.asked }, longestCallMs);
  if (twin.byWaiting && twin.parentId === task.parentId && !task.byWaiting) return { is: 'menu', waited: twin };
  return { is: 'link', place: { menu: twin, state }, before: wordsBefore(found, twin) };
}

/**
 * Returns true if the called side hung up at once after this option. A line that drops every call at this age shows
 * nothing about the option.
 */
function hangsUpAtOnce({ visit: { call, map }, task, heard, press }: Found, longestCallMs: number): boolean {
  const ageMs = call.now();
  const isAtOnce = call.ended !== undefined && !isOurs(call.ended) && ageMs - press.atMs < atOnceMs;
  return isAtOnce && ageMs + atOnceMs <= longestCallMs && task !== map.root && heard.reading.options.length === 0;
}

/** Returns the known menu that was heard, recognised by its words, its sound, or the sound of its options. */
function twinOf({ visit: { call, map }, task, heard }: Found): CrawlNode | undefined {
  const known = map.others(task);
  const twin = map.twinOf(task, heard) ?? map.node(call.promptIn(...spanOf(heard), known));
  if (twin) return twin;
  const offeredMs = heard.endMs - heard.startMs - firstOptionMs(heard);
  for (const { id, fingerprint, offsetMs } of known) {
    const menu = map.node(id);
    if (!menu?.reading || menu === task || offsetMs !== undefined) continue;
    const { words = [], reading, promptMs = 0 } = menu;
    const menuOfferedMs = promptMs - firstOptionMs({ words, reading, startMs: 0 });
    const neededMs = Math.max(shortestMenuMs, offeredMs, menuOfferedMs) - edgeOfOptionsMs;
    if (call.sharedTailMs(...spanOf(heard), fingerprint) >= neededMs) return menu;
  }
  // It may be one that is heard with other words, if a look-ahead key can decide that.
  if (map.guarded) return undefined;
  return [...map.nodes].find(
    (menu) =>
      isMenu(menu) &&
      menu.reading !== undefined &&
      menu.parentId !== task.parentId &&
      !map.isBelow(menu, task) &&
      task.notSame?.includes(menu.id) !== true &&
      mayBeSameMenu(heard.reading, menu.reading) &&
      witnessOf(map, menu) !== undefined,
  );
}

/**
 * Returns true if the known prompt that was heard is what the prompt of the menu above plays at this time anyway: an
 * announcement swallowed the key, and the options after it are those of another known menu too.
 */
function playsOn({ visit: { call, map }, task, heard, press }: Found, known: CrawlNode | undefined): boolean {
  const { knownStartMs } = heard;
  const parent = map.parentOf(task);
  if (!parent?.fingerprint || !press.isInto || knownStartMs === undefined || known === parent) return false;
  const offsetMs = knownStartMs - beganMs(press, parent);
  return call.soundsLikePartOf(knownStartMs, call.now(), parent.fingerprint, offsetMs);
}

/**
 * Returns true if the prompt of the menu above continued: it ended when it would have ended without the key, with the
 * same sound. If the prompt's sound isn't known, its words decide.
 */
function continues({ visit: { call, map }, heard, press }: Found, parent: CrawlNode): boolean {
  const { fingerprint, promptMs } = parent;
  if (!fingerprint || promptMs === undefined)
    return readsLikeTailOf(heard.text, heard.reading, parent.transcript ?? '', map.childrenOf(parent));
  const endsInTime = Math.abs(beganMs(press, parent) + promptMs - heard.endMs) < unbrokenMs;
  // When a repetition began isn't known.
  return (endsInTime || press.isIntoRepeat) && call.soundsLikeTailOf(...spanOf(heard), fingerprint);
}

/** Returns the words before a known menu, found by their common sound. */
function wordsBefore({ visit: { call }, heard }: Found, { fingerprint }: CrawlNode): string {
  if (!fingerprint) return '';
  const sharedMs = call.sharedTailMs(...spanOf(heard), fingerprint);
  const before = heard.words.filter(({ endMs }) => sharedMs > 0 && endMs <= heard.endMs - sharedMs + 100);
  return before.map(({ text }) => text).join(' ');
}

/**
 * Returns true for a prompt in a language that isn't understood, after a key that a menu may offer for it: what isn't
 * understood may be a menu. Its keys are guessed.
 */
export async function isForeign({ visit: { call, log }, task, heard }: Found): Promise<boolean> {
  const { end, reading, startMs, endMs } = heard;
  const mayBeMenu = end === 'input' || end === 'dead-air' || end === 'hangup';
  if (!mayBeMenu || reading.input || !(task.hidden || namesOtherLanguage(task.label))) return false;
  const spans = log.speech.filter((span) => span.endMs > startMs && span.startMs < endMs);
  const seconds = { english: 0, other: 0 };
  for (const { language, speechSeconds } of await call.languages(spans).catch(() => []))
    seconds[language === 'en' ? 'english' : 'other'] += speechSeconds;
  return seconds.other > Math.max(shortestForeign, seconds.english);
}

/** A few words before a hang-up are a goodbye, however they were heard. */
export const isRejection = ({ text, end, startMs, endMs }: HeardPrompt): boolean =>
  rejectsKey(text) || (end === 'hangup' && endMs - startMs < longestFarewellMs);

const endless = 'The called side was still talking when Dialtree stopped listening.';
/** A prompt that continues ends within this time of when it would have ended without the key. */
const unbrokenMs = 600;
/** A call that ends within this time of a key was hung up because of it. */
const atOnceMs = 5000;
const shortestMenuMs = 2500;
/** Up to three words. */
const longestFarewellMs = 1500;
/** Seconds of speech from which its language is certain. */
const shortestForeign = 2;
/** Word times are accurate to this much. */
const edgeOfOptionsMs = 800;
