import type { AudioPart, ClientOptions, DialtreeClient, RequestOptions } from '../../client/client.ts';
import type { WorkspaceEvent } from '../../contract/events.ts';
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
