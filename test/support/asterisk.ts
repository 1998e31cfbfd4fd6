import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { KeyTransport } from '../../src/telephony/call.ts';
import type { AsteriskFiles } from './asteriskPackages.ts';
import { startForeign } from './foreignProcess.ts';
import { freeUdpPort } from './freeUdpPort.ts';
import { selfSigned } from './selfSigned.ts';

/** A phone of the office, which registers over TLS and encrypts its audio (SDES). */
interface Extension {
  /** Host and port of the transport over TLS. */
  readonly host: string;
  readonly user: string;
  readonly password: string;
}

/** The extensions 601 and 602 reach each other by these numbers, and everything in the context `incoming`. */
export const extensions = ['601', '602'] as const;

/** An Asterisk of the test, on a free port of 127.0.0.1, in a folder that is removed with it. */
export interface Asterisk {
  phone(name: (typeof extensions)[number]): Extension;
  /** The file with the certificate of the transport over TLS. */
  readonly certificate: string;
  /** The address of an extension in the context `incoming` of its dial plan. */
  extension(name: string): string;
  /** A caller from whom it takes keys in this way only, and with rtcp-mux. From others, it takes telephone events. */
  caller(keysBy: KeysBy): string;
  /** The last of what it printed: the dial plan's steps, and its warnings. */
  output(): string;
  /** What it received on each call to an extension of the context `incoming`. */
  calls(extension: string): readonly KeysOfCall[];
  stop(): Promise<void>;
}

/** The ways in which Asterisk takes keys (`dtmf_mode`). */
export const keysBy = ['rfc4733', 'inband', 'info'] as const satisfies readonly KeyTransport[];
type KeysBy = (typeof keysBy)[number];

/** The keys of a call, in order, and whether the dial plan took each as an option of a menu. */
type KeysOfCall = readonly { readonly key: string; taken: boolean }[];

/** What Debian's Asterisk loads from its own configuration: tones, codecs, and what can't be loaded without a file. */
const shipped = ['indications', 'codecs', 'features', 'ccss', 'cdr', 'cel', 'udptl', 'acl', 'stasis', 'confbridge'];

/** Modules that need hardware, a server or another port. `chan_sip` would take the calls from PJSIP. */
const unused = [
  ...['sip', 'iax2', 'dahdi', 'mgcp', 'skinny', 'unistim', 'motif', 'ooh323', 'mobile'].map((name) => `chan_${name}`),
  ...['pbx_dundi', 'res_snmp', 'res_hep', 'res_config_ldap', 'res_corosync', 'cdr_radius', 'cel_radius'],
  'res_pjsip_transport_websocket',
];

/** Ports for audio: two for each call. */
const audioPorts = 80;

/**
 * Starts Asterisk with the configuration files in `plan`. Calls arrive in the context `incoming` of its
 * `extensions.conf`, which can include the one that Debian ships as `shipped-extensions.conf`.
 *
 * @throws Error with what Asterisk printed if it doesn't start.
 */
export async function startAsterisk(files: AsteriskFiles, plan: string): Promise<Asterisk> {
  const port = await freeUdpPort();
  const tlsPort = await freeTcpPort();
  const password = randomUUID();
  let certificate = '';
  const { output, stop } = await startForeign(
    'asterisk',
    async (folder) => {
      certificate = path.join(folder, 'etc/tls.crt');
      await configure(files, plan, { folder, port, tlsPort, password });
      return [...files.command, '-C', path.join(folder, 'etc/asterisk.conf'), '-f', '-n', '-vvv'];
    },
    // The port is open before the dial plan is loaded.
    (printed) => printed.includes('Asterisk Ready.'),
  );
  return {
    phone: (user) => ({ host: `127.0.0.1:${String(tlsPort)}`, user, password }),
    certificate,
    extension: (name) => `sip:${name}@127.0.0.1:${String(port)}`,
    caller: (name) => `sip:${name}@127.0.0.1`,
    output: () => output().slice(-200_000),
    calls: (name) => keysOfCalls(output(), name),
    stop,
  };
}

function keysOfCalls(printed: string, extension: string): KeysOfCall[] {
  const calls = new Map<string, { key: string; taken: boolean }[]>();
  const lines =
    /Executing \[(?<name>\S+)@(?<context>\S+):1\] \w+\("(?<by>[^"]+)"|DTMF end '(?<key>.)' received on (?<on>\S+),/g;
  for (const { groups = {} } of printed.matchAll(lines)) {
    const { name, context, by = '', key, on = '' } = groups;
    if (context === 'incoming' && name === extension) calls.set(by, []);
    if (key !== undefined) calls.get(on)?.push({ key, taken: false });
    const last = calls.get(by)?.at(-1);
    if (last !== undefined && last.key === name) last.taken = true;
  }
  return [...calls.values()];
}

