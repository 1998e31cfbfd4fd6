import { sentence, type Sentences } from '../../base/sentences.ts';
import type { ExpectedEnd } from '../../contract/testConfigs.ts';
import { announcesRecording, classifyAnnouncement } from '../../language/menu/announcement.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import type { SoundClass } from '../../speech/ear.ts';
import type { CallEnd } from '../../telephony/call.ts';
import type { CallLog } from './callLog.ts';
import type { HeardSince } from './listen.ts';
import { patience } from './patience.ts';

/** What a sound says about how a path ends. A dial tone shows that the called side has gone. */
export const endOfSound: Partial<Record<SoundClass, ExpectedEnd>> = {
  ringback: 'transfer-ringback',
  busy: 'busy',
  dial: 'dead-air',
  fax: 'fax',
  music: 'hold-music',
};

/** Dialtree ended the call, so its end says nothing about the called side. */
export const isOurs = (end: CallEnd | undefined): boolean => end?.by === 'local';
/** A call that was ended because no audio arrived any more wasn't hung up by the called side. */
export const endOfCall = (end: CallEnd): 'hangup' | 'dead-air' => (end.by === 'remote' ? 'hangup' : 'dead-air');

/**
 * Returns true if the last sound is a beep, and nothing was said after it. Without words that announce a recording, a
 * beep can be anything, such as the tone of a recorded line, until the silence after it shows that it waits for a message.
 * A call that ends sooner didn't wait.
 */
export function endsInBeep({ sounds, speech, ended }: CallLog, fromMs: number): boolean {
  const last = sounds.at(-1);
  if (last?.sound !== 'beep' || (ended && ended.atMs - last.atMs < patience.timeout.shortest)) return false;
  return last.sinceMs >= Math.max(fromMs, (speech.at(-1)?.endMs ?? 0) - toneSlackMs);
}

/**
 * Returns how the call continues after what was heard, `menu` if it waits for a key, or undefined while that is open.
 * An announcement that might be a person's greeting ("Hello, this is …") counts as one only if a person is expected.
 *
 * @param patienceMs silence that counts as dead air
 */
export function endingSince(
  heard: HeardSince,
  expected: ExpectedEnd,
  patienceMs: number = patience.deadAir.crawl,
): ExpectedEnd | 'menu' | undefined {
  const { log, fromMs, text } = heard;
  const { options, speech, input } = readMenu(text);
  // A short beep can be anything else too, unless a voicemail is expected.
  const isRecording = (sound: SoundClass): boolean =>
    (sound === 'beep' || (sound === 'shortBeep' && expected === 'voicemail')) &&
    announcesRecording(text, options.length > 0);
  const silence = heard.spoke && endsInBeep(log, fromMs) ? 'voicemail' : 'dead-air';
  const sounds = log
    .soundsSince(fromMs)
    .flatMap((sound) => (isRecording(sound) ? ('voicemail' as const) : (endOfSound[sound] ?? [])));
  if (sounds.includes(expected)) return expected;
  if (log.transfer && log.transfer.atMs >= fromMs) return 'transfer-ringback';
  if (log.ended) return silence === 'voicemail' ? silence : endOfCall(log.ended.end);
  const [first] = sounds;
  if (first !== undefined) return first;
  if (expected === 'human' && heard.isSettled(patience.prompt.person) && classifyAnnouncement(text) === 'human')
    return 'human';
  if (!heard.isSettled(patience.prompt.otherMenu)) return undefined;
  if (options.length > 0 || speech.length > 0 || input) return 'menu';
  return heard.isQuiet(patienceMs) ? silence : undefined;
}

/** Voice activity ends late, so a tone directly after words seems to begin within them. */
const toneSlackMs = 300;

export const endSentences: Readonly<Record<ExpectedEnd | 'menu', Sentences>> = {
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
