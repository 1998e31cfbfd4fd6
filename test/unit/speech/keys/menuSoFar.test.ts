import assert from 'node:assert/strict';
import { decide } from '../../../../src/speech/keys/decideKeys.ts';
import { dueCandidates, lastKeyCandidates } from '../../../../src/speech/keys/dueCandidates.ts';
import { isMenuSoFar, learnMenu, nextPrompt, noMenu, type MenuSoFar } from '../../../../src/speech/keys/menuSoFar.ts';
import { readSlots, slotsOf, writeGrammar } from '../../../../src/speech/keys/slots.ts';
import { weights } from '../../../../src/speech/keys/weights.ts';

const menu: MenuSoFar = { verb: 'press', keys: ['one', 'two'], verbsHeard: [] };

/** Returns the keys to choose among by ear, the likeliest first; nothing if no key is due. */
function dueIn(text: string, before: MenuSoFar = noMenu): string[] {
  const due = [...dueCandidates(slotsOf(text), before)].sort((one, other) => other.logOdds - one.logOdds);
  return [...new Set(due.map(({ said }) => said.at(-1) ?? ''))];
}

describe('keys that are due', () => {
  it('include the end of an offer in a menu', () => {
    assert.deepEqual(dueIn('For lost property, for us three.', menu), ['three']);
    assert.deepEqual(dueIn('To go back, for a store.', menu), ['star']);
    assert.deepEqual(dueIn('For fares and passes, for us to.', { ...menu, keys: ['one'] }), ['two']);
  });

  it('leave out keys that the text itself offers, and words that offer none', () => {
    for (const text of [
      'For fares, press three.',
      'For billing. Press four.',
      'For parking, use the garage behind us.',
      'Your bus leaves from stop four.',
      'The office opens at nine.',
    ])
      assert.deepEqual(dueIn(text, menu), [], text);
  });

  it('include offers outside of menus only after words that may be a verb', () => {
    assert.deepEqual(dueIn('For bus fares, for us one.'), ['one']);
    assert.deepEqual(dueIn('For more information, visit our website.'), []);
    assert.deepEqual(dueIn('For breakfast, come at nine.'), ['nine'], 'as far as the ear finds a verb');
    assert.deepEqual(dueIn('To ride, be there at nine.', menu).length, 1);
  });

  it('include the earlier offers of a text, too', () => {
    const text = 'To add money for us one, if your card was lost for us two. For the previous menu, press eight.';
    assert.deepEqual(dueIn(text).sort(), ['one', 'two']);
  });

  it('exclude menus whose offers begin with the key', () => {
    const text = 'Please press one to mute, three to eject the last user, four or six to change the volume.';
    assert.deepEqual(dueIn(text, menu), []);
    const first = learnMenu('Press one to mute yourself.', 'Press one to mute yourself.', noMenu);
    assert.deepEqual([first.keysFirst, isMenuSoFar(first)], [true, false]);
    assert.deepEqual(dueIn('To eject the last user, four or six.', first), []);
    const label = learnMenu('For billing. Press four.', 'For billing. Press four.', noMenu);
    assert.deepEqual([label.keysFirst, isMenuSoFar(label)], [undefined, true]);
  });

  it('keep the words before them, and the punctuation after them', () => {
    const text = slotsOf('For lost property, for us three.');
    const slots = decide(text, dueCandidates(text, menu));
    assert.match(writeGrammar(slots), /\/1\/ property for us three \| .*property press three/);
    const read = readSlots(slots, ['for', 'lost', 'property', 'press', 'three']);
    assert.equal(read?.map(({ text }) => text).join(' '), 'For lost property press three.');
    const same = readSlots(slots, ['for', 'lost', 'property', 'for', 'us', 'three']);
    assert.equal(same?.map(({ text }) => text).join(' '), 'For lost property, for us three.');
  });
});

describe('the verb before keys that are due', () => {
  const verbsIn = (text: string, before = noMenu): string[] => [
    ...new Set(dueCandidates(slotsOf(text), before).map(({ said }) => said[0] ?? '')),
  ];

  it('can be any usual one if the same words stand before several keys, and no clear verb does', () => {
    const text = 'To buy a ticket die or two for lost property die or three.';
    assert.deepEqual(verbsIn(text), ['press', 'dial', 'choose', 'select']);
    assert.deepEqual(verbsIn(text, { ...menu, verb: 'dial' }), ['dial']);
    assert.deepEqual(verbsIn('To buy a ticket die or two.'), ['press']);
  });
});

describe('the last key of a menu', () => {
  it('may be star if it breaks the count, was offered before, or sounds like star', () => {
    const mayBeStar = (text: string, before = noMenu): boolean => lastKeyCandidates(slotsOf(text), before).length > 0;
    for (const last of ['four', 'one', 'our', 'dart', 'or'])
      assert.ok(mayBeStar(`Select one for rooms, select two for food, or select ${last} for the first menu.`), last);
    for (const last of ['three', 'zero', 'pound', 'star', 'rooms'])
      assert.ok(!mayBeStar(`Select one for rooms, select two for food, or select ${last} for the first menu.`), last);
    assert.ok(mayBeStar('For the first menu, press our.', menu));
    assert.ok(!mayBeStar('For the first menu, press our.', { ...menu, keys: ['one', 'star'] }));
  });
});

describe('the menu of a prompt', () => {
  it('learns from its offers, and from words that recur before keys', () => {
    const first = learnMenu('For sales, for us one.', 'For sales, for us one.', noMenu);
    assert.deepEqual([isMenuSoFar(first), first.verbsHeard], [false, ['us one']]);
    const again = learnMenu('For sales, for us one.', 'For sales, for us one.', first);
    assert.equal(isMenuSoFar(again), false, 'the same utterance, recognised again');
    const second = learnMenu('For service, for us to.', 'For service, for us to.', first);
    assert.equal(isMenuSoFar(second), true);
    assert.equal(isMenuSoFar(learnMenu('For parking, press 3.', 'For parking, press 3.', first)), true);
    assert.equal(isMenuSoFar(nextPrompt(second)), false);
    assert.deepEqual(nextPrompt(second).verbsHeard, ['us ?']);
    assert.equal(isMenuSoFar(learnMenu('For tea, for us one.', 'For tea, for us one.', nextPrompt(second))), true);
  });

  it('makes the words that recur before keys the verb of this voice', () => {
    const weight = (verbsHeard: readonly string[]): number | undefined =>
      dueCandidates(slotsOf('For lost property, for us three.'), { ...menu, verbsHeard })[0]?.logOdds;
    assert.deepEqual([weight(['us one']), weight([])], [weights.dueAfterSameVerb, weights.due]);
    assert.equal(weight(['us three']), weight([]), 'the same offer, recognised again');
  });
});
