import assert from 'node:assert/strict';
import { beamSearch } from '../../../src/speech/beamSearch.ts';
import type { LanguageState, TokenDecoder, TokenLanguage } from '../../../src/speech/beamSearch.ts';

const vocabulary = ['', '<start>', '<end>', ' press', ' one', ' for', ' four', ' sales', ',', ' Press'];
const id = (text: string): number => vocabulary.indexOf(text);

/** Uses fixed probabilities: the candidates after each text, best first. */
class ScriptedDecoder implements TokenDecoder {
  readonly #after: (text: string) => Readonly<Record<string, number>>;
  #texts: readonly string[] = [''];
  readonly rows: number[] = [];

  constructor(after: (text: string) => Readonly<Record<string, number>>) {
    this.#after = after;
  }

  async step(rows: readonly { readonly parent: number; readonly token: number }[]): Promise<Float32Array> {
    this.rows.push(rows.length);
    this.#texts = rows.map(({ parent, token }) =>
      token === id('<start>') ? '' : `${this.#texts[parent] ?? ''}${vocabulary[token] ?? ''}`,
    );
    const logits = new Float32Array(rows.length * vocabulary.length).fill(-50);
    this.#texts.forEach((text, row) => {
      for (const [token, probability] of Object.entries(this.#after(text)))
        logits[row * vocabulary.length + id(token)] = Math.log(probability);
    });
    return Promise.resolve(logits);
  }
}

const language = (scores: Readonly<Record<string, number>> = {}): TokenLanguage<LanguageState> => ({
  start: { text: '', words: 0 },
  next: (state, token) => {
    const text = (vocabulary[token] ?? '').toLowerCase().replace(',', '');
    return {
      state: { text: state.text + text, words: state.words + (text === '' ? 0 : 1) },
      score: scores[vocabulary[token] ?? ''] ?? 0,
    };
  },
  end: (state) => ({ state, score: 0 }),
});

const options = {
  width: 3,
  startToken: id('<start>'),
  endToken: id('<end>'),
  maxTokens: 12,
  breathe: async () => Promise.resolve(true),
};
const textOf = ({ tokens }: { readonly tokens: readonly number[] }): string =>
  tokens.map((token) => vocabulary[token]).join('');

describe('beamSearch', () => {
  const menu = (text: string): Readonly<Record<string, number>> =>
    ({
      '': { ' press': 1 },
      ' press': { ' one': 1 },
      ' press one': { ' four': 0.6, ' for': 0.4 },
      ' press one four': { ' sales': 1 },
      ' press one for': { ' sales': 1 },
    })[text] ?? { '<end>': 1 };

  it('returns the greedy text if the language model is neutral', async () => {
    const [best] = await beamSearch(new ScriptedDecoder(menu), language(), options);
    assert.equal(best && textOf(best), ' press one four sales');
    assert.equal(best?.greedy, true);
  });

  it('lets the language model overrule a narrow choice', async () => {
    const found = await beamSearch(new ScriptedDecoder(menu), language({ ' four': -2 }), options);
    assert.deepEqual(found.slice(0, 2).map(textOf), [' press one for sales', ' press one four sales']);
  });

  it('decodes greedily at width 1', async () => {
    const decoder = new ScriptedDecoder(menu);
    const found = await beamSearch(decoder, language({ ' four': -2 }), { ...options, width: 1 });
    assert.deepEqual(found.map(textOf), [' press one four sales']);
    assert.deepEqual(new Set(decoder.rows), new Set([1]));
  });

  it('never prefers a text that omits words of the greedy one', async () => {
    const skipping = (text: string): Readonly<Record<string, number>> =>
      text === ' press' ? { ' one': 0.6, '<end>': 0.4 } : menu(text);
    const found = await beamSearch(new ScriptedDecoder(skipping), language({ ' one': -5 }), options);
    assert.deepEqual(found.map(textOf).includes(' press'), false);
  });

  it('keeps one of two texts that differ only in case or punctuation', async () => {
    const spelled = (text: string): Readonly<Record<string, number>> =>
      text === ''
        ? { ' press': 0.5, ' Press': 0.49, ' for': 0.01 }
        : text.toLowerCase() === ' press'
          ? { ' one': 1 }
          : { '<end>': 1 };
    const found = await beamSearch(new ScriptedDecoder(spelled), language(), options);
    assert.deepEqual(
      found.map(textOf).filter((text) => / press one/i.test(text)),
      [' press one'],
    );
  });

  it('ends at its limit if the decoder loops, and immediately if it is abandoned', async () => {
    const looping = new ScriptedDecoder(() => ({ ' one': 1 }));
    await beamSearch(looping, language(), options);
    assert.equal(looping.rows.length, options.maxTokens);
    const abandoned = new ScriptedDecoder(menu);
    const found = await beamSearch(abandoned, language(), { ...options, breathe: async () => Promise.resolve(false) });
    assert.equal(abandoned.rows.length, 0);
    assert.deepEqual(found.map(textOf), ['']);
  });
});
