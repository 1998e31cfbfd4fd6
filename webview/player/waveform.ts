import type { ThemeColours } from '../page/themeColours.ts';

const barWidth = 2;
const barGap = 1;
/** Silence still draws a line. */
const minHeight = 2;

/** Draws bars of the loudness, in the accent colour up to the playback position; without peaks, a line. */
export function drawWave(
  canvas: HTMLCanvasElement,
  peaks: readonly number[],
  heard: number,
  colours: ThemeColours,
): void {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const scale = devicePixelRatio;
  if (width === 0 || height === 0) return;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const bars = Math.floor(width / (barWidth + barGap));
  // A telephone prompt rarely uses the whole range.
  const loudest = Math.max(0.05, ...peaks);
  for (let bar = 0; bar < bars; bar += 1) {
    const peak = (peaks[Math.floor((bar / bars) * peaks.length)] ?? 0) / loudest;
    const tall = Math.max(minHeight, peak * (height - 4));
    context.fillStyle = colours.of(bar / bars < heard ? '--dt-live' : '--dt-wave');
    context.fillRect(bar * (barWidth + barGap), (height - tall) / 2, barWidth, tall);
  }
  if (heard <= 0) return;
  context.fillStyle = colours.of('--dt-text');
  context.fillRect(Math.min(width - 1, heard * width), 1, 1, height - 2);
}
