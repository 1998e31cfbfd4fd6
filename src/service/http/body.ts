import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { bodyTooLarge } from './guard.ts';

/** A body that came without its length is measured as it comes. Rejects with HumanError 413 for more bytes than these, 400 where the connection ends before it does. */
export async function readText(request: Request, most: number = limits.bodyBytes): Promise<string> {
  if (!request.body) return '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let text = '',
    bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new HumanError('The connection ended before the body did. Send it again.', {
        status: 400,
        code: 'body_incomplete',
        cause,
      });
    });
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > most) {
      // Not waited for: of a body that was cloned this would settle only once the other half is cancelled as well.
      reader.cancel().catch(() => undefined);
      throw bodyTooLarge(most);
    }
    text += decoder.decode(value, { stream: true });
  }
}
