import type { WebviewPage } from '../webview/webviewPage.ts';
import { median } from './median.ts';

/** Times of whole frames, in milliseconds. */
export interface FrameTimes {
  readonly median: number;
  readonly longest: number;
}

/** At 60 Hz. */
const frameMs = 16.7;

/** A frame's paint is over when a message that was posted in its animation frame arrives. */
export const afterPaint =
  'const afterPaint = () => new Promise((resolve) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => resolve(performance.now()); port2.postMessage(0); }));';

/**
 * From a snapshot's arrival on a new page to the end of the frame that shows it. The page stores the time as
 * `arrivedAt`.
 */
export async function paintOf(webview: WebviewPage, snapshot: object): Promise<number> {
  await webview.page.evaluate('sessionStorage.clear()');
  await webview.open();
  return webview.page.evaluate<number>(`(async () => { ${afterPaint}
    const snapshot = ${JSON.stringify(snapshot)};
    await afterPaint();
    const start = globalThis.arrivedAt = performance.now();
    dispatchEvent(new MessageEvent('message', { data: snapshot }));
    return await afterPaint() - start; })()`);
}

/** Runs `work` in each of this many frames; it can use the frame's number, `frame`. */
export async function framesOf(webview: WebviewPage, count: number, work: string): Promise<FrameTimes> {
  const frames = await webview.page.evaluate<number[]>(`(async () => {
    const frames = [];
    for (let frame = 0; frame < ${count}; frame += 1) {
      // Asked for before the page asks, so that the page's own work lies inside.
      const whole = new Promise((resolve) => requestAnimationFrame(() => {
        const start = performance.now();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - start);
        port2.postMessage(0);
      }));
      const start = performance.now();
      ${work};
      const own = performance.now() - start;
      frames.push(own + await whole);
    }
    return frames; })()`);
  return { median: median(frames), longest: Math.max(...frames) };
}

export function printFrames(frames: Readonly<Record<string, FrameTimes>>): void {
  for (const [name, { median: middle, longest }] of Object.entries(frames))
    console.log(
      `a frame ${name}: ${middle.toFixed(1)} ms median, ${longest.toFixed(1)} ms longest, ${(middle / frameMs).toFixed(2)} of a frame of ${frameMs} ms`,
    );
}
