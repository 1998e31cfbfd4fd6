import type { LineKind, LineTransport } from '../../contract/lines.ts';
import { limits } from '../../contract/limits.ts';

/** `sip:5060` is the host `sip` with a port. Asterisk's configuration has `\;` for `;`. */
const form =
  /^(?:(?<scheme>sips?|udp|tcp|tls):(?:\/\/)?(?!\d+(?:$|[\\;])))?(?<place>[^\\;]*)(?:\\?;transport=(?<transport>udp|tcp|tls))?$/i;

/**
 * Reads an address as carriers and PBXs write it: `host`, `sips:host`, `tls://host:5061`, `host;transport=tcp` (RFC 3261
 * section 19.1.1). Text of another form stays as it is.
 */
export function readLineAddress(
  typed: string,
  kind: LineKind | undefined,
): { readonly address: string; readonly transport: LineTransport } {
  const { scheme = '', place = typed, transport = 'udp' } = form.exec(typed)?.groups ?? {};
  const named = scheme.toLowerCase().replace('sips', 'tls').replace('sip', '');
  return {
    address: kind === 'uri' && place !== '' ? `sip:${place}` : place,
    transport: (named === '' ? transport.toLowerCase() : named) as LineTransport,
  };
}

/** Derives a name from the address that isn't taken. */
export function freeLineName(kind: LineKind, address: string, taken: readonly string[]): string {
  const host = address
    .replace(/^sip:/i, '')
    .replace(/^[^@]*@/, '')
    .replace(/:\d+$/, '');
  const word = /^[\d.[\]:]+$/.test(host)
    ? ''
    : (host.split('.').at(-2) ?? host)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replace(/^-/, '')
        .slice(0, limits.lines.name - 4)
        .replace(/-$/, '');
  const base = word === '' ? kind : word;
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${String(count)}`;
    if (!taken.includes(name)) return name;
  }
}
