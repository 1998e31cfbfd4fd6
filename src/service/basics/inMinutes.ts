/** A number of seconds to wait, for a sentence: whole minutes, rounded up. */
export function inMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? '1 minute' : `${String(minutes)} minutes`;
}
