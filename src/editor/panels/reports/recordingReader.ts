import type { RecordingPart } from '../../../contract/recordingPart.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { shownMessage } from '../../basics/errors.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

interface RecordingReaderParts extends Pick<Basics, 'l10n' | 'log'> {
  readonly client: Pick<ServiceClient, 'fetchAudioPart'>;
}

/** About two minutes of a call: a message of this size delays neither side. */
const partBytes = 4 * 2 ** 20;

export class RecordingReader {
  readonly #parts: RecordingReaderParts;
  readonly #addressOf: (name: string) => Promise<string | undefined>;
  #current: { readonly name: string; readonly address: string | undefined } | undefined;

  constructor(parts: RecordingReaderParts, addressOf: (name: string) => Promise<string | undefined>) {
    this.#parts = parts;
    this.#addressOf = addressOf;
  }

  /** The page's address may have expired, so a new one is read. It is used for the remaining parts. */
  async read(name: string, from = 0): Promise<RecordingPart> {
    const { client, log, l10n } = this.#parts;
    try {
      if (from === 0 || this.#current?.name !== name) this.#current = { name, address: await this.#addressOf(name) };
      const { address } = this.#current;
      return address === undefined
        ? { error: l10n.t('This call has no recording.') }
        : { from, ...(await client.fetchAudioPart(address, from, partBytes)) };
    } catch (error) {
      log.warn(`A recording was not read: ${describeCause(error)}`);
      return { error: shownMessage(error, l10n) };
    }
  }
}
