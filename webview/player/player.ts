import { element, on, setAttributes, setText } from '../page/element.ts';
import { clock, figure } from '../page/formats.ts';
import { changeIcon } from '../page/icons.ts';
import { t } from '../page/l10n.ts';
import { button, iconButton, type Button } from '../toolkit.ts';
import { ThemeColours } from '../page/themeColours.ts';
import { speeds } from './speeds.ts';
import { readWave, type Wave } from './wave.ts';
import { drawWave } from './waveform.ts';

interface PlayerEvents {
  readonly onRequest: (stepId: string) => void;
  readonly onSpeed: (speed: number) => void;
  readonly onTime?: (seconds: number) => void;
  readonly onLength?: (seconds: number) => void;
}

interface Recording {
  readonly url: string;
  readonly wave: Wave | undefined;
}

type Phase = 'idle' | 'loading' | 'ready' | 'failed';

/** Recordings in the cache, because a tree can have thousands. */
const maxRecordings = 12;
const waveParts = 240;
const skipSeconds = 2;

/**
 * Plays recordings: requests them from the editor when the user presses play or earlier, draws them, and caches some.
 */
export class Player {
  readonly element: HTMLElement;
  readonly #audio = element('audio');
  readonly #play: Button;
  readonly #speed: Button;
  readonly #track: HTMLCanvasElement;
  readonly #time = element('span', { class: 'time' });
  readonly #trouble = element('div', { class: 'trouble row', role: 'alert' });
  readonly #recordings = new Map<string, Recording>();
  readonly #events: PlayerEvents;
  readonly #colours: ThemeColours;
  #stepId: string | undefined;
  #phase: Phase = 'idle';
  #seconds = 0;
  #rate = 1;
  /** Where to start when the recording arrives, and whether to play it. */
  #pending: number | undefined;
  #wanted = false;
  #share: number | undefined;
  #reportedAt = 0;
  #frame: number | undefined;

