export interface Turn { readonly speaker: 'us' | 'them'; readonly text: string; readonly startMs?: number | undefined; readonly endMs?: number | undefined }

/** The place of the turn that goes on at this moment, else of the next one, else of the last; -1 where none has a time. */
export function turnAt(turns: readonly Turn[], ms: number): number {
  const next = turns.findIndex(({ startMs, endMs }) => startMs !== undefined && (endMs ?? startMs) >= ms);
  return next >= 0 ? next : turns.findLastIndex(({ startMs }) => startMs !== undefined);
}
