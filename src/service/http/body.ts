import { limits } from '../../contract/limits.ts';
import { bodyTooLarge } from './guard.ts';

/** A body that came without its length is measured as it comes. Rejects with HumanError 413 for more bytes than these. */
export async function readText(request: Request, most: number = limits.bodyBytes): Promise<string> {
  if (!request.body) return '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let text = '', bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > most) {
      await reader.cancel();
      throw bodyTooLarge(most);
    }
    text += decoder.decode(value, { stream: true });
  }
}