  constructor(events: PlayerEvents) {
    this.#events = events;
    this.#play = iconButton(t('Play'), 'play', () => this.toggle());
    this.#play.classList.add('play');
    this.#speed = button('1×', () => this.#nextSpeed());
    this.#speed.classList.add('speed');
    this.#track = element('canvas', {
      class: 'track',
      role: 'slider',
      tabindex: '0',
      'aria-label': t('Position in the recording'),
      'aria-valuemin': '0',
    });
    this.element = element(
      'section',
      { class: 'player', 'aria-label': t('Recording') },
      element('div', { class: 'player-row row boxed' }, this.#play, this.#track, this.#time, this.#speed),
      this.#trouble,
    );
    this.element.hidden = true;
    this.#colours = new ThemeColours(this.element, () => this.#draw());
    for (const name of ['play', 'pause', 'ended', 'timeupdate', 'seeked', 'loadedmetadata'] as const)
      on(this.#audio, name, () => this.#draw());
    on(this.#audio, 'error', () => {
      if (this.#audio.hasAttribute('src')) this.#fail(t("Couldn't play this recording."));
    });
    on(this.#track, 'keydown', (event) => this.#key(event));
    on(this.#track, 'pointerdown', (event) => {
      this.#track.setPointerCapture(event.pointerId);
      this.#seekTo(event);
    });
    on(this.#track, 'pointermove', (event) => {
      if (this.#track.hasPointerCapture(event.pointerId)) this.#seekTo(event);
    });
    new ResizeObserver(() => this.#draw()).observe(this.#track);
  }

  /** Prepares for a step; earlier playback stops. */
  show(stepId: string | undefined, seconds: number | undefined, rate: number): void {
    this.#rate = rate;
    this.#audio.playbackRate = rate;
    setText(this.#speed, `${figure(rate)}×`);
    setAttributes(this.#speed, { 'aria-label': t('Speed {0}×', figure(rate)), title: t('Speed') });
    if (stepId === this.#stepId) return;
    this.#stepId = stepId;
    this.#audio.pause();
    this.#audio.removeAttribute('src');
    this.#seconds = seconds ?? 0;
    this.#trouble.replaceChildren();
    this.#phase = 'idle';
    this.#pending = undefined;
    this.#wanted = false;
    this.element.hidden = stepId === undefined;
    const known = stepId === undefined ? undefined : this.#recordings.get(stepId);
    if (known) this.#load(known, false);
    this.#draw();
  }

  /** Requests the recording to draw it, without playing. */
  prepare(): void {
    if (this.#stepId !== undefined && this.#phase === 'idle') this.#request(this.#stepId);
  }

  toggle(): void {
    if (this.#phase !== 'ready') this.#want();
    else if (this.#audio.paused) this.#start();
    else this.#audio.pause();
  }

  /** Plays from this second; requests the recording if necessary. */
  playFrom(seconds: number): void {
    if (this.#stepId === undefined) return;
    if (this.#phase === 'ready') {
      this.#seek(seconds);
      this.#start();
      return;
    }
    this.#pending = seconds;
    this.#want();
  }

  /** This share of the recording has arrived, 0 to 1. */
  receiving(share: number): void {
    this.#share = share;
    this.#draw();
  }

  /** The editor's response to `requestAudio`. */
  receive(stepId: string, wav: Uint8Array | undefined, error: string | undefined): void {
    const mine = stepId === this.#stepId && this.#phase === 'loading';
    if (!wav || wav.length === 0) {
      if (mine) this.#fail(error ?? t('This step has no recording.'));
      return;
    }
    const recording: Recording = {
      url: URL.createObjectURL(new Blob([isPlain(wav) ? wav : wav.slice()], { type: 'audio/wav' })),
      wave: readWave(wav, waveParts),
    };
    this.#keep(stepId, recording);
    if (mine) this.#load(recording, this.#wanted);
  }

  /** Plays as soon as the recording is here. */
  #want(): void {
    if (this.#stepId === undefined) return;
    this.#wanted = true;
    if (this.#phase === 'loading') this.#draw();
    else this.#request(this.#stepId);
  }

  #request(stepId: string): void {
    this.#phase = 'loading';
    this.#share = undefined;
    this.#trouble.replaceChildren();
    this.#draw();
    this.#events.onRequest(stepId);
  }

  #keep(stepId: string, recording: Recording): void {
    const old = this.#recordings.get(stepId);
    if (old) URL.revokeObjectURL(old.url);
    this.#recordings.delete(stepId);
    this.#recordings.set(stepId, recording);
    const oldest = this.#recordings.keys().next().value;
    if (this.#recordings.size <= maxRecordings || oldest === undefined) return;
    URL.revokeObjectURL(this.#recordings.get(oldest)?.url ?? '');
    this.#recordings.delete(oldest);
  }

  #load(recording: Recording, play: boolean): void {
    this.#phase = 'ready';
    this.#seconds = recording.wave?.seconds ?? this.#seconds;
    this.#audio.src = recording.url;
    this.#audio.playbackRate = this.#rate;
    if (this.#pending !== undefined) this.#audio.currentTime = this.#pending;
    this.#pending = undefined;
    this.#wanted = false;
    if (play) this.#start();
    this.#draw();
    this.#events.onLength?.(this.#seconds);
  }

  #start(): void {
    // A pause or another step can interrupt the start. Undecodable audio has its own error event.
    this.#audio.play().catch(() => this.#draw());
  }

  #fail(message: string): void {
    this.#phase = 'failed';
    this.#wanted = false;
    this.#trouble.replaceChildren(
      element('span', {}, message),
      button(t('Retry'), () => this.toggle()),
    );
    this.#draw();
  }

  #nextSpeed(): void {
    const at = speeds.findIndex((speed) => speed === this.#rate);
    this.#events.onSpeed(speeds[(at + 1) % speeds.length] ?? 1);
  }

  #key(event: KeyboardEvent): void {
    const currentTime = this.#at;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: currentTime - skipSeconds,
      ArrowDown: currentTime - skipSeconds,
      ArrowRight: currentTime + skipSeconds,
      ArrowUp: currentTime + skipSeconds,
      Home: 0,
      End: this.#seconds,
    };
    const place = places[event.key];
    if (event.key === ' ' || event.key === 'Enter') this.toggle();
    else if (place !== undefined) this.#seek(place);
    else return;
    event.preventDefault();
  }

  #seekTo(event: PointerEvent): void {
    const box = this.#track.getBoundingClientRect();
    this.#seek(((event.clientX - box.left) / box.width) * this.#seconds);
  }

  #seek(seconds: number): void {
    const place = Math.max(0, Math.min(this.#seconds, seconds));
    if (this.#phase === 'ready') this.#audio.currentTime = place;
    else if (this.#canSeek) {
      this.#pending = place;
      this.prepare();
    }
    this.#draw();
  }

  get #at(): number {
    return this.#phase === 'ready' ? this.#audio.currentTime : (this.#pending ?? 0);
  }
  /** Also before the recording arrives, if its length is known. */
  get #canSeek(): boolean {
    return this.#phase === 'ready' || (this.#phase !== 'failed' && this.#stepId !== undefined && this.#seconds > 0);
  }

  #draw(): void {
    const playing = this.#phase === 'ready' && !this.#audio.paused;
    const at = this.#at;
    this.#drawState(playing);
    setText(
      this.#time,
      this.#phase === 'loading' && this.#share !== undefined
        ? `${String(Math.floor(this.#share * 100))} %`
        : `${clockOf(at)} / ${clockOf(this.#seconds)}`,
    );
    this.#drawTrack(at);
    if (playing)
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = undefined;
        this.#draw();
      });
    if (at !== this.#reportedAt) {
      this.#reportedAt = at;
      this.#events.onTime?.(at);
    }
  }

  #drawState(playing: boolean): void {
    const action = playing ? t('Pause') : t('Play');
    const name = this.#phase === 'loading' && this.#wanted ? t('Loading the recording') : action;
    setAttributes(this.#play, { 'aria-label': name, title: name });
    setAttributes(this.element, {
      'data-phase': this.#phase,
      'data-playing': String(playing),
      'data-wanted': this.#wanted ? '' : undefined,
    });
    const sign = this.#play.querySelector('svg');
    if (sign) changeIcon(sign, playing ? 'pause' : 'play');
  }

  #drawTrack(at: number): void {
    setAttributes(this.#track, {
      'aria-valuemax': this.#seconds.toFixed(1),
      'aria-valuenow': at.toFixed(1),
      'aria-valuetext': t('{0} of {1}', clockOf(at), clockOf(this.#seconds)),
      'aria-disabled': String(!this.#canSeek),
    });
    const wave =
      this.#phase === 'ready' && this.#stepId !== undefined ? this.#recordings.get(this.#stepId)?.wave : undefined;
    drawWave(this.#track, wave?.peaks ?? [], this.#seconds > 0 ? at / this.#seconds : 0, this.#colours);
  }
}

/** Not shared with another thread, so a Blob can be created directly. */
const isPlain = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;

const clockOf = (seconds: number): string => clock(Math.floor(seconds + 0.05));
