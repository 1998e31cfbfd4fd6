import { sleep } from '../../base/clock.ts';
import { classifyAnnouncement } from '../../language/menu/announcement.ts';
import type { CrawlMap } from './crawlMap.ts';
import { isMenu, leadsAbove, leadsBack, repeatsMenu, type CrawlNode } from './crawlNode.ts';
import type { Found } from './found.ts';
import { standingMs, type MenuPlace } from './menuWait.ts';

/** What a call made of a menu that sounds like a known one. */
type Checked =
  /** It is the known menu. `place`: where the call is now. */
  | { readonly is: 'linked'; readonly place: MenuPlace | undefined }
  /** The key may have been lost, and is pressed again, slowly, at the end of the prompt. */
  | { readonly is: 'pressAgain' }
  /** It is another menu, or that can't be decided yet. */
  | { readonly is: 'retry'; readonly why: string; readonly isOther: boolean };

/**
 * Checks whether a task is the menu of `place`, which it sounds like. This is certain if its label says so. Otherwise,
 * one look-ahead key must lead to the same prompt in both.
 *
 * @param before what was said before the menu began
 * @param isLastTry a link that can't be checked is believed
 */
export async function checkLink(found: Found, place: MenuPlace, before: string, isLastTry: boolean): Promise<Checked> {
  const { visit, task, press } = found;
  const target = place.menu;
  // What waiting leads to can't be reached slower.
  if (task.byWaiting) return { is: 'linked', place };
  const isParent = target === visit.map.parentOf(task);
  // The menu repeats although the key was pressed again, slowly, when the menu certainly accepted it.
  const isRepeat = (task.lost ?? 0) > 0 && press.isTimely;
  const said = classifyAnnouncement(before);
  const isNews = said === 'other' && before.split(' ').length > 3;
  // The key was understood, and another wrong key could use up the tries that the menu allows.
  if (isParent && said === 'invalid') return { is: 'linked', place };
  if (isParent && !leadsBack(task) && !isNews && !isRepeat) return { is: 'pressAgain' };
  if (isParent || (leadsBack(task) && !repeatsMenu(task))) return { is: 'linked', place };
  return lookAhead(found, place, isLastTry);
}

async function lookAhead(found: Found, place: MenuPlace, isLastTry: boolean): Promise<Checked> {
  const { visit, task } = found;
  const { map, navigator } = visit;
  const target = place.menu;
  // A key that only distinguishes menus isn't worth a risk.
  if (map.guarded) return { is: 'linked', place };
  const back = backKey(map, task, target);
  if (back) {
    // Two menus with the same words can differ in the menu above them.
    const there = await navigator.lookBack(place, back);
    return there && there.menu === (map.node(back.linksTo) ?? map.parentOf(target))
      ? { is: 'linked', place: there }
      : {
          is: 'retry',
          why: 'Sounds like another menu, but leads back to a different one.',
          isOther: there !== undefined,
        };
  }
  const witness = await awaitWitness(visit, place);
  if (!witness)
    return isLastTry || map.childrenOf(target).length === 0
      ? { is: 'linked', place }
      : { is: 'retry', why: 'Sounds like a menu that is still being explored.', isOther: false };
  const verdict = await navigator.lookAhead(place, witness);
  return verdict === 'same'
    ? { is: 'linked', place: isMenu(witness) ? { menu: witness, state: 'playing' } : undefined }
    : { is: 'retry', why: 'Sounds like another menu, but leads elsewhere.', isOther: verdict === 'other' };
}

/** Returns the key of `target` for the menu above it, if the menu above `task` is another. Asked once. */
function backKey(map: CrawlMap, task: CrawlNode, target: CrawlNode): CrawlNode | undefined {
  const above = map.parentOf(target);
  if (task.attempts > 0 || !above || above === map.parentOf(task)) return undefined;
  return map.childrenOf(target).find((key) => key.digit !== undefined && leadsAbove(key) && map.mayPress(key));
}

/** Returns a child whose prompt distinguishes the menu from others: explored, and not a key that leads back. */
export function witnessOf(map: CrawlMap, menu: CrawlNode): CrawlNode | undefined {
  const children = map
    .childrenOf(menu)
    .filter(
      (child) =>
        child.status === 'explored' &&
        child.digit !== undefined &&
        child.fingerprint !== undefined &&
        child.fingerprint.length > shortestWitness &&
        map.mayPress(child),
    );
  // After a menu, the call can continue.
  return children.find(isMenu) ?? children[0];
}
/** Bytes of a fingerprint, so that it isn't only a click. */
const shortestWitness = 40;

/** Another call may be about to hear one. */
async function awaitWitness(
  { map, clock }: Found['visit'],
  { menu, state }: MenuPlace,
): Promise<CrawlNode | undefined> {
  const until = clock.now() + standingMs[state];
  for (;;) {
    const witness = witnessOf(map, menu);
    const isComing = map.childrenOf(menu).some((child) => child.status === 'exploring');
    if (witness || clock.now() >= until || !isComing) return witness;
    await sleep(clock, 100);
  }
}
