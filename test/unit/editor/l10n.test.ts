import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import {
  englishReasonsIn,
  findTexts,
  languages,
  parse,
  readEnglish,
  readTranslation,
  sourceFiles,
  textsIn,
} from '../../support/l10nStrings.ts';
import type { Bundle, FoundTexts } from '../../support/l10nStrings.ts';
import { plainTextsIn } from '../../support/plainTexts.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const readJson = async (name: string): Promise<Bundle> =>
  JSON.parse(await readFile(path.join(root, name), 'utf8')) as Bundle;
const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\d+\}|\$\([\w~-]+\)|\]\(command:[^)]+\)/g)].map(([place]) => place))].sort();
const sourceOf = (text: string): ts.SourceFile => ts.createSourceFile('some.ts', text, ts.ScriptTarget.Latest, true);
/** Names of commands as texts quote them, with their delimiters. */
const namedCommands = (texts: Bundle): string[] =>
  Object.values(texts).flatMap((text) => [...text.matchAll(/\*Dialtree: ([^*]+)\*/g)].map(([, title]) => title ?? ''));

/** Names, texts that the service stores verbatim, words of a call, and texts that aren't sentences. */
const untranslated = [
  // Classes of a section.
  'part boxed',
  'part boxed tested',
  'Dialtree',
  // A name of a key (UI Events).
  'Escape',
  'Harbour Bank',
  'Riverside Clinic',
  'Northern Power and Water',
  "Editor's agent",
  'I may test this number',
  'practice IVR',
  'You have reached …. Goodbye.',
  'the end',
  'practice running',
  'load …',
  'wrong own',
  'subtitle jump',
  'dialtree.linePassword …',
  '[keys redacted]',
  '…\nCaused by: …',
  'A command failed: …',
];
/** Texts for programs, models and maintainers, words of standards, and markup. */
const untranslatedFiles =
  /^src\/editor\/(agents\/(tools|models)\/|agents\/(clientConfig|createAgents)\.ts|issue\/issue(Report|Facts)\.ts|panels\/webview\/panelHtml\.ts)|^webview\/(load\/countWords|tree\/drawing\/treeSvg)\.ts/;

describe('the texts of the interface', () => {
  let found: FoundTexts, english: Bundle, wanted: string[];
  before(async () => {
    [found, english] = await Promise.all([findTexts(), readEnglish()]);
    wanted = [...new Set(found.texts.map(({ message }) => message))].sort();
  });

  it('appear as literals at each lookup', () => {
    assert.ok(wanted.length > 300);
    assert.deepEqual(found.unreadable, []);
  });

  it('match the English bundle exactly', () => {
    assert.deepEqual(Object.keys(english).sort(), wanted);
    for (const [key, text] of Object.entries(english)) assert.equal(text, key);
  });

  for (const language of languages) {
    it(`all have a translation with the same placeholders: ${language}`, async () => {
      const bundle = await readTranslation(language);
      assert.deepEqual(Object.keys(bundle).sort(), wanted);
      for (const [message, text] of Object.entries(bundle)) {
        assert.notEqual(text.trim(), '', message);
        assert.deepEqual(placeholders(text), placeholders(message), message);
      }
    });

    it(`of the manifest all have a translation too: ${language}`, async () => {
      const [base, own] = await Promise.all([readJson('package.nls.json'), readJson(`package.nls.${language}.json`)]);
      assert.deepEqual(Object.keys(own), Object.keys(base));
      for (const [key, text] of Object.entries(own))
        assert.deepEqual(placeholders(text), placeholders(base[key] ?? ''), key);
    });

    it(`use the commands' actual names: ${language}`, async () => {
      const own = await readJson(`package.nls.${language}.json`);
      const titles = new Set(Object.entries(own).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : [])));
      const named = namedCommands({ ...(await readTranslation(language)), ...own });
      assert.ok(named.length > 0);
      assert.deepEqual(
        named.filter((title) => !titles.has(title)),
        [],
      );
    });
  }

  it("use the commands' actual names", async () => {
    const own = await readJson('package.nls.json');
    const titles = new Set(Object.values(own));
    assert.deepEqual(
      namedCommands({ ...english, ...own }).filter((title) => !titles.has(title)),
      [],
    );
  });

  it('never appear without a lookup', async () => {
    const plain = (
      await Promise.all((await sourceFiles()).map(async (file) => plainTextsIn(await parse(file))))
    ).flat();
    const isMeant = (line: string): boolean =>
      untranslatedFiles.test(line) || untranslated.some((text) => line.endsWith(` ${JSON.stringify(text)}`));
    assert.deepEqual(
      plain.filter((line) => !isMeant(line)),
      [],
    );
  });
});

/** Kinds of runs whose reasons the editor translates. */
const translatedRuns = [
  'src/engine/script',
  'src/engine/hearing',
  'src/engine/crawl',
  'src/engine/probe',
  'src/engine/load',
  'src/model/load',
  'src/service/load',
  'src/language/judge',
  'src/service/testing',
  'src/service/mapping',
];
/** The service's own answers, and the reasons of steps of a tree, are English. */
const englishTexts =
  /^src\/(service\/testing\/(lineCalls|treeTests)|service\/mapping\/(endRun|tree)|engine\/crawl\/(crawlMap|crawlStep|explorer))\.ts/;

describe('the reasons of runs', () => {
  it('have a template for each sentence', async () => {
    const files = await sourceFiles(translatedRuns);
    const english = (await Promise.all(files.map(async (file) => englishReasonsIn(await parse(file))))).flat();
    assert.deepEqual(
      english.filter((line) => !englishTexts.test(line)),
      [],
    );
  });
});

describe('the search for texts', () => {
  it('finds the templates of sentences', () => {
    const { texts } = textsIn(sourceOf('sentence`Step “${name}”: ${1}`; sentence`${why}`; other`No`;'), 'some.ts');
    assert.deepEqual(
      texts.map(({ message }) => message),
      ['Step “{0}”: {1}'],
    );
  });

  it('finds reasons that are English text', () => {
    const source = sourceOf(
      "a({ reason: why, ...because(sentence`Fine.`) }); b({ reason: a ?? 'No.' }); c({ kind: 'hangup', reason: 'bye' }); sentencesOf(`No ${n}.`);",
    );
    assert.deepEqual(englishReasonsIn(source), ["some.ts a ?? 'No.'", 'some.ts `No ${n}.`']);
  });

  it('finds lookups on any bundle object', () => {
    const { texts, unreadable } = textsIn(
      sourceOf(
        "l10n.t('One'); this.#l10n.t(`Two`, 1);\nparts.l10n.t('Three'); t('Four'); other.t('Five'); l10n.t(name); t(`Six ${a}`);",
      ),
      'some.ts',
    );
    assert.deepEqual(texts, [
      { message: 'One', place: 'some.ts:1' },
      { message: 'Two', place: 'some.ts:1' },
      { message: 'Three', place: 'some.ts:2' },
      { message: 'Four', place: 'some.ts:2' },
    ]);
    assert.deepEqual(unreadable, ['some.ts:2', 'some.ts:2']);
  });

  it('finds texts that are shown without a lookup', () => {
    const source = sourceOf(
      "throw new HumanError('Nobody answers.');\nconst title = `Run ${n} of many`;\nlog.info('This is for the log.'); if (key === 'Enter') t('Looked up'); element('p', { class: 'one two' }, 'Heard');",
    );
    assert.deepEqual(plainTextsIn(source), [
      'some.ts:1 "Nobody answers."',
      'some.ts:2 "Run … of many"',
      'some.ts:3 "Heard"',
    ]);
  });
});
