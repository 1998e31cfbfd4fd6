import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse, type TestSuite, type TestSuites } from 'junit2json';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

const schema = XmlDocument.fromString(readFileSync(new URL('./junit.xsd', import.meta.url), 'utf8'));
const validator = XsdValidator.fromDoc(schema);

/**
 * A JUnit report as two readers have it that know nothing of each other: libxml2 parses it and holds it against the
 * schema, junit2json (on sax) makes the value that is returned. Both, and the sums in the report, have to agree.
 */
export async function readJUnit(document: string): Promise<TestSuites> {
  const texts = textsByLibxml2(document);
  // Without options, a name that looks like a number becomes one.
  const root = (await parse(document, {})) as TestSuites;
  const suites = root.testsuite ?? [];
  for (const name of ['tests', 'failures', 'errors'] as const)
    assert.equal(
      Number(root[name]),
      suites.reduce((sum, suite) => sum + Number(suite[name]), 0),
      name,
    );
  for (const suite of suites) checkSums(suite);
  assert.deepEqual(
    suites.flatMap(({ testcase = [] }) =>
      testcase.map(({ name, failure, error, skipped }) => [
        name,
        (failure ?? error ?? skipped)?.[0]?.message,
        (failure ?? error)?.[0]?.inner?.trim() ?? '',
      ]),
    ),
    texts,
  );
  return root;
}

function checkSums(suite: TestSuite): void {
  const { testcase = [] } = suite;
  assert.equal(Number(suite.tests), testcase.length);
  for (const [name, ending] of [
    ['failures', 'failure'],
    ['errors', 'error'],
    ['skipped', 'skipped'],
  ] as const)
    assert.equal(Number(suite[name]), testcase.filter((one) => one[ending] !== undefined).length, name);
}

/** Name, message and text of each case's ending. Throws at what is not well-formed, or not of the schema. */
function textsByLibxml2(document: string): (string | undefined)[][] {
  const parsed = XmlDocument.fromString(document);
  try {
    validator.validate(parsed);
    return parsed.find('//testcase').map((node) => {
      const value = (path: string): string | undefined => node.get(path)?.content;
      // sax gives no text that is nothing but white space.
      return [value('@name'), value('*/@message'), value('failure/text()|error/text()')?.trim() ?? ''];
    });
  } finally {
    parsed.dispose();
  }
}
