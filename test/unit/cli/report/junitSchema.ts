import assert from 'node:assert/strict';
import { parseXml, type XmlElement } from '../../../support/xml.ts';

interface Rule { readonly required: readonly string[]; readonly optional: readonly string[]; readonly children: readonly string[]; readonly text: boolean }

/** What of Jenkins' junit-10.xsd a report may use. Sequences and choices there are unordered for these elements. */
const outcome: Rule = { required: [], optional: ['type', 'message'], children: [], text: true };
const output: Rule = { required: [], optional: [], children: [], text: true };
const schema: Readonly<Record<string, Rule>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'], text: false },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'], optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'], text: false,
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: { required: ['name'], optional: ['time', 'classname', 'group'], children: ['skipped', 'error', 'failure', 'system-out', 'system-err'], text: false },
  failure: outcome, error: outcome, skipped: outcome, 'system-out': output, 'system-err': output,
};
/** SUREFIRE_TIME. */
const time = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

/** Parses a JUnit report strictly, and holds it against the schema and its own sums. */
export function assertJUnit(document: string): XmlElement {
  const root = parseXml(document);
  assert.equal(root.name, 'testsuites');
  check(root);
  const suites = root.children;
  for (const name of ['tests', 'failures', 'errors']) assert.equal(Number(root.attributes[name]), suites.reduce((sum, suite) => sum + Number(suite.attributes[name]), 0), name);
  for (const suite of suites) {
    assert.equal(Number(suite.attributes['tests']), suite.children.length);
    for (const [name, child] of [['failures', 'failure'], ['errors', 'error'], ['skipped', 'skipped']] as const) {
      assert.equal(Number(suite.attributes[name]), suite.children.filter(({ children }) => children.some((one) => one.name === child)).length, name);
    }
  }
  return root;
}

function check({ name, attributes, children, text }: XmlElement): void {
  const rule = schema[name];
  assert.ok(rule, `${name} is not in the schema.`);
  for (const attribute of rule.required) assert.ok(Object.hasOwn(attributes, attribute), `${name} has no ${attribute}.`);
  for (const attribute of Object.keys(attributes)) assert.ok([...rule.required, ...rule.optional].includes(attribute), `${name} has ${attribute}.`);
  if (attributes['time'] !== undefined) assert.match(attributes['time'], time);
  assert.ok(rule.text || text.trim() === '', `${name} holds text.`);
  for (const child of children) {
    assert.ok(rule.children.includes(child.name), `${name} holds ${child.name}.`);
    check(child);
  }
}
