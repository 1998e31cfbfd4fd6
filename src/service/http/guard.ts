import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import { isLoopback } from '../../base/loopback.ts';

/**
 * Refuses requests that a web page made a browser send (DNS rebinding, cross-site): the Host and the Origin must belong
 * to this service. A server on an address other than loopback has names that only its operator knows, so only the
 * Origin is checked there. A public address belongs to the service, and its pages use only https. A proxy may use it or
 * the internal address.
 */
export class RequestGuard {
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #publicHosts: ReadonlySet<string>;
  readonly #publicOrigin: string | undefined;

  constructor(host: string, port: number, publicUrl?: URL) {
    this.#hosts = isLoopback(host)
      ? new Set(['127.0.0.1', 'localhost', '[::1]', bracketed(host)].map((name) => `${name}:${String(port)}`))
      : undefined;
    this.#publicHosts = new Set(publicUrl ? [publicUrl.host, `${publicUrl.hostname}:${publicUrl.port || '443'}`] : []);
    this.#publicOrigin = publicUrl?.origin;
  }

  /** Requested under the public address, and therefore over https. */
  isPublic(headers: Headers): boolean {
    return this.#publicHosts.has(hostOf(headers));
  }

  check(headers: Headers): void {
    const host = hostOf(headers);
    const isPublic = this.#publicHosts.has(host);
    if (this.#hosts && !isPublic && !this.#hosts.has(host)) {
      throw new HumanError(
        'This service accepts requests only at its own address, such as http://127.0.0.1:PORT. Use that address.',
        {
          status: 421,
          code: 'wrong_host',
        },
      );
    }
    const origin = headers.get('origin')?.toLowerCase();
    if (origin !== undefined && origin !== this.#publicOrigin && (isPublic || origin !== `http://${host}`)) {
      throw new HumanError("Web pages can't send requests here. Call the service from a program instead.", {
        status: 403,
        code: 'wrong_origin',
      });
    }
    const encoding = headers.get('content-encoding');
    if (encoding !== null && !/^\s*(?:identity\s*)?$/i.test(encoding)) {
      throw new HumanError("Compressed bodies aren't accepted. Send the body without Content-Encoding.", {
        status: 415,
        code: 'not_json',
      });
    }
    if (Number(headers.get('content-length') ?? 0) > serverLimits.bodyBytes) throw bodyTooLarge(serverLimits.bodyBytes);
  }
}

const hostOf = (headers: Headers): string => (headers.get('host') ?? '').toLowerCase();

export const bodyTooLarge = (most: number): HumanError =>
  new HumanError(`The body is larger than ${String(most)} bytes. Send less data.`, {
    status: 413,
    code: 'body_too_large',
  });

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
