import assert from 'node:assert/strict';
import { createFormats } from '../../../../src/editor/basics/formats.ts';

/** `Intl` inserts narrow and non-breaking spaces where people type plain ones. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ');

describe('formats', () => {
  const noon = new Date(2026, 2, 5, 12, 7).toISOString();

  it("use the display language, not the machine's", () => {
    const [english, german] = [createFormats('en'), createFormats('de')];
    assert.deepEqual([english.number(1234.5), german.number(1234.5)], ['1,234.5', '1.234,5']);
    assert.deepEqual([english.money(1.5, 'EUR'), german.money(1.5, 'EUR')].map(plain), ['€1.50', '1,50 €']);
    assert.deepEqual([english.moment(noon), german.moment(noon)].map(plain), [
      'Mar 5, 2026, 12:07 PM',
      '05.03.2026, 12:07',
    ]);
    assert.deepEqual([english.time(noon), german.time(noon)].map(plain), ['12:07 PM', '12:07']);
  });

  it('never round money down', () => {
    const formats = createFormats('en');
    assert.deepEqual(
      [formats.money(0.291, 'USD'), formats.money(0.29, 'USD'), formats.money(12.1, 'JPY')],
      ['$0.30', '$0.29', '¥13'],
    );
  });

  it("work in a language that Intl doesn't know", () => assert.notEqual(createFormats('qps-ploc').number(1), ''));
});
