import assert from 'node:assert/strict';
import type { TestStep } from '../../src/contract/testConfigs.ts';
import type { ScriptedCall } from './scriptedCalls.ts';

/** Takes the next step that a guided call is given, once it has been given. */
export async function takeStep({ options: { guide } }: ScriptedCall): Promise<TestStep> {
  assert.ok(guide);
  for (;;) {
    const step = guide.take();
    if (step) return step;
    await new Promise<void>((resolve) => {
      const stop = guide.listen(() => {
        stop();
        resolve();
      });
    });
  }
}
