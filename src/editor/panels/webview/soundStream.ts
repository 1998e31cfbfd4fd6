import type { SoundMessage } from '../../../contract/handPanel.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { isStatus, shownMessage } from '../../basics/errors.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

interface SoundStreamParts extends Pick<Basics, 'log' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'sound'>;
}

/** Passes the sound of a run's call to a page that listens. Stores nothing. */
export class SoundStream {
  readonly #runId: string;
  readonly #post: (message: SoundMessage) => void;
  readonly #parts: SoundStreamParts;
  #listening: AbortController | undefined;

  constructor(runId: string, post: (message: SoundMessage) => void, parts: SoundStreamParts) {
    this.#runId = runId;
    this.#post = post;
    this.#parts = parts;
  }

  /** Settles when the page stops listening. A refusal is shown on the page. */
  async listen(on: boolean, page: AbortSignal): Promise<void> {
    this.#listening?.abort();
    if (!on) return;
    const { client, log } = this.#parts;
    this.#listening = new AbortController();
    const signal = AbortSignal.any([this.#listening.signal, page]);
    let error: string | undefined;
    try {
      for await (const pcm of client.sound(this.#runId, signal)) {
        if (signal.aborted) return;
        this.#post({ type: 'sound', pcm });
      }
    } catch (cause) {
      if (signal.aborted) return;
      log.warn(`The sound of a call isn't played: ${describeCause(cause)}`);
      error = this.#wordsFor(cause);
    }
    if (!signal.aborted) this.#post({ type: 'sound', ...(error !== undefined && { error }) });
  }

  #wordsFor(cause: unknown): string {
    const { l10n } = this.#parts;
    if (isStatus(cause, 409)) return l10n.t('This run has no call to listen to at the moment.');
    if (isStatus(cause, 429)) return l10n.t('Too many pages listen. Turn off Listen on another page.');
    return shownMessage(cause, l10n);
  }
}
