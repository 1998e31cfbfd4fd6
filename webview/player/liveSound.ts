import type { SoundMessage } from '../../src/contract/handPanel.ts';
import { element, setText } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { button } from '../toolkit.ts';

/** Samples per second. */
const rate = 8000;
/** Sound beyond this isn't queued, so that the page never falls further behind the call. */
const mostQueuedSeconds = 0.3;
/** After a gap, sound waits this long, so that the next part is here in time. */
const leadSeconds = 0.06;
/** Without sound for this long, the level is zero. */
const quietMs = 200;
/** The level is 0 at this loudness, in dB below full scale, and 1 at full scale. */
const quietDb = 50;

/** The sound of an active call: a button that turns it on, and its level. */
export class LiveSound {
  readonly element: HTMLElement;
  readonly #button = button(t('Listen'), () => this.#turn(!this.#audio), { icon: 'speaker' });
  readonly #level = element('span');
  readonly #trouble = element('span', { class: 'quiet', role: 'status' });
  readonly #onListen: (on: boolean) => void;
  /** Absent while the page doesn't listen. */
  #audio: AudioContext | undefined;
  /** When the queued sound ends, on the clock of `#audio`. */
  #queuedTo = 0;
  #falling: ReturnType<typeof setTimeout> | undefined;

  constructor(onListen: (on: boolean) => void) {
    this.#onListen = onListen;
    this.element = element(
      'div',
      { class: 'live-sound row' },
      this.#button,
      element('span', { class: 'level', 'aria-hidden': 'true' }, this.#level),
      this.#trouble,
    );
    this.#end();
  }

  /** A call that is over has no sound. */
  show(isOver: boolean): void {
    this.element.hidden = isOver;
    if (isOver && this.#audio) this.#turn(false);
  }

  /** Plays a part of the sound, or shows why it ends. */
  take({ pcm, error }: Pick<SoundMessage, 'pcm' | 'error'>): void {
    if (!pcm) {
      this.#end();
      setText(this.#trouble, error ?? '');
    } else if (this.#audio && pcm.length > 0) {
      this.#show(levelOf(pcm));
      clearTimeout(this.#falling);
      this.#falling = setTimeout(() => this.#show(0), quietMs);
      this.#play(this.#audio, pcm);
    }
  }

  #turn(on: boolean): void {
    this.#end();
    setText(this.#trouble, '');
    if (on) this.#audio = new AudioContext({ sampleRate: rate });
    this.#button.ariaPressed = String(on);
    this.#onListen(on);
  }

  #end(): void {
    void this.#audio?.close();
    this.#audio = undefined;
    this.#queuedTo = 0;
    clearTimeout(this.#falling);
    this.#show(0);
    this.#button.ariaPressed = 'false';
  }

  #play(audio: AudioContext, pcm: Int16Array): void {
    const now = audio.currentTime;
    const startsAt = this.#queuedTo > now ? this.#queuedTo : now + leadSeconds;
    const room = Math.floor((now + mostQueuedSeconds - startsAt) * rate);
    if (room <= 0) return;
    // The newest matters most.
    const samples = Float32Array.from(pcm.slice(-room), (sample) => sample / 32_768);
    const buffer = audio.createBuffer(1, samples.length, rate);
    buffer.copyToChannel(samples, 0);
    const source = audio.createBufferSource();
    source.buffer = buffer;
    source.connect(audio.destination);
    source.start(startsAt);
    this.#queuedTo = startsAt + buffer.duration;
  }

  #show(level: number): void {
    this.#level.style.width = `${String(Math.round(level * 100))}%`;
  }
}

/** Returns the loudness of the samples, from 0 to 1. */
function levelOf(pcm: Int16Array): number {
  const power = pcm.reduce((sum, sample) => sum + sample ** 2, 0) / pcm.length;
  return Math.min(1, Math.max(0, 1 + (10 * Math.log10(power / 32_768 ** 2)) / quietDb));
}