async function configure(
  { configuration, modules, data, music }: AsteriskFiles,
  plan: string,
  {
    folder,
    port,
    tlsPort,
    password,
  }: { readonly folder: string; readonly port: number; readonly tlsPort: number; readonly password: string },
): Promise<void> {
  const at = (part: string): string => path.join(folder, part);
  for (const part of ['etc', 'spool/voicemail', 'log/cdr-csv', 'run', 'db', 'lib'])
    await mkdir(at(part), { recursive: true });
  const write = (name: string, sections: Sections): Promise<void> =>
    writeFile(at(`etc/${name}.conf`), conf(Object.entries(sections)));
  for (const name of shipped) await copyFile(path.join(configuration, `${name}.conf`), at(`etc/${name}.conf`));
  await copyFile(path.join(configuration, 'extensions.conf'), at('etc/shipped-extensions.conf'));
  await cp(plan, at('etc'), { recursive: true });
  await write('asterisk', {
    directories: {
      astetcdir: at('etc'),
      astmoddir: modules,
      astvarlibdir: data,
      astdatadir: data,
      astdbdir: at('db'),
      astkeydir: at('lib'),
      astspooldir: at('spool'),
      astrundir: at('run'),
      astlogdir: at('log'),
    },
  });
  await write('modules', { modules: { autoload: 'yes', noload: unused.map((name) => `${name}.so`) } });
  await write('logger', { logfiles: { console: 'notice,warning,error,verbose,dtmf' } });
  await write('musiconhold', { default: { mode: 'files', directory: music } });
  // RTP ports are even (RFC 3550 section 11).
  const firstPort = 2 * Math.floor((port + audioPorts < 65_000 ? port + 2 : port - audioPorts - 2) / 2);
  await write('rtp', { general: { rtpstart: String(firstPort), rtpend: String(firstPort + audioPorts) } });
  const endpoint = (dtmfMode: KeysBy, rtcpMux: 'yes' | 'no'): Section => ({
    type: 'endpoint',
    context: 'incoming',
    disallow: 'all',
    allow: 'ulaw,alaw',
    direct_media: 'no',
    rtp_symmetric: 'yes',
    dtmf_mode: dtmfMode,
    rtcp_mux: rtcpMux,
  });
  const { key, cert } = selfSigned({ addresses: ['127.0.0.1'] });
  await writeFile(at('etc/tls.crt'), cert);
  await writeFile(at('etc/tls.key'), key);
  // A phone's endpoint and its address of record have one name.
  const phones = extensions.flatMap((name): [string, Section][] => [
    [
      name,
      {
        ...endpoint('rfc4733', 'no'),
        media_encryption: 'sdes',
        rewrite_contact: 'yes',
        auth: `${name}-login`,
        aors: name,
        callerid: `Desk ${name} <${name}>`,
      },
    ],
    [name, { type: 'aor', max_contacts: '3' }],
    [`${name}-login`, { type: 'auth', auth_type: 'userpass', username: name, password }],
  ]);
  await writeFile(
    at('etc/pjsip.conf'),
    conf([
      ['global', { type: 'global', endpoint_identifier_order: 'username,anonymous' }],
      ['udp', { type: 'transport', protocol: 'udp', bind: `127.0.0.1:${String(port)}` }],
      [
        'tls',
        {
          type: 'transport',
          protocol: 'tls',
          bind: `127.0.0.1:${String(tlsPort)}`,
          cert_file: at('etc/tls.crt'),
          priv_key_file: at('etc/tls.key'),
          method: 'tlsv1_2',
        },
      ],
      ['anonymous', endpoint('rfc4733', 'no')],
      ...keysBy.map((name): [string, Section] => [name, endpoint(name, 'yes')]),
      ...phones,
    ]),
  );
}

async function freeTcpPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Section = Readonly<Record<string, string | readonly string[]>>;
type Sections = Readonly<Record<string, Section>>;

/** Returns the text of a configuration file. A list of values repeats its name. */
function conf(sections: readonly (readonly [string, Section])[]): string {
  const lines = sections.flatMap(([section, members]) => [
    `[${section}]`,
    ...Object.entries(members).flatMap(([name, values]) => [values].flat().map((value) => `${name} = ${value}`)),
  ]);
  return `${lines.join('\n')}\n`;
}
