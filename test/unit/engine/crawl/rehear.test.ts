import assert from 'node:assert/strict';
import { CrawlMap } from '../../../../src/engine/crawl/crawlMap.ts';
import type { CrawlNode } from '../../../../src/engine/crawl/crawlNode.ts';
import { rehear } from '../../../../src/engine/crawl/rehear.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';
import { KeySounds, type PromptHeard, type PromptReheard } from '../../../../src/speech/keys/keySounds.ts';

/** Finds these texts instead of the heard ones. */
class FoundBySound extends KeySounds {
  readonly #found: ReadonlyMap<string, string>;
  readonly compared: string[] = [];

  constructor(found: readonly (readonly [heard: string, found: string])[]) {
    super();
    this.#found = new Map(found);
  }

  override rehear<Heard extends PromptHeard>(heard: readonly Heard[]): Map<Heard, PromptReheard> {
    this.compared.push(...heard.map(({ text }) => text));
    return new Map(
      heard.flatMap((one) => {
        const text = this.#found.get(one.text);
        return text === undefined ? [] : [[one, { text, words: [] }] as const];
      }),
    );
  }
}

const node = (id: string, transcript: string, change: Partial<CrawlNode> = {}): CrawlNode => ({
  id,
  label: '',
  depth: 0,
  status: 'explored',
  attempts: 0,
  transcript,
  words: [],
  reading: readMenu(transcript),
  fingerprint: new Uint8Array(2),
  ...change,
});

const mapOf = (nodes: readonly CrawlNode[], guarded = false): CrawlMap => {
  const map = new CrawlMap({ maxDepth: 8, mappingMode: 'hybrid', guarded, forbiddenKeys: '' }, () => undefined);
  map.begin(nodes);
  return map;
};
const optionsOf = (map: CrawlMap, id: string): string[] =>
  map.childrenOf(map.node(id) ?? assert.fail()).map(({ digit, label, status }) => `${digit} ${label} ${status}`);

describe('keys that are found by their sound in a mapping', () => {
  const heard = 'For hours, press one. To book an inspection option 123. To go back, press a park.';
  const found = 'For hours, press one. To book an inspection press three. To go back, press star.';
  const menu = [
    node('menu', heard),
    node('hours', 'Closed. Goodbye.', { parentId: 'menu', digit: '1', label: 'ours', depth: 1, end: 'hangup' }),
    node('joined', '', { parentId: 'menu', digit: '123', label: 'inspection', depth: 1, status: 'pending' }),
  ];

  it('become options to explore, and replace keys that were joined from several', () => {
    const map = mapOf(menu);
    rehear(map, new FoundBySound([[heard, found]]));
    assert.deepEqual(optionsOf(map, 'menu'), ['1 hours explored', '3 book an inspection pending', '* go back pending']);
    assert.equal(map.node('menu')?.transcript, found);
  });

  it('stay unpressed on a live number', () => {
    const map = mapOf(menu, true);
    rehear(map, new FoundBySound([[heard, found]]));
    assert.deepEqual(optionsOf(map, 'menu').slice(1), ['3 book an inspection skipped', '* go back skipped']);
  });

  it('make a menu of a prompt that was taken for an end, if it offers several', () => {
    const [end, announcement] = ['Garbled. Goodbye.', 'We close at a park.'];
    const map = mapOf([
      node('end', end, { end: 'hangup' }),
      node('announcement', announcement, { parentId: 'end', digit: '1', end: 'dead-air' }),
    ]);
    rehear(
      map,
      new FoundBySound([
        [end, 'For sales, press one. For parts, press two.'],
        [announcement, 'We close at press star.'],
      ]),
    );
    assert.equal(map.node('end')?.end, undefined);
    assert.deepEqual(optionsOf(map, 'end').slice(1), ['2 parts pending']);
    assert.equal(map.node('announcement')?.end, 'dead-air');
  });

  it("come from no request for data, and from no prompt that wasn't heard", () => {
    const sounds = new FoundBySound([]);
    rehear(
      mapOf([
        node('input', 'Please enter your account number, followed by the pound key.', { end: 'input' }),
        node('open', 'For sales, press one.', { parentId: 'input', digit: '1', status: 'pending' }),
      ]),
      sounds,
    );
    assert.deepEqual(sounds.compared, []);
  });
});
