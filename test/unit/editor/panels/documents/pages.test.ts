import assert from 'node:assert/strict';
import { writeGuide } from '../../../../../src/editor/panels/documents/guidePage.ts';
import { codeBlock } from '../../../../../src/base/codeBlock.ts';
import { plain } from '../../../../../src/editor/basics/words/markdownText.ts';
import { english } from '../../fakes.ts';

describe('pages as Markdown', () => {
  it('shows plain text unchanged', () => {
    assert.equal(plain('a *b* [c](command:x) <img src=x> #1'), 'a \\*b\\* \\[c\\](command:x) \\<img src\\=x\\> \\#1');
    assert.equal(plain('1. one\n- two\n    three\n\nfour'), '1\\. one\\\n\\- two\\\nthree\n\nfour');
  });

  it('fences code with any content', () => {
    assert.equal(codeBlock('a'), '```\na\n```');
    assert.equal(codeBlock('```\na\n```'), '````\n```\na\n```\n````');
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
});
