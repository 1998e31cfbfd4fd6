import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Line } from '../../contract/lines.ts';
import { pingAddressOf, proxyOf, srtpOf } from '../../model/calls/linePlan.ts';
import type { CallerAccount, NatSettings, RegisterOptions } from '../../telephony/call.ts';
import { hostReference, parseUri } from '../../telephony/sip/uri.ts';

/**
 * Returns who calls over a line, and how: all that its INVITEs obey.
 * @throws HumanError `line_certificate`
 */
export function accountOf(line: Line, password: string | undefined, name?: string): CallerAccount {
  const { user, displayName, privacy, headers, publicAddress, stunServer, clientCertificate } = line;
  const srtp = srtpOf(line);
  const nat: NatSettings = withoutUndefined({ publicHost: publicAddress, stunServer });
  return withoutUndefined({
    line: line.register === true ? name : undefined,
    ...identityOf(line),
    displayName,
    privacy,
    headers,
    outboundProxy: proxyOf(line),
    srtp: srtp === 'off' ? undefined : srtp,
    nat: Object.keys(nat).length > 0 ? nat : undefined,
    clientCertificate: clientCertificate && readCertificate(clientCertificate),
    keysBy: line.dtmf,
    credentials: user !== undefined && password ? { user, password } : undefined,
  });
}

/** Returns who calls: the user, or the caller ID, which the network is asked to assert. */
export function identityOf(line: Line, callerId = line.callerId): Pick<CallerAccount, 'from' | 'preferredIdentity'> {
  const uri = parseUri(pingAddressOf(line));
  const caller = callerId ?? line.user;
  if (caller === undefined || !uri) return {};
  const from = `sip:${caller}@${hostReference(uri.host)}`;
  return callerId === undefined ? { from } : { from, preferredIdentity: from };
}

/** Returns how a line of `account` registers its user. */
export const registerOptionsOf = (line: Line, { line: _line, ...account }: CallerAccount): RegisterOptions => ({
  ...account,
  registrar: pingAddressOf(line),
  user: line.user ?? '',
});

/** Returns the text of both files, which TLS can use. */
function readCertificate({
  cert,
  key,
}: NonNullable<Line['clientCertificate']>): NonNullable<Line['clientCertificate']> {
  try {
    const texts = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    createSecureContext(texts);
    return texts;
  } catch (cause) {
    throw new HumanError(
      `Couldn't use ${cert} as the line's certificate, with ${key} as its private key: ${cause instanceof Error ? cause.message : String(cause)}. Correct the line's clientCertificate. Its files are on the machine of the service, in PEM form, without a passphrase.`,
      { status: 409, code: 'line_certificate', cause },
    );
  }
}
