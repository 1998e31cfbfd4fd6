import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse, type TestSuite, type TestSuites } from 'junit2json';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

const schema = XmlDocument.fromString(readFileSync(new URL('./junit.xsd', import.meta.url), 'utf8'));
const validator = XsdValidator.fromDoc(schema);

/**
 * Reads a JUnit report with two independent readers: libxml2 parses it and validates it against the schema, and
 * junit2json (on sax) produces the returned value. Both must agree with each other and with the report's sums.
 */
export async function readJUnit(document: string): Promise<TestSuites> {
  const texts = textsByLibxml2(document);
  // Without this, a name that looks like a number becomes one.
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

/**
 * Returns the name, message and text of each case's result. Throws if the document isn't well-formed or doesn't match
 * the schema.
 */
function textsByLibxml2(document: string): (string | undefined)[][] {
  const parsed = XmlDocument.fromString(document);
  try {
    validator.validate(parsed);
    return parsed.find('//testcase').map((node) => {
      const value = (path: string): string | undefined => node.get(path)?.content;
      // sax omits text that is only white space.
      return [value('@name'), value('*/@message'), value('failure/text()|error/text()')?.trim() ?? ''];
    });
  } finally {
    parsed.dispose();
  }
}
