import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Check } from '../../../../src/contract/checks.ts';
import { judge } from '../../../../src/language/judge/judge.ts';
import {
  bearingSystem,
  criterionTitle,
  judgePromptVersion,
  judgeSystem,
  leftOutTitle,
  judgedMissionTitle,
  quotesTitle,
  judgedTranscriptTitle,
} from '../../../../src/language/judge/prompts.ts';
import { findQuote } from '../../../../src/language/heard/quotes.ts';
import { ModelError } from '../../../../src/language/model/modelError.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { call } from '../../../support/callTurns.ts';

const transcript = call('< Welcome to Acme Bank.', '> [keys 1]', '< Your balance is forty two dollars.', '< Goodbye.');
const open = 'The caller learns what is in the account.';
const vote = (verdict: string, ...quotes: string[]): object => ({
  reasoning: `because ${verdict}`,
  verdict,
  evidence: quotes.map((quote) => ({ turn: 3, quote })),
});

describe('the judge with a model', () => {
  it("passes with quotes from the call, in the callee's own letters and with times", async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        model: scriptedModel([vote('pass', 'your BALANCE is forty-two dollars')]),
      },
    );
    assert.equal(judged.verdict, 'pass');
    assert.equal(judged.passReasoning, judged.judgeReasoning);
    assert.deepEqual(judged.passEvidence, [
      { quote: 'Your balance is forty two dollars', startMs: 10_000, endMs: 13_882 },
    ]);
    assert.equal(judged.unstable, undefined);
    assert.equal(judged.judgedBy, `scripted, prompt ${judgePromptVersion}`);
  });

  for (const [title, quotes] of [
    ['no quote', []],
    ['an invented quote', ['Your account was found']],
    ['a quote of our own side', ['keys 1']],
    ['words that every sentence has', ['is', 'to']],
    ['half a word', ['elcome to Acme']],
    ['a quote over two turns', ['dollars. Goodbye']],
    ['an empty quote', ['…']],
  ] as const) {
    it(`makes a pass based on ${title} inconclusive`, async () => {
      const judged = await judge(
        { turns: transcript },
        { acceptance: open },
        { model: scriptedModel([vote('pass', ...quotes)]) },
      );
      assert.deepEqual([judged.verdict, judged.passReasoning, judged.passEvidence], ['inconclusive', undefined, []]);
      assert.match(judged.judgeReasoning, /doesn't count/);
    });
  }

  for (const [title, quotes, acceptance, expected] of [
    ['one word', ['Welcome'], 'The caller reaches a helpful and polite service.', 'inconclusive'],
    ['one word that the criterion is about', ['goodbye'], 'Says goodbye.', 'pass'],
    [
      'one word that the criterion quotes',
      ['welcome'],
      'The bank, which was opened a hundred years ago, begins with "welcome".',
      'pass',
    ],
  ] as const) {
    it(`${expected === 'pass' ? 'takes' : 'does not take'} a pass that is based on ${title}`, async () =>
      assert.equal(
        (await judge({ turns: transcript }, { acceptance }, { model: scriptedModel([vote('pass', ...quotes)]) }))
          .verdict,
        expected,
      ));
  }

  for (const [title, quotes, acceptance, gaveUp, expected] of [
    ['quotes that were never said', ['We cannot help you'], open, false, 'inconclusive'],
    ['no quote, where something had to be said and the call ended', [], open, false, 'fail'],
    ['no quote, where something must not be said', [], 'The caller is not treated rudely.', false, 'inconclusive'],
    ['a quote that was said', ['Goodbye'], open, false, 'fail'],
  ] as const) {
    it(`turns a fail with ${title} into ${expected}`, async () => {
      const judged = await judge(
        { turns: transcript, gaveUp },
        { acceptance },
        { model: scriptedModel([vote('fail', ...quotes)]) },
      );
      assert.equal(judged.verdict, expected, judged.judgeReasoning);
      if (expected === 'inconclusive') assert.match(judged.judgeReasoning, /answered fail, but .* doesn't count/);
    });
  }

  it('accepts no fail without quotes for a call that our caller left', async () => {
    const left = call('< Welcome to Acme Bank.', '< For accounts, press 1.');
    assert.equal(
      (await judge({ turns: left }, { acceptance: open }, { model: scriptedModel([vote('fail')]) })).verdict,
      'fail',
    );
    assert.equal(
      (await judge({ turns: left, gaveUp: true }, { acceptance: open }, { model: scriptedModel([vote('fail')]) }))
        .verdict,
      'inconclusive',
    );
  });

  it('reveals secrets neither to the model nor in the report', async () => {
    const model = scriptedModel([
      { reasoning: 'The PIN 4711 was taken.', verdict: 'fail', evidence: [{ turn: 1, quote: 'Welcome to Acme Bank' }] },
    ]);
    const options = { model, secrets: ['4711'] };
    const judged = await judge({ turns: transcript }, { acceptance: 'The PIN 4711 is accepted politely.' }, options);
    assert.doesNotMatch(JSON.stringify([model.asks.map(({ parts }) => parts), judged]), /4711/);
    const failing = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        ...options,
        model: scriptedModel([new ModelError('refused', 'It says: content filter: "PIN 4711"')]),
      },
    );
    assert.doesNotMatch(failing.judgeReasoning, /4711/);
    assert.doesNotMatch(
      (await judge({ turns: transcript }, { acceptance: 'The PIN 4711 is accepted politely.' }, { secrets: ['4711'] }))
        .judgeReasoning,
      /4711/,
    );
  });

  it('keeps a fail with one real quote, and drops invented ones', async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      { model: scriptedModel([vote('fail', 'never said', 'Goodbye')]) },
    );
    assert.deepEqual([judged.verdict, judged.passEvidence.map(({ quote }) => quote)], ['fail', ['Goodbye']]);
  });

  it('accepts a quote with an ellipsis by its parts', async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        model: scriptedModel([vote('pass', 'Your balance ... two dollars')]),
      },
    );
    assert.deepEqual(
      judged.passEvidence.map(({ quote }) => quote),
      ['Your balance', 'two dollars'],
    );
  });

  it('lets the majority decide and reports disagreeing votes', async () => {
    const votes = ['pass', 'fail', 'pass', 'pass', 'inconclusive'];
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        votes: 5,
        model: scriptedModel((_, index) => vote(votes[index] ?? '', 'Your balance is forty two dollars')),
      },
    );
    assert.deepEqual([judged.verdict, judged.unstable], ['pass', true]);
    assert.match(judged.judgeReasoning, /3 pass, 1 fail, 1 inconclusive/);
  });

  it('remains inconclusive without a majority', async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        votes: 2,
        model: scriptedModel((_, index) => vote(index === 0 ? 'pass' : 'fail', 'Goodbye')),
      },
    );
    assert.deepEqual([judged.verdict, judged.unstable], ['inconclusive', true]);
  });

  it('counts a pass without real words as an inconclusive vote', async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        votes: 3,
        model: scriptedModel((_, index) =>
          vote('pass', index === 0 ? 'Your balance is forty two dollars' : 'invented words'),
        ),
      },
    );
    assert.deepEqual([judged.verdict, judged.unstable], ['inconclusive', true]);
  });

  it("returns an error, with the model's own reason, if there is no answer", async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        model: scriptedModel([new ModelError('timedOut', 'The language model x gave no answer within 60 s.')]),
      },
    );
    assert.equal(judged.verdict, 'error');
    assert.match(judged.judgeReasoning, /gave no answer within 60 s/);
  });

  it('ignores one failed vote of three, and returns an error for two', async () => {
    const failing = new ModelError('unreachable', 'down');
    assert.equal(
      (
        await judge(
          { turns: transcript },
          { acceptance: open },
          {
            votes: 3,
            model: scriptedModel((_, index) => (index === 0 ? failing : vote('fail'))),
          },
        )
      ).verdict,
      'fail',
    );
    assert.equal(
      (
        await judge(
          { turns: transcript },
          { acceptance: open },
          {
            votes: 3,
            model: scriptedModel((_, index) => (index < 2 ? failing : vote('fail'))),
          },
        )
      ).verdict,
      'error',
    );
  });

  it('stops on an abort', async () => {
    const abort = new AbortController();
    const judging = judge(
      { turns: transcript },
      { acceptance: open },
      {
        signal: abort.signal,
        model: scriptedModel(async (ask) => {
          abort.abort(new Error('stop'));
          ask.signal?.throwIfAborted();
          return {};
        }),
      },
    );
    await assert.rejects(judging, /^Error: stop$/);
  });

  it("doesn't ask if nothing was heard", async () => {
    const model = scriptedModel([vote('pass', 'x')]);
    assert.equal((await judge({ turns: call('> hello?') }, { acceptance: open }, { model })).verdict, 'inconclusive');
    assert.equal(model.asks.length, 0);
    const checks: Check[] = [{ kind: 'answersWithin', seconds: 1 }];
    const late = await judge({ turns: [], postDialMs: 9000 }, { acceptance: '', checks });
    assert.equal(late.verdict, 'fail', 'a check that needs no words');
  });

  it("remains inconclusive if a model's fail contradicts words that were said", async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: 'says "your balance is 42 dollars"' },
      {
        model: scriptedModel([vote('fail')]),
      },
    );
    assert.equal(judged.verdict, 'inconclusive');
  });

  it('makes a pass inconclusive if its quotes alone do not show it', async () => {
    const judged = await judge(
      { turns: transcript },
      { acceptance: open },
      {
        model: scriptedModel([vote('pass', 'Welcome to Acme Bank')], false),
      },
    );
    assert.equal(judged.verdict, 'inconclusive');
    assert.match(judged.judgeReasoning, /its quotes don't show it/);
    const model = scriptedModel([vote('pass', 'Welcome to Acme Bank')], false);
    const ofLeft = await judge({ turns: transcript.slice(0, 1), gaveUp: true }, { acceptance: open }, { model });
    assert.equal(ofLeft.verdict, 'inconclusive', 'a call that our caller left');
  });

  it('fails without an opinion if a check fails', async () => {
    const model = scriptedModel([vote('pass', 'Goodbye')]);
    const judged = await judge(
      { turns: transcript },
      { acceptance: open, checks: [{ kind: 'tells', what: 'amount', about: 'balance', atMost: 10 }] },
      { model },
    );
    assert.deepEqual([judged.verdict, model.asks.length], ['fail', 0]);
    assert.deepEqual(
      judged.checks.map(({ verdict, evidence }) => [verdict, evidence?.quote]),
      [['fail', 'Your balance is forty two dollars.']],
    );
  });

  it('lets checks decide without a model, and says which words it leaves', async () => {
    const checks: Check[] = [{ kind: 'says', text: 'your balance is' }];
    const judged = await judge({ turns: transcript }, { acceptance: open, checks });
    assert.equal(judged.verdict, 'pass');
    assert.match(judged.judgeReasoning, /Rules can't check “The caller learns.*The checks decide/);
    assert.equal((await judge({ turns: transcript }, { acceptance: open })).verdict, 'inconclusive');
  });

  it('judges a stored call again with an edited criterion', async () => {
    assert.equal((await judge({ turns: transcript }, { acceptance: 'says "your balance is"' })).verdict, 'pass');
    assert.equal(
      (await judge({ turns: transcript }, { acceptance: 'says "your balance was"' })).verdict,
      'inconclusive',
    );
    assert.equal((await judge({ turns: transcript }, { acceptance: 'says "overdrawn"' })).verdict, 'fail');
  });
});

describe('a quote', () => {
  it('matches the named turn first', () => {
    const twice = call('< press one for sales', '< press one for sales');
    assert.equal(findQuote('press one', twice, 'them', 1)?.turn, 1);
    assert.equal(findQuote('press one', twice, 'them', 7)?.turn, 0);
  });

  it('without distinctive words counts only as a whole turn', () => {
    assert.equal(findQuote('it is', call('< it is so'), 'them'), undefined);
    assert.ok(findQuote('It is!', call('< it is'), 'them'));
  });
});

describe("the judge's prompt", () => {
  it('changes its version when its words change', () => {
    const words = createHash('sha256')
      .update(
        [
          judgeSystem,
          bearingSystem,
          criterionTitle,
          judgedMissionTitle,
          judgedTranscriptTitle,
          leftOutTitle,
          quotesTitle,
        ].join('\n'),
      )
      .digest('hex')
      .slice(0, 12);
    assert.deepEqual(
      { version: judgePromptVersion, words },
      { version: 3, words: 'ada7575e7e33' },
      'The words have changed: raise judgePromptVersion, and note the new words here.',
    );
  });
});
