import assert from 'node:assert/strict';
import { patience } from '../../../../src/engine/hearing/patience.ts';
import { hearTurn } from '../../../../src/engine/hearing/turn.ts';
import type { HeardTurn, TurnOptions } from '../../../../src/engine/hearing/turn.ts';
import { hangUp, ScriptedLine, speech, words } from './scriptedLine.ts';
import type { TimedEvent } from './scriptedLine.ts';

/** Listens to a call with these timed events, and returns the turn and its end. */
async function hear(
  events: readonly TimedEvent[],
  options: Partial<TurnOptions> = {},
): Promise<HeardTurn & { readonly atMs: number }> {
  const line = new ScriptedLine(events);
  const heard = await hearTurn(line, {
    fromMs: 0,
    deadAirMs: () => patience.deadAir.conversation,
    untilMs: () => 120_000,
    whole: true,
    ...options,
  });
  return { ...heard, atMs: line.nowMs };
}

describe('engine: a turn of the called side', () => {
  it('ends after a pause', async () =>
    assert.deepEqual(await hear(words('Your balance is ten pounds.', 500, 3000)), {
      text: 'Your balance is ten pounds.',
      endMs: 3000,
      atMs: 3000 + patience.prompt.turn,
    }));

  it('continues after a shorter pause', async () => {
    const heard = await hear([...words('For sales, press 1.', 500, 2000), ...words('For help, press 2.', 3000, 4500)]);
    assert.equal('text' in heard && heard.text, 'For sales, press 1. For help, press 2.');
  });

  it('ends when the call ends', async () => {
    const heard = await hear([...words('Goodbye.', 500, 1500), hangUp(2500)]);
    assert.deepEqual(heard, { text: 'Goodbye.', endMs: 1500, atMs: 2500 });
    assert.deepEqual(await hear([hangUp(2000)]), { silence: 'ended', atMs: 2000 });
  });

  it('counts as dead air if nothing is said, and takes longer while the caller has a reason to wait', async () => {
    assert.deepEqual(await hear([]), { silence: 'deadAir', atMs: patience.deadAir.conversation });
    assert.deepEqual(await hear([], { deadAirMs: () => Infinity }), { silence: 'late', atMs: 120_000 });
  });

  it('waits for the text of everything that was said, however late it comes', async () => {
    const heard = await hear([
      ...words('For sales, press 1.', 500, 2000),
      ...words('For help, press 2.', 2500, 4000, 15_000),
    ]);
    assert.equal('text' in heard && heard.text, 'For sales, press 1. For help, press 2.');
  });

  it('counts as unread, and not dead air, if speech never becomes text', async () => {
    const heard = await hear(speech(500, 3000));
    assert.equal('silence' in heard && heard.silence, 'unread');
    assert.ok(heard.atMs >= 3000 + patience.text.turn, String(heard.atMs));
  });

  it('ends at a pause after recognised text while more is being said, unless it has to be whole', async () => {
    const menu = [
      ...words('For sales, press 1.', 500, 2000, 3000),
      [4000, { type: 'speechStart', atMs: 4000 }],
    ] as const;
    const heard = await hear(menu, { whole: false });
    assert.deepEqual(heard, { text: 'For sales, press 1.', endMs: 2000, atMs: 5000 });
    assert.equal((await hear(menu, { untilMs: () => Infinity, whole: false })).atMs, 5000);
    assert.deepEqual(await hear(menu), { silence: 'late', atMs: 120_000 });
  });
});
