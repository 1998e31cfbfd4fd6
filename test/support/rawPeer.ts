import assert from 'node:assert/strict';
import type { SipAgentParts } from '../../src/telephony/agent.ts';
import type { CallLeg, OutgoingCallOptions, SipAgent } from '../../src/telephony/call.ts';
import { parseMessage, serialiseMessage } from '../../src/telephony/sip/message.ts';
import { createResponse } from '../../src/telephony/sip/response.ts';
import { ManualClock } from './manualClock.ts';
import { TelephonyLink } from './telephonyLink.ts';

const AGENT = { host: '10.0.0.1', port: 5060 };

interface RequestParts {
  readonly from?: string;
  readonly to?: string;
  readonly callId?: string;
  readonly sequence?: number;
  readonly body?: string;
  readonly contact?: string;
  readonly headers?: string;
}

interface ResponseParts {
  readonly toTag?: string;
  readonly body?: string;
  readonly contact?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

/** A peer, at 10.0.0.3 unless it has another host, whose messages a test writes by hand, for the agent at 10.0.0.1. */
export class RawPeer {
  static readonly sdp =
    'v=0\r\no=- 1 1 IN IP4 10.0.0.3\r\ns=-\r\nc=IN IP4 10.0.0.3\r\nt=0 0\r\nm=audio 7000 RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\n';
  /** The messages that the agent sent, oldest first. */
  readonly heard: string[] = [];
  readonly #clock: ManualClock;
  readonly #transport: ReturnType<TelephonyLink['transport']>;
  #branch = 0;

  constructor(link: TelephonyLink, clock: ManualClock, host = '10.0.0.3') {
    this.#clock = clock;
    this.#transport = link.transport(host, 5060);
    this.#transport.listen({
      onMessage: (datagram) => this.heard.push(Buffer.from(datagram).toString()),
      onFailure: () => undefined,
    });
  }

  /** Returns the messages whose first line begins like this. */
  all(start: string): string[] {
    return this.heard.filter((text) => text.startsWith(`${start} `));
  }

  /** Returns the newest message of this kind; waits for the first one. */
  async last(start: string): Promise<string> {
    assert.ok(await this.#clock.run(() => this.all(start).length > 0, 5000), `no ${start}`);
    return this.all(start).at(-1) ?? '';
  }

  send(text: string): void {
    this.#transport.send(Buffer.from(text), AGENT);
  }

  respond(
    request: string,
    status: number,
    { toTag = 'one', body = '', contact = '<sip:raw@10.0.0.3>', headers: more = [] }: ResponseParts = {},
  ): void {
    const parsed = parseMessage(Buffer.from(request));
    assert.ok(parsed?.kind === 'request');
    const headers: (readonly [string, string])[] = [['Contact', contact], ...more];
    if (body !== '') headers.push(['Content-Type', 'application/sdp']);
    this.send(serialiseMessage(createResponse(parsed, status, { toTag, body, headers })).toString());
  }

  /** Sends a request within the dialog of an INVITE that it answered, and returns the agent's final response. */
  within(invite: string, method: string, sequence: number, parts: RequestParts = {}): Promise<string> {
    return this.request(method, sequence, {
      from: `${fieldOf(invite, 'To')};tag=one`,
      to: fieldOf(invite, 'From'),
      callId: fieldOf(invite, 'Call-ID'),
      ...parts,
    });
  }

  /** Sends a request, and returns the agent's final response, or '' if none comes. */
  async request(method: string, sequence: number, parts: RequestParts): Promise<string> {
    this.ask(method, { sequence, ...parts });
    const answer = (): string | undefined =>
      this.heard.findLast(
        (text) => /^SIP\/2\.0 [2-6]/.test(text) && fieldOf(text, 'CSeq') === `${String(sequence)} ${method}`,
      );
    await this.#clock.run(() => answer() !== undefined, 1000, 1);
    return answer() ?? '';
  }

  /** Sends a request outside a call, or within the dialog identified by these header fields. */
  ask(
    method: string,
    {
      from = '<sip:raw@10.0.0.3>;tag=raw',
      to = '<sip:x@10.0.0.1>',
      callId = 'raw',
      sequence = 1,
      body = '',
      contact = '<sip:raw@10.0.0.3>',
      headers = '',
    }: RequestParts = {},
  ): void {
    this.send(
      `${method} sip:x@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.3;branch=z9hG4bKraw${String(++this.#branch)};rport\r\nMax-Forwards: 70\r\nFrom: ${from}\r\nTo: ${to}\r\nCall-ID: ${callId}\r\nCSeq: ${String(sequence)} ${method}\r\nContact: ${contact}\r\n${headers}${body === '' ? '' : 'Content-Type: application/sdp\r\n'}Content-Length: ${String(body.length)}\r\n\r\n${body}`,
    );
  }
}

/** An agent at 10.0.0.1 and a hand-written peer, which share a link. */
export class RawStage {
  readonly clock = new ManualClock();
  readonly link = new TelephonyLink(this.clock);
  readonly agent: SipAgent;
  readonly far = new RawPeer(this.link, this.clock);

  constructor(parts?: Partial<SipAgentParts>) {
    this.agent = this.link.agent('10.0.0.1', parts);
  }

  /** Calls the peer. Returns the leg, and the INVITE that the peer received. */
  async call(options?: OutgoingCallOptions): Promise<{ leg: CallLeg; invite: string }> {
    const leg = this.agent.call('sip:a@10.0.0.3', options);
    return { leg, invite: await this.far.last('INVITE') };
  }

  /** Calls the peer, which answers. */
  async answered(...[parts, options]: [parts?: ResponseParts, options?: OutgoingCallOptions]) {
    const call = await this.call(options);
    this.far.respond(call.invite, 200, { body: RawPeer.sdp, ...parts });
    await this.far.last('ACK');
    return call;
  }

  pass(ms: number, stepMs?: number): Promise<boolean> {
    return this.clock.run(() => false, ms, stepMs);
  }

  /** Closes the agent, and asserts that nothing waits any more. */
  async close(): Promise<void> {
    await this.clock.finish(this.agent.close());
    this.clock.advance(100);
    assert.equal(this.clock.pending, 0, 'no timer is left behind');
  }
}

/** Returns the value of a message's header field. */
export const fieldOf = (text: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
