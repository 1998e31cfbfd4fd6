import { sleep, type Clock } from '../../base/clock.ts';
import type { Ear, SpeechEngine, Utterance } from '../../speech/ear.ts';
import { replaceUtterance } from '../../speech/utterances.ts';
import type { CallLeg } from '../../telephony/call.ts';
import { patience } from '../hearing/patience.ts';
import type { EarlyMedia } from './activeCall.ts';
import { samplesPerMs } from './callAudio.ts';
import { Recording } from './recording.ts';

/** No call rings longer. A called side whose clock is too fast could send more. */
const mostSamples = 300_000 * samplesPerMs;

/** Hears what is played while a call is being set up. An ear opens only when audio arrives. */
export class EarlyEar {
  readonly #speech: Pick<SpeechEngine, 'openEar'>;
  readonly #utterances: Utterance[] = [];
  readonly #recording = new Recording();
  #ear: Ear | undefined;
  #spoke = false;

  constructor(leg: CallLeg, speech: Pick<SpeechEngine, 'openEar'>) {
    this.#speech = speech;
    const stop = leg.listen((event) => {
      if (event.type === 'audio') this.#hear(event.frame.pcm);
      else if (event.type === 'answered' || event.type === 'ended') stop();
    });
  }

  #hear(pcm: Int16Array): void {
    if (this.#recording.length >= mostSamples) return;
    this.#ear ??= this.#open();
    this.#recording.append(pcm);
    this.#ear.push(pcm);
  }

  #open(): Ear {
    const ear = this.#speech.openEar();
    ear.listen((event) => {
      if (event.type === 'speechStart') this.#spoke = true;
      else if (event.type === 'utterance') this.#utterances.push(event.utterance);
      else if (event.type === 'correction') replaceUtterance(this.#utterances, event.utterance);
    });
    return ear;
  }

  /** Returns what was said, once it is text. Waits no longer than text can take, or until `signal` aborts. */
  async finish(clock: Clock, signal: AbortSignal): Promise<EarlyMedia | undefined> {
    const ear = this.#ear;
    if (!ear) return undefined;
    const over = new AbortController();
    const isRead = await Promise.race([
      ear.flush().then(() => true),
      sleep(clock, patience.text.lost, AbortSignal.any([signal, over.signal])).then(() => false),
    ]).catch(() => false);
    over.abort();
    ear.close();
    const utterances = this.#utterances.filter(({ text }) => text !== '');
    if (utterances.length === 0 && (isRead || !this.#spoke)) return undefined;
    return {
      text: utterances.map(({ text }) => text).join(' '),
      utterances,
      pcm: this.#recording.slice(0, this.#recording.length),
      isUnread: !isRead,
    };
  }
}
