import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { HumanError } from '../../../../src/contract/errors.ts';
import { suggest } from '../../../../src/editor/files/assistance/completions.ts';
import { fileLinks } from '../../../../src/editor/files/navigation/fileLinks.ts';
import { checkFile } from '../../../../src/editor/files/findings/findings.ts';
import { hoverAt } from '../../../../src/editor/files/assistance/hovers.ts';
import { lensesOf } from '../../../../src/editor/files/lenses/lenses.ts';
import { outlineOf } from '../../../../src/editor/files/navigation/outline.ts';
import type { OutlineEntry } from '../../../../src/editor/files/navigation/outline.ts';
import { kindOf, parseFile } from '../../../../src/editor/folders/parsedFile.ts';
import type { FileKindName, ParsedFile } from '../../../../src/editor/folders/parsedFile.ts';
import {
  renameState,
  stateDefinition,
  stateReferences,
} from '../../../../src/editor/files/navigation/stateNavigation.ts';
import { fileSummaryOf } from '../../../../src/editor/folders/workspaceIndex.ts';
import { createFormats } from '../../../../src/editor/basics/formats.ts';
import { results, step } from '../testing/fakeRuns.ts';
import { english } from '../fakes.ts';
import { folder } from './fakeFiles.ts';

const media = path.resolve(import.meta.dirname, '../../../../media');
const formats = createFormats('en');

/** Runs every language service on a text, with the cursor at one position. */
async function tryAll(kind: FileKindName, text: string, offset: number): Promise<void> {
  const file: ParsedFile = parseFile(kind, `file:///w/a.${kind}.json`, text);
  const lies = (what: string, { offset: from, length }: { readonly offset: number; readonly length: number }): void => {
    assert.ok(
      from >= 0 && length >= 0 && from + length <= text.length,
      `${what} lies outside of the text: ${String(from)}, ${String(length)} of ${String(text.length)}`,
    );
  };
  const around = folder({ 'a.csv': 'a,b\n1,2\n', 'bank.ivr.json': '{}' });
  for (const finding of await checkFile(file, around, english)) {
    lies(finding.code, finding);
    assert.notEqual(finding.message, '');
    for (const remedy of finding.remedies?.() ?? [])
      if (remedy.kind === 'edit') for (const edit of remedy.edits) lies(remedy.title, edit);
  }
  for (const suggestion of await suggest(
    file,
    offset,
    { ...around, language: 'en', template: () => Promise.resolve('') },
    english,
  )) {
    lies(suggestion.label, suggestion);
    assert.ok(
      suggestion.offset <= offset && offset <= suggestion.offset + suggestion.length,
      'the editor wants the cursor within what is replaced',
    );
  }
  const hover = await hoverAt(
    file,
    offset,
    { routes: {}, lastRuns: () => Promise.resolve([{ results: results(1, { steps: [step('Greeting')] }) }]) },
    english,
  );
  if (hover) lies('hover', hover);
  const within = (entries: readonly OutlineEntry[]): void => {
    for (const { name, whole, named, children } of entries) {
      lies(name, whole);
      assert.ok(
        name !== '' && named.offset >= whole.offset && named.offset + named.length <= whole.offset + whole.length,
        name,
      );
      within(children);
    }
  };
  within(outlineOf(file, english));
  for (const link of fileLinks(file)) lies(link.path, link);
  for (const span of stateReferences(file, offset, true)) lies('reference', span);
  const definition = stateDefinition(file, offset);
  if (definition) for (const span of [definition.origin, definition.target, definition.whole]) lies('definition', span);
  try {
    for (const edit of renameState(file, offset, 'renamed', english)) lies('rename', edit);
  } catch (error) {
    if (!(error instanceof HumanError)) throw error;
  }
  lensesOf(file, { path: '/w/a', last: undefined, playedAt: undefined, now: 0, formats }, english);
  fileSummaryOf(kind, file.uri, text);
}

describe('half-typed files', function () {
  let samples: { readonly kind: FileKindName; readonly text: string }[];

  before(async () => {
    samples = [];
    for (const [sub, isSample] of [
      ['samples', true],
      ['templates', false],
    ] as const) {
      for (const name of await readdir(path.join(media, sub))) {
        const kind = kindOf(isSample ? name : name.replace(/^(\w+)\.jsonc$/, 'x.$1.json'));
        if (kind) samples.push({ kind, text: await readFile(path.join(media, sub, name), 'utf8') });
      }
    }
    samples.push({
      kind: 'calltree',
      text: JSON.stringify(
        {
          name: 'Bank',
          tree: {
            stepId: 'root',
            transcript: 'Hi',
            children: [{ stepId: 's1', digit: '1', linksTo: 'root' }, { stepId: 's1' }],
          },
        },
        null,
        2,
      ),
    });
    assert.ok(samples.length >= 13);
  });

  it('crash no service, wherever a piece or the rest is missing or misplaced', async () => {
    const junk = fc.constantFrom(
      '',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '//',
      '/*',
      '\\',
      '\u0000',
      '\r',
      '"__proto__": {',
      '"a": ',
      '\u{1F4DE}',
      'null',
      '1e999',
      '"\\u12"',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        // The rest of a text is missing while it is typed.
        fc.oneof(fc.nat(60), fc.constant(Infinity)),
        junk,
        async (which, share, length, piece) => {
          const { kind, text } = samples[which % samples.length]!;
          const from = Math.round(share * text.length);
          const changed = text.slice(0, from) + piece + text.slice(from + length);
          await tryAll(kind, changed, Math.min(changed.length, from + piece.length));
        },
      ),
      { numRuns: 800 },
    );
  });
});
