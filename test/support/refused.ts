import assert from 'node:assert/strict';

/** Fails unless the work is refused with this status, and with this code if one is given. */
export const refused = (work: Promise<unknown>, status: number, code?: string, message?: string): Promise<void> =>
  assert.rejects(work, { status, ...(code !== undefined && { code }) }, message);
