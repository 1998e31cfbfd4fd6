import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';
import { expectedPrompts, type CrawlNode } from '../../../../src/engine/crawl/crawlNode.ts';
import { fingerprintOf } from '../../../../src/speech/fingerprint.ts';
import { readWav } from '../../../../src/speech/wav.ts';

const recordings = new URL('../../../fixtures/speech/prompts/', import.meta.url);

/** A menu with an announcement, half a second of silence, and its options. */
async function announcedMenu(): Promise<CrawlNode> {
  const [notice, options] = await Promise.all(
    ['dir-intro', 'basic-pbx-ivr-main'].map(
      async (name) => readWav(await readFile(new URL(`${name}.wav`, recordings))).channels[0],
    ),
  );
  assert.ok(notice && options);
  const pcm = new Int16Array(notice.length + 4000 + options.length);
  pcm.set(notice);
  pcm.set(options, notice.length + 4000);
  const saidMs = notice.length / 8 + 700;
  return {
    id: 'menu',
    label: '',
    depth: 0,
    status: 'explored',
    attempts: 0,
    reading: readMenu('For sales, press 1. For support, press 2.'),
    words: [{ text: 'sales', startMs: saidMs, endMs: saidMs + 300 }],
    fingerprint: fingerprintOf(pcm),
  };
}

describe('a known menu', () => {
  it('matches with and without its announcement', async () => {
    const menu = await announcedMenu();
    const [whole, ...rests] = expectedPrompts([menu], { whole: false });
    assert.equal(whole?.offsetMs, undefined);
    assert.ok(rests.length > 0 && rests.every(({ offsetMs = 0 }) => offsetMs > 0));
  });

  it('matches only as a whole on a live number', async () => {
    const prompts = expectedPrompts([await announcedMenu()], { whole: true });
    assert.deepEqual(
      prompts.map(({ offsetMs }) => offsetMs),
      [undefined],
    );
  });
});
