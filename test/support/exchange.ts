import { createSocket } from 'node:dgram';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findPackages } from './debianPackages.ts';
import { startForeign, type ForeignProcess } from './foreignProcess.ts';
import { freeUdpPort } from './freeUdpPort.ts';

/**
 * A Kamailio that asks for a password, registers users over UDP and TCP, and relays the audio of its calls through
 * rtpengine. Both run on 127.0.0.1.
 */
export interface Exchange {
  /** Returns the address at the exchange of a user who has registered, or of a user of the answerer. */
  readonly address: (user: string) => string;
  readonly credentials: { readonly user: string; readonly password: string };
  /** Packets that rtpengine has relayed in calls so far. */
  relayed(): Promise<number>;
  output(): string;
  /** Kills Kamailio alone; it forgets who has registered. */
  readonly kill: () => Promise<void>;
  readonly startAgain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Ports for audio: four for each call. */
const audioPorts = 80;
const password = 'open sesame';

/** Returns what starts an exchange, or undefined and prints the reason if its packages aren't available. */
export function findExchange(): ((answerer: string) => Promise<Exchange>) | undefined {
  const found = findPackages({
    name: 'kamailio',
    release: 'bookworm',
    packages: ['kamailio=5.6.3-2', 'rtpengine-daemon=10.5.3.5-1'],
  });
  if (!found) return undefined;
  const libraries = ['kamailio', 'blas', 'lapack'].map((name) => path.join(found.libraries, name));
  return (answerer) =>
    startExchange(answerer, {
      kamailio: [
        ...found.command('usr/sbin/kamailio', libraries),
        '-L',
        path.join(found.libraries, 'kamailio/modules'),
      ],
      rtpengine: found.command('usr/bin/rtpengine', libraries),
    });
}

/** @param answerer host and port to which the exchange passes calls */
async function startExchange(
  answerer: string,
  commands: Readonly<Record<'kamailio' | 'rtpengine', readonly [string, ...string[]]>>,
): Promise<Exchange> {
  const [sipPort, relayPort] = [await freeUdpPort(), await freeUdpPort()];
  const firstPort = relayPort + audioPorts < 65_000 ? relayPort + 2 : relayPort - audioPorts - 2;
  const relay = new Relay(relayPort);
  const at = `127.0.0.1:${String(sipPort)}`;
  const defines = {
    EXCHANGE: at,
    RELAY: `"udp:127.0.0.1:${String(relayPort)}"`,
    ANSWERER: `"${answerer}"`,
    PASSWORD: `"${password}"`,
  };
  const rtpengine = await startForeign(
    'rtpengine',
    () => [
      ...commands.rtpengine,
      ...['--config-file=none', '--foreground', '--log-stderr', '--log-level=4', '--table=-1', '--interface=127.0.0.1'],
      `--listen-ng=127.0.0.1:${String(relayPort)}`,
      `--port-min=${String(firstPort)}`,
      `--port-max=${String(firstPort + audioPorts)}`,
    ],
    async () => (await relay.ask('ping')) !== undefined,
  );
  const startKamailio = (): Promise<ForeignProcess> =>
    startForeign(
      'kamailio',
      (folder) => [
        ...[...commands.kamailio, '-f', path.join(import.meta.dirname, '../fixtures/kamailio/kamailio.cfg')],
        ...['-DD', '-E', '-m', '64', '-M', '8', '-Y', folder, '-P', path.join(folder, 'kamailio.pid')],
        ...Object.entries(defines).flatMap(([name, value]) => ['-A', `${name}=${value}`]),
      ],
      async () => (await ask(sipPort, optionsTo(at))) !== undefined,
    );
  let kamailio: ForeignProcess;
  try {
    kamailio = await startKamailio();
  } catch (error) {
    await rtpengine.stop();
    throw error;
  }
  return {
    address: (user) => `sip:${user}@${at}`,
    credentials: { user: 'tester', password },
    relayed: () => relay.packets(),
    output: () => `${rtpengine.output()}${kamailio.output()}`.slice(-100_000),
    kill: () => kamailio.stop(),
    startAgain: async () => {
      kamailio = await startKamailio();
    },
    stop: async () => {
      await Promise.all([rtpengine.stop(), kamailio.stop()]);
    },
  };
}

const optionsTo = (at: string): string =>
  [
    `OPTIONS sip:${at} SIP/2.0`,
    'Via: SIP/2.0/UDP 127.0.0.1;rport;branch=z9hG4bK-ready',
    'Max-Forwards: 5',
    `From: <sip:${at}>;tag=1`,
    `To: <sip:${at}>`,
    `Call-ID: ready-${String(Math.random())}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');

/** rtpengine, by its control protocol: bencoded dictionaries over UDP. */
class Relay {
  readonly #port: number;
  #cookie = 0;

  constructor(port: number) {
    this.#port = port;
  }

  ask(command: string): Promise<string | undefined> {
    this.#cookie += 1;
    return ask(this.#port, `${String(this.#cookie)} d7:command${String(command.length)}:${command}e`);
  }

  async packets(): Promise<number> {
    const figures = (await this.ask('statistics')) ?? '';
    return Number(/14:relayedpacketsi(\d+)e/.exec(figures)?.[1] ?? NaN);
  }
}

/** Sends a datagram, and returns the response, or undefined if there is none within a second. */
async function ask(port: number, text: string): Promise<string | undefined> {
  const socket = createSocket('udp4');
  try {
    const response = new Promise<string>((resolve, reject) => {
      socket.once('message', (data) => resolve(data.toString()));
      socket.once('error', reject);
    });
    await new Promise<void>((resolve) => socket.connect(port, '127.0.0.1', resolve));
    socket.send(text);
    return await Promise.race([response.catch(() => undefined), setTimeout(1000, undefined, { ref: false })]);
  } finally {
    socket.close();
  }
}
