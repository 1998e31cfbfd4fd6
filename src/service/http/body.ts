import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import { bodyTooLarge } from './guard.ts';

/**
 * Parses the JSON of a request. @throws SyntaxError; HumanError 400 `invalid_request` if it has more values than any valid
 * request, or is nested deeper, because recursion over the value would overflow the stack.
 */
export function parseJson(text: string): unknown {
  const { depth, values } = sizeOf(text);
  if (values > serverLimits.bodyValues)
    throw new HumanError(`The JSON has more than ${String(serverLimits.bodyValues)} values. Send less data.`, {
      status: 400,
      code: 'invalid_request',
    });
  if (depth > serverLimits.bodyDepth)
    throw new HumanError(
      `The JSON is nested more than ${String(serverLimits.bodyDepth)} levels deep. Use fewer levels.`,
      {
        status: 400,
        code: 'invalid_request',
      },
    );
  return JSON.parse(text);
}

/** Returns the levels of a JSON text, and how many values its objects and lists have at most. */
function sizeOf(text: string): { readonly depth: number; readonly values: number } {
  let depth = 0,
    deepest = 0,
    values = 0,
    quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '[' || character === '{')) depth += 1;
    else if (!quoted && (character === ']' || character === '}')) depth -= 1;
    if (!quoted && (character === '[' || character === '{' || character === ',')) values += 1;
    deepest = Math.max(deepest, depth);
  }
  return { depth: deepest, values };
}

/** Reads a body. Rejects with HumanError 413 as it exceeds `most` bytes, or 400 if the connection ends early. */
export async function readBodyText(request: Request, most: number = serverLimits.bodyBytes): Promise<string> {
  if (!request.body) return '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let text = '',
    bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new HumanError('The connection ended before the whole body arrived. Send the request again.', {
        status: 400,
        code: 'body_incomplete',
        cause,
      });
    });
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > most) {
      // Not awaited: for a cloned body, this settles only once the other half is cancelled too.
      reader.cancel().catch(() => undefined);
      throw bodyTooLarge(most);
    }
    text += decoder.decode(value, { stream: true });
  }
}
