import assert from 'node:assert/strict';
import { PromptText } from '../../../../src/engine/hearing/promptText.ts';
import { patience } from '../../../../src/engine/hearing/patience.ts';
import { understood } from '../../../support/heardTalk.ts';

type Said = readonly [text: string, startMs: number, endMs: number];

/** A prompt with these utterances, each at its time in milliseconds. */
function promptOf(...said: readonly Said[]): PromptText {
  const prompt = new PromptText(0);
  const utterances = said.map(([text, startMs, endMs]) => understood(text, startMs, endMs).utterance);
  for (const count of utterances.keys()) prompt.update(utterances.slice(0, count + 1), undefined);
  return prompt;
}
const keysOf = ({ reading }: PromptText): string => reading.options.map(({ key }) => key).join('');
const { boundary } = patience.pause;

describe('engine: the text of a prompt', () => {
  it('continues after a pause between two options', () => {
    const prompt = promptOf(['For sales, press 1.', 0, 2000], ['For billing, press 2.', 4500, 6500]);
    assert.deepEqual([keysOf(prompt), prompt.pauseMs, prompt.overrun, prompt.endMs], ['12', 2500, undefined, 6500]);
  });

  it('counts pauses only between options', () => {
    const prompt = promptOf(
      ['Welcome to Harbour Bank.', 0, 2000],
      ['For sales, press 1.', 6000, 8000],
      ['For billing, press 2.', 8400, 10_000],
    );
    assert.deepEqual([keysOf(prompt), prompt.pauseMs], ['12', 400]);
  });

  it('ends if the prompt begins again', () => {
    const menu = 'For sales, press 1. For billing, press 2.';
    const prompt = promptOf([menu, 0, 4000], ['For sales, press 1.', 8000, 10_000]);
    assert.deepEqual([prompt.text, prompt.overrun, prompt.endMs], [menu, 'repeats', 4000]);
  });

  it('comes from a retry in the same words if the first try was misheard', () => {
    const question = 'Is the noise happening right now?';
    const [misheard, heard] = [`${question} Yes, it's one noise two.`, `${question} Yes, is one. No, is two.`];
    for (const rounds of [
      [misheard, heard],
      [misheard, heard, misheard],
    ]) {
      const prompt = promptOf(...rounds.map((text, round): Said => [text, round * 8000, round * 8000 + 4000]));
      assert.equal(keysOf(prompt), '12');
    }
  });

  it('ends if the IVR says that it got no answer', () => {
    const prompt = promptOf(['For sales, press 1.', 0, 2000], ["Sorry, I didn't get that.", 6000, 7500]);
    assert.deepEqual([prompt.text, prompt.overrun], ['For sales, press 1.', 'rejects']);
  });

  it('ends if another menu offers the same keys for something else', () => {
    const prompt = promptOf(
      ['For English, press 1.', 0, 2000],
      ['For appointments, press 1. For prescriptions, press 2.', 4600, 9000],
      ['For billing, press 3.', 9300, 11_000],
    );
    assert.deepEqual([prompt.text, prompt.overrun, keysOf(prompt)], ['For English, press 1.', 'other', '1']);
  });

  it('continues after a pause with a new key, however its later keys were read before', () => {
    const prompt = promptOf(
      ['For sales, press 1. For star tours, press star.', 0, 4000],
      ['For tips, press 2. To hear this again, press star.', 6000, 10_000],
    );
    assert.deepEqual([prompt.overrun, keysOf(prompt)], [undefined, '1*2']);
  });

  it('ends if the prompt begins again, even if a word is recognised differently', () => {
    const prompt = promptOf(['For new bookings, press 1.', 0, 2000], ['For new looking, press 1.', 6000, 8000]);
    assert.equal(prompt.overrun, 'repeats');
  });

  it('stays one prompt if there is no pause', () => {
    const prompt = promptOf(
      ['For English, press 1.', 0, 2000],
      ['To hear this again, press 1.', boundary + 1999, 5000],
    );
    assert.equal(prompt.overrun, undefined);
  });

  it('drops what was said before a transfer, if it offers nothing', () => {
    const prompt = promptOf(['For sales, press 1.', 0, 2000], ['Please hold for an operator.', 6000, 8000]);
    prompt.endBeforeLastPart();
    assert.deepEqual([prompt.text, prompt.overrun], ['For sales, press 1.', 'other']);
    const menu = promptOf(['For sales, press 1.', 0, 2000], ['For billing, press 2.', 4000, 6000]);
    menu.endBeforeLastPart();
    assert.deepEqual([keysOf(menu), menu.overrun], ['12', undefined]);
  });

  it('ends before music that follows a silence, and continues over music that begins with it', () => {
    const options: Said = ['For sales, press 1.', 0, 2000];
    const [over, under] = [promptOf(options), promptOf(options)];
    over.endBySound(2000 + boundary);
    under.endBySound(1000);
    assert.deepEqual([over.overrun, under.overrun], ['other', undefined]);
  });

  it('replaces a partial text by the whole utterance, and reports whether the text changed', () => {
    const prompt = new PromptText(0);
    const partial = { startMs: 0, endMs: 900, text: 'For sales,' };
    assert.deepEqual([prompt.update([], partial), prompt.update([], partial)], [true, false]);
    assert.equal(prompt.update([understood('For sales, press 1.', 0, 2000).utterance], undefined), true);
    assert.deepEqual([prompt.text, keysOf(prompt)], ['For sales, press 1.', '1']);
  });
});
