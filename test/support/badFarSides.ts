import { randomUUID } from 'node:crypto';
import { decodeUlaw, encodeAlaw } from '../../src/base/g711.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { IncomingCallLeg, MediaOptions } from '../../src/telephony/call.ts';
import type { SipPeer } from '../../src/telephony/sip/transport.ts';
import { seededRandom, TelephonyLink } from './telephonyLink.ts';

/** Alters each RTP packet that a called side sends. */
type Impair = (clock: Clock) => NonNullable<MediaOptions['impairRtp']>;

const headerBytes = 12;
const isAudio = (packet: Uint8Array): boolean => ((packet[1] ?? 0) & 0x7f) === 0;

/** What is done to the RTP packets of a called side. */
export const impairments = {
  loss: (share: number, seed: number): Impair => {
    const random = seededRandom(seed);
    return () => (packet, send) => {
      if (random() >= share) send(packet);
    };
  },
  jitter: (ms: number, seed: number): Impair => {
    const random = seededRandom(seed);
    return (clock) => (packet, send) => {
      const copy = Uint8Array.from(packet);
      clock.setTimeout(() => send(copy), random() * ms);
    };
  },
  duplicates: (): Impair => () => (packet, send) => {
    send(packet);
    send(packet);
  },
  /** Each packet changes places with the next one. */
  reordered: (): Impair => () => {
    let waiting: Uint8Array | undefined;
    return (packet, send) => {
      if (waiting) {
        send(packet);
        send(waiting);
        waiting = undefined;
      } else waiting = Uint8Array.from(packet);
    };
  },
  alaw: (): Impair => () => (packet, send) => {
    const changed = Uint8Array.from(packet);
    if (isAudio(packet)) {
      changed[1] = ((packet[1] ?? 0) & 0x80) | 8;
      changed.set(encodeAlaw(decodeUlaw(packet.subarray(headerBytes))), headerBytes);
    }
    send(changed);
  },
  payloadType:
    (type: number): Impair =>
    () =>
    (packet, send) => {
      const changed = Uint8Array.from(packet);
      if (isAudio(packet)) changed[1] = ((packet[1] ?? 0) & 0x80) | type;
      send(changed);
    },
  none: (): Impair => () => () => undefined,
} as const;

/** Returns the leg with other answers. */
export const changedLeg = (leg: IncomingCallLeg, changed: Partial<IncomingCallLeg>): IncomingCallLeg =>
  new Proxy(leg, {
    get: (target, name) => {
      const own: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name, target);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });

/** The host of the called side in `VirtualCalls`. */
const calleeHost = '10.0.0.2';

export interface WireFault {
  /** Requests of the called side or its responses to these, by method, don't arrive. */
  readonly loses?: (text: string, isFromCallee: boolean) => boolean;
  /** RTP of the called side comes from this many ports higher. */
  readonly portShift?: number;
  /** A re-INVITE of the called side, this long after its answer. */
  readonly reinvite?: { readonly afterMs: number; readonly sdp: (host: string, port: number) => string };
}

const callIdOf = (text: string): string => /^Call-ID: (.*?)\r?$/m.exec(text)?.[1] ?? '';
const fieldOf = (text: string, name: string): string => new RegExp(`^${name}: (.*?)\r?$`, 'm').exec(text)?.[1] ?? '';

/** A network that does to each call what `faultOf` says. Calls count from 1, in the order of their INVITEs. */
export class BadNetwork extends TelephonyLink {
  readonly #faultOf: (call: number) => WireFault | undefined;
  readonly #calls = new Map<string, number>();
  readonly #ports = new Map<number, WireFault>();
  /** The called side's own ports, by those that it seems to have. */
  readonly #shifted = new Map<number, number>();
  readonly #reinvited = new Set<string>();

  constructor(clock: Clock, faultOf: (call: number) => WireFault | undefined) {
    super(clock);
    this.#faultOf = faultOf;
  }

  override deliver(datagram: Uint8Array, from: SipPeer, to: SipPeer): void {
    const isFromCallee = from.host === calleeHost;
    if (from.port !== 5060) {
      const shift = (port: number): number => this.#ports.get(port)?.portShift ?? 0;
      if (isFromCallee) super.deliver(datagram, { ...from, port: from.port + shift(from.port) }, to);
      else super.deliver(datagram, from, { ...to, port: this.#shifted.get(to.port) ?? to.port });
      return;
    }
    const text = Buffer.from(datagram).toString();
    const fault = this.#faultOfMessage(text);
    if (fault?.loses?.(text, isFromCallee)) return;
    const port = Number(/^m=audio (\d+)/m.exec(text)?.[1]);
    if (fault && isFromCallee && port > 0) {
      this.#ports.set(port, fault);
      this.#shifted.set(port + (fault.portShift ?? 0), port);
    }
    super.deliver(datagram, from, to);
    const isAnswer = isFromCallee && text.startsWith('SIP/2.0 200') && fieldOf(text, 'CSeq').endsWith(' INVITE');
    if (isAnswer && fault?.reinvite && !this.#reinvited.has(callIdOf(text))) {
      this.#reinvited.add(callIdOf(text));
      this.clock.setTimeout(() => this.#reinvite(text, port, fault, from, to), fault.reinvite.afterMs);
    }
    if (!isFromCallee && text.startsWith('SIP/2.0 200') && fieldOf(text, 'Via').includes('reinvite'))
      super.deliver(Buffer.from(this.#within('ACK', text, `z9hG4bK-ack-${randomUUID()}`, true)), to, from);
  }

  #faultOfMessage(text: string): WireFault | undefined {
    const id = callIdOf(text);
    if (text.startsWith('INVITE ') && !this.#calls.has(id)) this.#calls.set(id, this.#calls.size + 1);
    return this.#faultOf(this.#calls.get(id) ?? 0);
  }

  #reinvite(
    answer: string,
    port: number,
    { reinvite, portShift = 0 }: WireFault,
    callee: SipPeer,
    caller: SipPeer,
  ): void {
    const sdp = reinvite?.sdp(calleeHost, port + portShift) ?? '';
    const head = this.#within('INVITE', answer, 'z9hG4bK-reinvite', false);
    const text = `${head.slice(0, -2).replace('Content-Length: 0\r\n', '')}Content-Type: application/sdp\r\nContent-Length: ${String(sdp.length)}\r\n\r\n${sdp}`;
    super.deliver(Buffer.from(text), callee, caller);
  }

  /** A request of the called side in the dialog of this response, to its INVITE or to ours. */
  #within(method: string, response: string, branch: string, isOurs: boolean): string {
    const [from, to] = isOurs
      ? [fieldOf(response, 'From'), fieldOf(response, 'To')]
      : [fieldOf(response, 'To'), fieldOf(response, 'From')];
    return `${method} sip:caller@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP ${calleeHost}:5060;branch=${branch}\r\nMax-Forwards: 70\r\nFrom: ${from}\r\nTo: ${to}\r\nCall-ID: ${callIdOf(response)}\r\nCSeq: 0 ${method}\r\nContact: <sip:ivr@${calleeHost}:5060>\r\nContent-Length: 0\r\n\r\n`;
  }
}
