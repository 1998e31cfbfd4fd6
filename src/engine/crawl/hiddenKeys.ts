import { patience } from '../hearing/patience.ts';
import type { CrawlNode } from './crawlNode.ts';
import { spanOf, type Found, type Visit } from './found.ts';
import type { HeardPrompt } from './hear.ts';
import { hearPrompt, type MenuPlace } from './menuWait.ts';
import { playingAt } from './navigator.ts';
import { isRejection } from './settle.ts';

type HearOptions = Parameters<typeof hearPrompt>[1];
/** What followed an unoffered key: where the call is after a wrong one, or what the key led to. */
type Tried =
  { readonly is: 'wrong'; readonly place: MenuPlace | undefined } | { readonly is: 'found'; readonly found: Found };

/** Presses an unoffered key. If the IVR rejects it, the call is still at the same menu. */
export async function tryKey(
  visit: Visit,
  place: MenuPlace,
  key: string,
  listening: (node: CrawlNode, stepMs: number) => HearOptions,
): Promise<Tried> {
  const { navigator, map } = visit;
  const { menu } = place;
  const node = map.addHidden(menu, key);
  const wrong = (at?: MenuPlace): Tried => {
    map.remove(node);
    return { is: 'wrong', place: at };
  };
  const press = await navigator.press(place, node);
  if (!press) return wrong();
  const heard = await hearPrompt(visit, listening(node, press.atMs));
  const back: MenuPlace | undefined =
    heard.knownId === menu.id
      ? playingAt(menu, heard)
      : heard.kind === 'menu' && map.twinOf(node, heard) === menu
        ? { menu, state: 'ended' }
        : undefined;
  if (back || (heard.kind !== 'cut' && isRejection(heard))) map.learn(menu, { rejects: true });
  if (back || heard.kind === 'cut' || heard.text === '' || isRejection(heard)) return wrong(back);
  if (!isAnswered(visit, menu, heard, press.atMs)) return wrong();
  map.update(node, { status: 'exploring' });
  return { is: 'found', found: { visit, task: node, heard, press } };
}

/** Returns false if what followed begins when the prompt of this menu would have continued without a key. */
function isAnswered({ log }: Visit, { doubtedMs }: CrawlNode, heard: HeardPrompt, pressedAtMs: number): boolean {
  if (doubtedMs === undefined) return true;
  const quietFromMs = log.speech.findLast(({ endMs }) => endMs <= pressedAtMs)?.endMs ?? 0;
  return (heard.knownStartMs ?? heard.startMs) < quietFromMs + doubtedMs - patience.timeout.slack;
}

/** If two unoffered keys lead to the same place, both are wrong keys, and this is where wrong keys lead. */
export function dropDefault({ visit: { call, map }, task, heard }: Found, menu: CrawlNode): void {
  if (!map.has(task)) return;
  const isSameEnd = ({ id, end, fingerprint, transcript }: CrawlNode): boolean =>
    end !== undefined &&
    end === task.end &&
    fingerprint !== undefined &&
    (transcript === task.transcript || call.promptIn(...spanOf(heard), [{ id, fingerprint }]) !== undefined);
  const same = map
    .childrenOf(menu)
    .filter(
      (other) =>
        other !== task &&
        other.hidden === true &&
        (isSameEnd(other) || (other.linksTo !== undefined && other.linksTo === task.linksTo)),
    );
  if (same.length === 0) return;
  for (const wrong of [task, ...same]) map.remove(wrong);
}
