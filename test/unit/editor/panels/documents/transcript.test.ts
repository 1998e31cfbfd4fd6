import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../../src/contract/tree.ts';
import { writeTranscript } from '../../../../../src/editor/panels/documents/transcript.ts';
import { bankTree, english, run, uuid } from '../../fakes.ts';

const source = {
  name: 'Harbour Bank',
  phoneNumber: '+12025550101',
  run: run(),
  tree: { jobId: uuid(1), tree: bankTree },
};

describe('a transcript', () => {
  it('names the requested input, unless the prompt says just that', () => {
    const asks = (node: TreeNode): string[] =>
      writeTranscript({ name: 'A', phoneNumber: 'A', run: undefined, tree: { jobId: 'j', tree: node } }, english)
        .text.split('\n')
        .filter((line) => line.includes('Asks for'));
    const transcript = 'Please enter your eight digit account number, then press pound.';
    assert.deepEqual(
      asks({ transcript, inputRequired: { type: 'account_number', description: transcript, terminator: '#' } }),
      ['    Asks for: account number, then #'],
    );
    assert.deepEqual(asks({ transcript, inputRequired: { type: 'other', description: transcript } }), []);
    assert.deepEqual(asks({ transcript, inputRequired: { type: 'other', description: 'a case number' } }), [
      '    Asks for: a case number',
    ]);
  });

  it('shows each path with what was said, its options, and its end', () =>
    assert.equal(
      writeTranscript(source, english).text,
      `Harbour Bank  +12025550101
Run 1 · completed · 1 menu · 2 ends · 3 calls

Main menu
    Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.
    [1] accounts
    [2] cards

Main menu › 1 · accounts
    Accounts. Please enter your account number.
    Asks for: account number
    End: asks for data

Main menu › 2 · cards
    One moment.
    End: transfers the call

Main menu › 9 · main menu
    Same menu as: Main menu

Main menu › 0
    No prompt offers this key.
    This machine was busy, so this step may be different or may not exist. Map again to confirm.
    (failed: The call was dropped.)
`,
    ));

  it('maps each step to its line', () => {
    const { text, lineOf } = writeTranscript(source, english);
    assert.equal(text.split('\n')[lineOf.get('s3') ?? -1], 'Main menu › 2 · cards');
    assert.deepEqual([...lineOf.keys()], ['s1', 's2', 's3', 's4', 's5']);
  });

  it('says why there is none', () => {
    const { text } = writeTranscript(
      {
        ...source,
        name: source.phoneNumber,
        run: run({ status: 'limited', limitReason: 'time', reason: 'Cancelled.' }),
        tree: { jobId: uuid(1), tree: null, message: 'Nothing was recorded.' },
      },
      english,
    );
    assert.equal(
      text,
      '+12025550101\nRun 1 · stopped at a limit (time limit reached) · 1 menu · 2 ends · 3 calls\nCancelled.\n\nNothing was recorded.\n',
    );
  });
});
