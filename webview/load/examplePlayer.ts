import type { ToLoad } from '../../src/contract/loadPanel.ts';
import { element, setText } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { Player } from '../player/player.ts';
import { RecordingParts } from '../player/recordingParts.ts';

export type OnRequestAudio = (recording: string, from?: number) => void;

export class ExamplePlayer {
  readonly element: HTMLElement;
  readonly #title = element('p', { role: 'status' });
  readonly #player: Player;
  readonly #parts = new RecordingParts();
  readonly #onRequest: OnRequestAudio;
  #recording = '';
  #rate = 1;

  constructor(onRequest: OnRequestAudio) {
    this.#onRequest = onRequest;
    this.#player = new Player({
      onRequest: (recording) => {
        this.#parts.begin();
        onRequest(recording);
      },
      onSpeed: (rate) => {
        this.#rate = rate;
        this.#player.show(this.#recording, undefined, rate);
      },
    });
    this.element = element('div', { class: 'example' }, this.#title, this.#player.element);
    this.element.hidden = true;
  }

  play(recording: string, title: string, ms: number): void {
    this.element.hidden = false;
    setText(this.#title, title);
    this.#recording = recording;
    this.#player.show(recording, undefined, this.#rate);
    this.#player.playFrom(ms / 1000);
  }

  hide(): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.#player.show(undefined, undefined, this.#rate);
  }

  receive({ recording, ...part }: Extract<ToLoad, { type: 'audio' }>): void {
    // Another one was chosen in the meantime.
    if (recording !== this.#recording) return;
    const taken = this.#parts.take(part);
    if (taken && 'next' in taken) {
      this.#player.receiving(taken.share);
      this.#onRequest(recording, taken.next);
    } else this.#player.receive(recording, taken?.whole, part.error ?? t("Couldn't play this recording."));
  }
}
