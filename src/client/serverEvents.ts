import { parsedJson } from '../base/parsedJson.ts';
import { workspaceEventSchema, type WorkspaceEvent } from '../contract/events.ts';

/**
 * Reads the `data` fields of a stream of server-sent events (WHATWG HTML, section 9.2.6). Ignores events of an unknown
 * kind.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: WorkspaceEvent) => void,
  onAnything: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onAnything();
    text += decoder.decode(value, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n');
      const event = data === '' ? undefined : workspaceEventSchema.safeParse(parsedJson(data));
      if (event?.success) onEvent(event.data);
    }
  }
}
