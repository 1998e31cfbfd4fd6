import assert from 'node:assert/strict';
import { patience } from '../../../../src/engine/hearing/patience.ts';

/** The recogniser reports a pause after about this time without speech. */
const earPauseMs = 250;
const increase = (...times: readonly number[]): void => {
  assert.deepEqual(
    times,
    [...new Set(times)].toSorted((one, other) => one - other),
  );
};

describe('engine: how long a caller waits', () => {
  const { prompt, deadAir, text, longestPrompt } = patience;

  it('gets shorter the surer the caller is of what it heard', () => {
    increase(earPauseMs, prompt.person, prompt.expectedWords, prompt.closedMenu, prompt.menu, prompt.otherMenu);
    increase(prompt.closedMenu, prompt.input, prompt.otherMenu, prompt.otherWords);
    increase(prompt.closedMenu, prompt.turn, prompt.announcement);
  });

  it('lasts longer for dead air than for any pause of a prompt, and longest on hold', () =>
    increase(Math.max(...Object.values(prompt)), deadAir.crawl, deadAir.script, deadAir.conversation, deadAir.onHold));

  it('lasts longer for the text of speech than for dead air, and longest if nothing else is known of a turn', () =>
    increase(deadAir.crawl, text.rest, text.lost, text.turn, longestPrompt));
});
