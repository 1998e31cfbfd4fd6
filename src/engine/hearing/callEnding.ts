import { sentence, type Sentences } from '../../base/sentences.ts';
import type { ExpectedEnd } from '../../contract/testConfigs.ts';
import { classifyAnnouncement } from '../../language/menu/announcement.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import type { SoundClass } from '../../speech/ear.ts';
import type { CallEnd } from '../../telephony/call.ts';
import type { Heard } from './listen.ts';
import { patience } from './patience.ts';

/** What a sound says about how a path ends. A beep counts only after words that aren't a menu. */
export const endOfSound: Partial<Record<SoundClass, ExpectedEnd>> = {
  ringback: 'transfer-ringback',
  busy: 'busy',
  fax: 'fax',
  music: 'hold-music',
};

/** Dialtree ended the call, so its end says nothing about the called side. */
export const isOurs = (end: CallEnd | undefined): boolean => end?.by === 'local';
/** A call that was ended because no audio arrived any more wasn't hung up by the called side. */
export const endOfCall = (end: CallEnd): 'hangup' | 'dead-air' => (end.by === 'remote' ? 'hangup' : 'dead-air');

/**
 * Returns how the call continues after what was heard, `menu` if it waits for a key, or undefined while that is open.
 * An announcement that might be a person's greeting ("Hello, this is …") counts as one only if a person is expected.
 *
 * @param patienceMs silence that counts as dead air
 */
export function endingSince(
  heard: Heard,
  expected: ExpectedEnd,
  patienceMs: number = patience.deadAir.crawl,
): ExpectedEnd | 'menu' | undefined {
  const { log, fromMs, text } = heard;
  // A short beep can be anything else too, unless a voicemail is expected.
  const isRecording = (sound: SoundClass): boolean =>
    heard.spoke && (sound === 'beep' || (sound === 'shortBeep' && expected === 'voicemail'));
  const sounds = log
    .soundsSince(fromMs)
    .flatMap((sound) => (isRecording(sound) ? ('voicemail' as const) : (endOfSound[sound] ?? [])));
  if (sounds.includes(expected)) return expected;
  if (log.transfer && log.transfer.atMs >= fromMs) return 'transfer-ringback';
  if (log.ended) return endOfCall(log.ended.end);
  const [first] = sounds;
  if (first !== undefined) return first;
  if (expected === 'human' && heard.isSettled(patience.prompt.person) && classifyAnnouncement(text) === 'human')
    return 'human';
  if (!heard.isSettled(patience.prompt.otherMenu)) return undefined;
  const { options, speech, input } = readMenu(text);
  if (options.length > 0 || speech.length > 0 || input) return 'menu';
  return heard.isQuiet(patienceMs) ? 'dead-air' : undefined;
}

export const endWords: Readonly<Record<ExpectedEnd | 'menu', Sentences>> = {
  hangup: sentence`The called side hangs up.`,
  'transfer-ringback': sentence`It rings.`,
  human: sentence`A person answers.`,
  'hold-music': sentence`Music plays.`,
  voicemail: sentence`A voicemail tone sounds.`,
  busy: sentence`The busy tone sounds.`,
  fax: sentence`A fax tone sounds.`,
  'dead-air': sentence`The line is silent.`,
  menu: sentence`A menu waits for a key or an answer.`,
};
