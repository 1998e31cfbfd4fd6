import type { Clock } from '../../base/clock.ts';
import { inTime } from '../../base/clock.ts';
import type { NatSettings } from '../call.ts';
import type { Place } from '../stun.ts';
import type { Family, NameService } from './serverLocation.ts';
import { familyOf } from './serverLocation.ts';
import type { SipLocal } from './transport.ts';
import { parseHostPort } from './uri.ts';

const DEFAULT_STUN_PORT = 3478;
/** How long a reported address of the SIP socket is used, and a failure isn't tried again, in ms. */
const MAPPING_MS = 25_000;
/** A call waits no longer for its public address. */
const WAIT_MS = 2500;

/** How peers reach this side. */
export interface PublicLocal {
  readonly local: SipLocal;
  /** The STUN server that answered; it is asked for the address of the audio, too. */
  readonly stunServer?: Place;
  /** Why the public address isn't known, as a part of a sentence. */
  readonly natTrouble?: string;
}

type AskStun = (server: Place) => Promise<Place>;
interface Mapped {
  readonly server: Place;
  readonly place: Place;
}

/** Finds the public address of a line behind NAT. A STUN server that fails never stops a call. */
export class PublicAddresses {
  readonly #clock: Clock;
  readonly #names: NameService;
  readonly #ask: AskStun | undefined;
  readonly #mappings = new Map<string, { readonly until: number; readonly found: Promise<Mapped> }>();

  /** `ask` asks a STUN server over the UDP socket for SIP, if there is one. */
  constructor(clock: Clock, names: NameService, ask: AskStun | undefined) {
    this.#clock = clock;
    this.#names = names;
    this.#ask = ask;
  }

  /** Never rejects. Over TCP and TLS, only the host is published. */
  async publish(local: SipLocal, { publicHost, stunServer }: NatSettings = {}): Promise<PublicLocal> {
    if (publicHost !== undefined) return { local: { ...local, host: publicHost } };
    if (stunServer === undefined || !this.#ask) return { local };
    try {
      const { server, place } = await this.#mapping(familyOf(local.host), stunServer, this.#ask);
      return {
        local: { ...local, ...place, ...(local.protocol !== 'UDP' && { port: local.port }) },
        stunServer: server,
      };
    } catch (error) {
      return { local, natTrouble: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Simultaneous calls share one request. */
  #mapping(family: Family, stunServer: string, ask: AskStun): Promise<Mapped> {
    const key = `${String(family)} ${stunServer}`;
    const now = this.#clock.now();
    for (const [old, { until }] of this.#mappings) if (until <= now) this.#mappings.delete(old);
    let mapping = this.#mappings.get(key);
    if (!mapping) {
      const late = new Error(`the STUN server ${stunServer} didn't respond`);
      mapping = {
        until: now + MAPPING_MS,
        found: inTime(this.#clock, WAIT_MS, this.#askServer(family, stunServer, ask), late),
      };
      this.#mappings.set(key, mapping);
    }
    return mapping.found;
  }

  async #askServer(family: Family, stunServer: string, ask: AskStun): Promise<Mapped> {
    const parsed = parseHostPort(stunServer);
    if (!parsed) throw new Error(`“${stunServer}” isn't the address of a STUN server`);
    const found = await this.#names.addresses(parsed.host).catch(() => []);
    const host = found.find((address) => familyOf(address) === family);
    if (host === undefined) throw new Error(`the STUN server ${stunServer} has no IPv${String(family)} address`);
    const server = { host, port: parsed.port ?? DEFAULT_STUN_PORT };
    return { server, place: await ask(server) };
  }
}
