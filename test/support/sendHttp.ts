import { request } from 'node:http';
import type { Agent, IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
export interface HttpAsked {
  readonly method?: string;
  readonly headers?: object;
  readonly body?: string | Buffer | undefined;
  readonly agent?: Agent;
}

/** Sends exactly these headers. `fetch` sets Host and Origin itself. */
export function sendHttp(url: string | URL, { body, headers, ...asked }: HttpAsked = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    request(url, { ...asked, headers: { ...headers } }, (response) => {
      text(response).then((received) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received });
      }, reject);
    })
      .on('error', reject)
      .end(body);
  });
}
