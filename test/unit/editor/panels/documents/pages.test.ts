import assert from 'node:assert/strict';
import { writeGuide } from '../../../../../src/editor/panels/documents/guidePage.ts';
import { bar, codeBlock, plain } from '../../../../../src/editor/basics/words/markdownText.ts';
import { pageOf, pathOf } from '../../../../../src/editor/panels/documents/page.ts';
import { writeUsage } from '../../../../../src/editor/panels/documents/usagePage.ts';
import { english, uuid } from '../../fakes.ts';
import { byPool, usage } from '../../usageValues.ts';

describe('pages as Markdown', () => {
  it('shows plain text unchanged', () => {
    assert.equal(plain('a *b* [c](command:x) <img src=x> #1'), 'a \\*b\\* \\[c\\](command:x) \\<img src\\=x\\> \\#1');
    assert.equal(plain('1. one\n- two\n    three\n\nfour'), '1\\. one\\\n\\- two\\\nthree\n\nfour');
  });

  it('fences code with any content', () => {
    assert.equal(codeBlock('a'), '```\na\n```');
    assert.equal(codeBlock('```\na\n```'), '````\n```\na\n```\n````');
  });

  it('draws a remainder as at least one mark', () => {
    assert.equal(bar(30, 60), '`██████████░░░░░░░░░░`');
    assert.equal(bar(60, 60), '`████████████████████`');
    assert.equal(bar(0.1, 60), '`█░░░░░░░░░░░░░░░░░░░`');
    assert.equal(bar(59.9, 60), '`███████████████████░`');
    assert.equal(bar(0, 0), '`░░░░░░░░░░░░░░░░░░░░`');
  });

  it('finds a page again by its path', () => {
    for (const page of [{ kind: 'usage' }, { kind: 'guide', slug: 'real-numbers' }] as const)
      assert.deepEqual(pageOf(pathOf(page, 'What / why? 100 %')), page);
    assert.equal(pageOf('/else'), undefined);
    assert.equal(pageOf('/guides//x.md'), undefined);
  });

  it('writes a guide with numbered steps, a reference without numbers', () => {
    const guide = {
      slug: 'x',
      group: 'Start',
      title: 'First steps',
      summary: 'In a line.',
      sections: [
        { title: 'Open it', where: 'Activity bar', text: 'It opens.' },
        { title: 'Call it', where: 'Button Call', text: 'So.', code: 'x {}' },
      ],
    };
    assert.equal(
      writeGuide({ ...guide, kind: 'guide' }, english),
      [
        '# First steps',
        'In a line.',
        '## 1. Open it',
        '**Where:** Activity bar',
        'It opens.',
        '## 2. Call it',
        '**Where:** Button Call',
        'So.',
        '```\nx {}\n```\n',
      ].join('\n\n'),
    );
    assert.match(writeGuide({ ...guide, kind: 'reference' }, english), /^## Open it$/m);
  });

  it('says plainly that a workspace is unlimited, and shows no minutes left', () => {
    const text = writeUsage(
      usage({
        capacity: 'unlimited',
        tier: 'enterprise',
        claimed: true,
        period: { ...usage().period, minutes: { ...byPool(() => 0), mapping: 12.34 } },
        runsInFlight: 1,
        limits: { requestsPerMinute: 1000, runs: 100 },
      }),
      english,
    );
    assert.equal(
      text,
      `# Usage

**Unlimited:** calls go through your own carrier. Dialtree counts minutes but doesn't limit them.

## This month

2026-02-01 to 2026-02-28 (UTC).

| Used for | Minutes used |
| --- | --- |
| Mapping | 12.3 |

## Limits

| Limit | Now | Maximum |
| --- | --- | --- |
| Runs in progress | 1 | 100 |
| Requests per minute | – | 1000 |

Workspace \`${uuid(7)}\`
`,
    );
  });

  it('shows pools, packs and people of a metered one', () => {
    const text = writeUsage(
      usage({
        tier: 'starter',
        claimed: true,
        freeMinutes: {
          ...byPool(() => ({ granted: 0, used: 0, remaining: 0 })),
          mapping: { granted: 60, used: 45, remaining: 15 },
        },
        packs: [{ id: uuid(1), pool: 'testing', minutes: 100, remaining: 50, purchasedAt: '2026-01-09T10:00:00Z' }],
        enrichmentTokens: { granted: 200, used: 100, remaining: 100 },
        modelTokens: { usedToday: 0 },
        anchors: [{ phoneNumber: '+447400123456', verifiedAt: '2026-01-08T10:00:00Z' }],
      }),
      english,
    );
    assert.match(text, /Tier: \*\*starter\*\*/);
    assert.match(text, /^\| Mapping \| `█{5}░{15}` \| 15 of 60 \|$/m);
    assert.match(text, /^\| Tests \| `░{20}` \| – \|$/m);
    assert.match(text, /^\| Tests \| `█{10}░{10}` \| 50 of 100 \| 2026-01-09 \|$/m);
    assert.match(text, /^`█{10}░{10}` 100 of 200$/m);
    assert.match(text, /^No calls yet\.$/m);
    assert.match(text, /^\| \\\+447400123456 \| 2026-01-08 \|$/m);
    assert.doesNotMatch(text, /You have no minutes left/);
  });

  it('explains to a workspace without minutes how to get some, and who grants them', () => {
    const told = (values: Parameters<typeof usage>[0]): string =>
      /^\*\*You have no minutes left\.\*\*.*$/m.exec(writeUsage(usage(values), english))?.[0] ?? '';
    assert.match(
      told({}),
      /Verify a Phone…\* to get free minutes\. Ask the operator of the server for more minutes\.$/,
    );
    assert.match(
      told({ contact: 'ops@example.com' }),
      /Ask the operator of the server for more minutes: ops@example\.com$/,
    );
    assert.doesNotMatch(
      told({ anchors: [{ phoneNumber: '+447400123456', verifiedAt: '2026-01-08T00:00:00Z' }] }),
      /Verify a Phone/,
    );
    assert.doesNotMatch(told({ tier: 'team' }), /Verify a Phone/);
  });
});
