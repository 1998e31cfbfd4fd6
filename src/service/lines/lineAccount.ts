import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Line } from '../../contract/lines.ts';
import { pingAddressOf, proxyOf, srtpOf } from '../../model/calls/linePlan.ts';
import type { CallerAccount, NatSettings, RegisterOptions } from '../../telephony/call.ts';
import { hostReference, parseUri } from '../../telephony/sip/uri.ts';

/** More than any chain of certificates. */
const mostPemBytes = 256 * 1024;

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

/** Returns the text of both files, for TLS. */
function readCertificate(paths: NonNullable<Line['clientCertificate']>): {
  readonly cert: string;
  readonly key: string;
} {
  const cert = readPem(paths.cert, 'certificate');
  const key = readPem(paths.key, 'private key');
  if (
    !parsed(paths.cert, 'a certificate', () => new X509Certificate(cert)).checkPrivateKey(
      parsed(paths.key, 'a private key without a passphrase', () => createPrivateKey(key)),
    )
  )
    throw wrongFile(`The private key in ${paths.key} doesn't belong to the certificate in ${paths.cert}.`);
  return { cert, key };
}

function readPem(path: string, what: string): string {
  try {
    if (statSync(path).size <= mostPemBytes) return readFileSync(path, 'utf8');
  } catch (cause) {
    throw wrongFile(`Couldn't read the ${what} of this line from ${path}.`, cause);
  }
  throw wrongFile(`${path} is too large for a ${what}.`);
}

function parsed<Result>(path: string, what: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    throw wrongFile(`${path} doesn't contain ${what} in PEM form.`, cause);
  }
}

const wrongFile = (problem: string, cause?: unknown): HumanError =>
  new HumanError(`${problem} Correct the line's clientCertificate, whose files are on the machine of the service.`, {
    status: 409,
    code: 'line_certificate',
    cause,
  });
