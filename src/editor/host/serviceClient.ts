import { DialtreeClient } from '../../client/client.ts';
import type { AudioPart, RequestOptions } from '../../client/client.ts';
import type { WorkspaceEvent } from '../../contract/events.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';

/** What the editor needs of the interface called. Errors are ServiceErrors, their messages fit for a user. */
export interface ServiceClient {
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: RequestOptions,
  ): Promise<OperationOutput<Name>>;
  /** One connection to the event stream: settles when that breaks, or `signal` aborts. */
  events(signal: AbortSignal, onEvent: (event: WorkspaceEvent) => void, onConnected?: () => void): Promise<void>;
  /** A WAV file. */
  fetchAudio(url: string): Promise<Uint8Array<ArrayBuffer>>;
  /** So many bytes of one, or as many as there are from `from` on. */
  fetchAudioPart(url: string, from: number, bytes: number): Promise<AudioPart>;
}

export interface ServiceAddress {
  /** REST, such as `http://127.0.0.1:4711/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export type ClientFactory = (address: ServiceAddress) => ServiceClient;

export const createServiceClient: ClientFactory = (address) => {
  const client = new DialtreeClient(address);
  return {
    call: (name, input, options) => client.call(name, input, options),
    fetchAudio: (url) => client.fetchAudio(url),
    fetchAudioPart: (url, from, bytes) => client.fetchAudioPart(url, from, bytes),
    async events(signal, onEvent, onConnected) {
      const broken = new AbortController();
      // A stream that broke is not opened again here: the service may have another address by then.
      const wait = (): Promise<void> => {
        broken.abort();
        return Promise.resolve();
      };
      await new DialtreeClient({ ...address, retry: { wait } }).events(
        AbortSignal.any([signal, broken.signal]),
        onEvent,
        onConnected,
      );
    },
  };
};
