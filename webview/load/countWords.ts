import { t } from '../page/l10n.ts';

/** The meanings of outcomes and hang-ups (docs: load tests). An unknown name is shown as it is. */

export type CountKind = 'good' | 'bad' | 'neutral';
export interface CountMeaning {
  readonly words: string;
  readonly kind: CountKind;
}

const outcomes: Readonly<Record<string, CountMeaning>> = {
  answered: { words: t('Answered'), kind: 'good' },
  cancelled: { words: t('Cancelled by Dialtree'), kind: 'neutral' },
  busy: { words: t('Busy'), kind: 'bad' },
  noAnswer: { words: t('No answer'), kind: 'bad' },
  notPlaced: { words: t('Not placed: this machine was at capacity'), kind: 'bad' },
  notFound: { words: t('Number not found'), kind: 'bad' },
  unauthorized: { words: t('Not authorised'), kind: 'bad' },
  unreachable: { words: t('Unreachable'), kind: 'bad' },
  protocol: { words: t('Protocol error'), kind: 'bad' },
  internal: { words: t('Dialtree internal error'), kind: 'bad' },
};

const hangUps: Readonly<Record<string, CountMeaning>> = {
  us: { words: t('By Dialtree, as planned'), kind: 'good' },
  them: { words: t('By the called side'), kind: 'neutral' },
  mediaTimeout: { words: t('Audio stopped'), kind: 'bad' },
  protocol: { words: t('Protocol error'), kind: 'bad' },
  internal: { words: t('Dialtree internal error'), kind: 'bad' },
};

/** RFC 3261, section 21: statuses in load tests, in the words of the standard. */
const sipStatuses: Readonly<Record<string, string>> = {
  400: 'bad request',
  403: 'forbidden',
  408: 'request timeout',
  480: 'temporarily unavailable',
  481: 'no such call',
  484: 'address incomplete',
  487: 'request terminated',
  488: 'not acceptable here',
  500: 'server error',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'server timeout',
  600: 'busy everywhere',
  603: 'declined',
};

/** ITU-T Q.850, section 2.2.7: causes that end and refuse calls, in the words of the standard. */
const q850Causes: Readonly<Record<string, string>> = {
  16: 'normal clearing',
  17: 'user busy',
  19: 'no answer',
  21: 'rejected',
  27: 'out of order',
  31: 'normal, unspecified',
  34: 'no channel free',
  38: 'network out of order',
  41: 'temporary failure',
  42: 'switch congested',
  44: 'channel not available',
  47: 'no resource',
  63: 'service not available',
  102: 'timer expired',
  127: 'interworking',
};

export function outcomeMeaning(name: string): CountMeaning {
  const [, plain, cause] = /^(.+) Q\.850 (\d{1,3})$/.exec(name) ?? [];
  if (plain !== undefined && cause !== undefined) {
    const { words, kind } = outcomeMeaning(plain);
    return { words: withWord(`${words}, Q.850 ${cause}`, q850Causes[cause]), kind };
  }
  const status = /^rejected (\d{3})$/.exec(name)?.[1];
  if (status !== undefined)
    return { words: withWord(t('Rejected, SIP {0}', status), sipStatuses[status]), kind: 'bad' };
  return own(outcomes, name) ?? { words: name, kind: 'bad' };
}

export function hangUpMeaning(name: string): CountMeaning {
  const cause = /^them Q\.850 (\d{1,3})$/.exec(name)?.[1];
  if (cause !== undefined)
    return { words: withWord(t('By the called side, Q.850 {0}', cause), q850Causes[cause]), kind: 'neutral' };
  return own(hangUps, name) ?? { words: name, kind: 'bad' };
}

const withWord = (text: string, word: string | undefined): string => (word === undefined ? text : `${text} (${word})`);
const own = <T>(from: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(from, name) ? from[name] : undefined;
