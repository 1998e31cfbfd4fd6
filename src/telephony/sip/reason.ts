import { splitOutside } from './headers.ts';
import type { SipMessage } from './message.ts';
import { parseParams } from './uri.ts';

/** Returns the Q.850 cause and the text of a Reason header (RFC 3326), if it has them. */
export function parseReason(message: SipMessage): { readonly q850?: number; readonly text?: string } {
  let text: string | undefined;
  let q850: number | undefined;
  for (const value of message.headers.list('Reason')) {
    const [protocol = '', ...rest] = splitOutside(value, ';');
    const params = parseParams(rest.join(';'));
    text ??= params.get('text');
    const cause = params.get('cause') ?? '';
    if (protocol.toUpperCase() === 'Q.850' && /^\d{1,3}$/.test(cause) && Number(cause) <= 127) q850 ??= Number(cause);
  }
  return { ...(q850 === undefined ? {} : { q850 }), ...(text === undefined || text === '' ? {} : { text }) };
}
