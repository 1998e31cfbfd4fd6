import { join, sentence, type Sentences } from '../../base/sentences.ts';
import type { CrawlMap } from './crawlMap.ts';
import { isMenu, leadsBack, type CrawlNode } from './crawlNode.ts';

/** What went wrong with single calls of a run. */
export interface Mishaps {
  /** Calls that the called side ended while a menu was being heard, or on the way to a step. */
  readonly dropped: number;
  /** Calls on which a known menu didn't play as before. */
  readonly differed: number;
  /** Why these may be the fault of this machine. */
  readonly cause?: Sentences | undefined;
}

/** Fewer mishaps than this happen on any line. */
const fewest = 3;
const notableShare = 0.25;

/** What suggests that the map of a run is wrong, for its user. */
interface Doubts {
  readonly why: Sentences;
  /** Steps may be missing, so the run can't count as completed. */
  readonly isIncomplete: boolean;
}

/**
 * Returns why the map of a run may be wrong, or undefined if nothing suggests that. The run has ended, and the options
 * that it didn't reach are skipped.
 */
export function runDoubts(map: CrawlMap, calls: number, mishaps: Mishaps): Doubts | undefined {
  const { cause } = mishaps;
  const nodes = [...map.nodes];
  const isUnheard = nodes.some(({ status }) => status === 'failed');
  const isUnread = nodes.some(({ unsure, reason }) => unsure === true && reason !== undefined);
  const lineDoubt = doubtOfLine(mishaps, calls);
  if (isUnread || (cause !== undefined && (isUnheard || lineDoubt !== undefined)))
    return {
      why: join(
        cause,
        sentence`Steps may be missing. Map again when the machine is less busy, or with fewer simultaneous calls.`,
      ),
      isIncomplete: true,
    };
  const unexplored = whyUnexplored(map);
  if (unexplored) return { why: join(unexplored, lineDoubt), isIncomplete: true };
  const why = doubtOfMap(map) ?? lineDoubt;
  return why && { why, isIncomplete: false };
}

const isHeard = ({ status }: CrawlNode): boolean => status === 'explored' || status === 'linked';

function whyUnexplored(map: CrawlMap): Sentences | undefined {
  const { options = [], speech = [] } = map.root.reading ?? {};
  if (!isMenu(map.root) || options.length + speech.length === 0 || map.childrenOf(map.root).some(isHeard))
    return undefined;
  return sentence`The first menu offers options, but none of them was explored. The steps of the tree say why.`;
}

function doubtOfMap(map: CrawlMap): Sentences | undefined {
  if ([...map.nodes].length === 1 && map.root.status === 'explored')
    return sentence`Only one step was found: what was heard offers no options that Dialtree understands. Listen to its recording. If it does offer some, map again, or in another mode.`;
  const offered = map.childrenOf(map.root).filter(({ hidden }) => hidden !== true);
  const tried = offered.filter(isHeard);
  const isLeftOut = (option: CrawlNode): boolean => option.status === 'skipped' && map.mayPress(option);
  if (!isMenu(map.root) || tried.length <= 1 || offered.some(isLeftOut)) return undefined;
  if (tried.every((option) => option.linksTo === map.root.id && !leadsBack(option)))
    return sentence`Every option of the first menu leads back to it. The called side may not understand the keys. Check how the line sends them, or press one on a phone.`;
  return tried.length > 2 && tried.every((option) => isSameEnd(option, tried[0]))
    ? sentence`Every option of the first menu leads to the same end. The called side may reject all keys, or be closed at this time. Map again at another time.`
    : undefined;
}

function doubtOfLine({ dropped, differed }: Mishaps, calls: number): Sentences | undefined {
  const isNotable = (count: number): boolean => count >= fewest && count >= calls * notableShare;
  if (isNotable(dropped))
    return sentence`The called side hung up ${dropped} times while a menu was playing (${calls} calls). Steps may be missing. Map again, with fewer simultaneous calls.`;
  return isNotable(differed)
    ? sentence`Menus played differently from call to call (${differed} of ${calls} calls). The map shows what was heard first. Map again to compare.`
    : undefined;
}

const isSameEnd = (one: CrawlNode, other: CrawlNode | undefined): boolean =>
  one.end !== undefined && one.end !== 'input' && one.end === other?.end && one.transcript === other.transcript;
