import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import * as z from 'zod';

/**
 * The protocol between the owner of a data folder and a process that found it, one JSON object per line:
 *
 *     owner     {"nonce"}              as soon as it serves; until then, and once it is stopping, nothing
 *     newcomer  {"nonce", "proof"}     HMAC-SHA256 of both nonces with the key of the folder
 *     owner     {"address", "proof"}   of both nonces and the address; or {"refused": true}
 *
 * Neither sends the key, and each learns something only from a process that has read it.
 */
const hexSchema = z.string().regex(/^[0-9a-f]{64}$/);
const greetingSchema = z.object({ nonce: hexSchema });
const requestSchema = greetingSchema.extend({ proof: hexSchema });
const answerSchema = z.union([
  z.object({ address: z.string(), proof: hexSchema }),
  z.object({ refused: z.literal(true) }),
]);

/**
 * `ended`: the connection broke before there was a response. `unproven`: the responder doesn't know the key. `refused`:
 * it says that this process doesn't.
 */
type Answer = { readonly address: string } | 'ended' | 'unproven' | 'refused';

/** Asks the owner for its address. Resolves when it responds or the connection ends. */
export async function askAddress(socket: Socket, readKey: () => Promise<string>): Promise<Answer> {
  const lines = linesOf(socket);
  try {
    const greeting = (await lines.next()).value;
    if (greeting === undefined) return 'ended';
    const owner = parse(greetingSchema, greeting);
    if (!owner) return 'unproven';
    const key = await readKey();
    const nonce = newNonce();
    say(socket, { nonce, proof: prove(key, 'newcomer', owner.nonce, nonce) });
    const text = (await lines.next()).value;
    if (text === undefined) return 'ended';
    const answer = parse(answerSchema, text);
    if (!answer) return 'unproven';
    if ('refused' in answer) return 'refused';
    return matches(answer.proof, prove(key, 'owner', owner.nonce, nonce, answer.address))
      ? { address: answer.address }
      : 'unproven';
  } finally {
    socket.destroy();
  }
}

/**
 * Sends the service's address to a process that has read the key. `isServing` is checked last: a service that is
 * stopping doesn't respond.
 */
export async function tellAddress(
  socket: Socket,
  key: string,
  address: string,
  isServing: () => boolean,
): Promise<void> {
  const lines = linesOf(socket);
  const nonce = newNonce();
  say(socket, { nonce });
  const text = (await lines.next()).value;
  const request = text === undefined ? undefined : parse(requestSchema, text);
  if (!request || !matches(request.proof, prove(key, 'newcomer', nonce, request.nonce))) {
    socket.end(`${JSON.stringify({ refused: true })}\n`);
    return;
  }
  if (isServing())
    socket.end(`${JSON.stringify({ address, proof: prove(key, 'owner', nonce, request.nonce, address) })}\n`);
}

const longestLine = 4096;

/** Ends with the connection, or at a line that is longer than any valid one. */
async function* linesOf(socket: Socket): AsyncGenerator<string, undefined> {
  let text = '';
  socket.setEncoding('utf8');
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
      text += chunk;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        yield text.slice(0, end);
        text = text.slice(end + 1);
      }
      if (text.length > longestLine) return undefined;
    }
  } catch {
    // A broken connection has ended.
  }
  return undefined;
}

const newNonce = (): string => randomBytes(32).toString('hex');
const say = (socket: Socket, line: object): void => {
  socket.write(`${JSON.stringify(line)}\n`);
};
const prove = (key: string, ...parts: string[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('hex');
const matches = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
