import type { AudioPart, ClientOptions, DialtreeClient, RequestOptions } from '../../client/client.ts';
import type { WorkspaceEvent } from '../../contract/events.ts';
import { Sentences, type Parts } from '../../base/sentences.ts';
import { isRecord } from '../../base/isRecord.ts';
import type { Formats } from '../basics/formats.ts';
import { shownSentences, type L10n } from '../basics/localise.ts';
import { withHandNames } from '../basics/words/handNames.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';

/** The part of the interface that the editor calls. Errors are ServiceErrors, with messages fit for users. */
export interface ServiceClient {
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: RequestOptions,
  ): Promise<OperationOutput<Name>>;
  /** Opens one connection to the event stream. Settles when it breaks or `signal` aborts. */
  events(signal: AbortSignal, onEvent: (event: WorkspaceEvent) => void, onConnected?: () => void): Promise<void>;
  /** Returns a WAV file. */
  fetchAudio(url: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns this many bytes of a WAV file, or fewer at its end. */
  fetchAudioPart(url: string, from: number, bytes: number): Promise<AudioPart>;
  /** Yields the sound of a run's active call until it ends: 8 kHz, 16 bit, mono. */
  sound(runId: string, signal: AbortSignal): AsyncIterable<Int16Array<ArrayBuffer>>;
}

export interface ServiceAddress {
  /** The REST address, such as `http://127.0.0.1:4711/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export type ClientFactory = (address: ServiceAddress) => ServiceClient;

/** The client has the schemas of all operations, so it is loaded with the first request. */
export const createServiceClient: ClientFactory = (address) => {
  const open = async (options: Partial<ClientOptions> = {}): Promise<DialtreeClient> =>
    new (await import('../../client/client.ts')).DialtreeClient({ ...address, ...options });
  return {
    call: async (name, input, options) => (await open()).call(name, input, options),
    fetchAudio: async (url) => (await open()).fetchAudio(url),
    fetchAudioPart: async (url, from, bytes) => (await open()).fetchAudioPart(url, from, bytes),
    async *sound(runId, signal) {
      yield* (await open()).sound(runId, { signal });
    },
    async events(signal, onEvent, onConnected) {
      const broken = new AbortController();
      // A broken stream isn't reopened here, because the service may have another address by then.
      const wait = (): Promise<void> => {
        broken.abort();
        return Promise.resolve();
      };
      const client = await open({ retry: { wait } });
      await client.events(AbortSignal.any([signal, broken.signal]), onEvent, onConnected);
    },
  };
};

/** Shows sentences in the language of the editor. */
interface Words {
  readonly l10n: L10n;
  readonly formats: Pick<Formats, 'number'>;
}

/** The same client, whose answers have their reasons in the language of the editor instead of English. */
export const inLanguage = (client: ServiceClient, words: Words): ServiceClient => ({
  ...client,
  call: async (name, input, options) => translated(await client.call(name, input, options), words),
});

/**
 * Replaces each text of an answer, or each of a list, that also has its parts: `reason` by those of `reasonParts`. Also
 * replaces the names that Dialtree gives calls by hand.
 */
export function translated<Value>(answer: Value, words: Words): Value {
  if (Array.isArray(answer)) return answer.map((one: unknown) => translated(one, words)) as Value;
  if (!isRecord(answer)) return answer;
  const value = withHandNames(answer, words.l10n);
  const members = Object.entries(value).map(([name, member]) => {
    const parts = value[`${name}Parts`];
    if (!Array.isArray(parts)) return [name, translated(member, words)];
    if (!Array.isArray(member)) return [name, sentencesIn(parts as Parts, words)];
    return [name, member.map((text: unknown, at) => (parts[at] ? sentencesIn(parts[at] as Parts, words) : text))];
  });
  return Object.fromEntries(members) as Value;
}

const sentencesIn = (parts: Parts, { l10n, formats }: Words): string =>
  shownSentences(
    new Sentences(parts).with((value) => figureIn(value, formats)),
    l10n,
  );

const figureIn = (value: string, formats: Words['formats']): string =>
  value.replace(/^\d+\.\d+(?=$| \S+$)/, (number) => number.replace('.', formats.number(0.5).charAt(1)));
