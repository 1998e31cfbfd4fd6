import assert from 'node:assert/strict';
import { targetOfPhrase } from '../../../src/practice/session.ts';

const speech = {
  'lost card': 'lostcard',
  billing: 'billing',
  'technical support': 'support',
  niño: 'child',
  yes: 'yes',
  no: 'no',
  'pay my bill': 'pay',
};

describe('a spoken phrase', () => {
  for (const [said, target] of [
    ['lost card', 'lostcard'],
    ['Lost card.', 'lostcard'],
    ['I lost my card', 'lostcard'],
    ['lost cart', 'lostcard'],
    ['last card', 'lostcard'],
    ['billing', 'billing'],
    ['Billings, please', 'billing'],
    ['tecnical suport', 'support'],
    ['technical sport', 'support'],
    ['NINO', 'child'],
    ['yes', 'yes'],
    ['Yes!', 'yes'],
    ['no', 'no'],
    ['I want to pay my bill', 'pay'],
  ] as const) {
    it(`"${said}" is ${target}`, () => assert.equal(targetOfPhrase(said, speech), target));
  }

  for (const said of ['', '...', 'weather', 'card', 'maybe', 'ja', 'supper', 'I do not know']) {
    it(`"${said}" matches nothing`, () => assert.equal(targetOfPhrase(said, speech), undefined));
  }

  it('goes to the closer of two matches, in any order', () => {
    for (const phrases of [
      { 'card lost': 'a', 'card lots': 'b' },
      { 'card lots': 'b', 'card lost': 'a' },
    ]) {
      assert.equal(targetOfPhrase('card lots', phrases), 'b');
      assert.equal(targetOfPhrase('card lost', phrases), 'a');
    }
  });

  it('matches nothing without options', () => assert.equal(targetOfPhrase('billing', {}), undefined));
});
