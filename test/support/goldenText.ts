import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Compares a text with a file that a person has reviewed. On a mismatch, it writes the text beside the file as
 * `.actual`; UPDATE_GOLDEN=1 replaces the file.
 */
export function assertGolden(actual: string, file: URL): void {
  const beside = new URL(`${file.href}.actual`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, actual);
  try {
    assert.equal(actual, readFileSync(file, 'utf8'));
  } catch (error) {
    writeFileSync(beside, actual);
    throw error;
  }
  rmSync(beside, { force: true });
}
