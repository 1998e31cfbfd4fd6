import assert from 'node:assert/strict';
import fc from 'fast-check';
import { groupBy } from '../../../../src/base/groupBy.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import type { Line, Lines } from '../../../../src/contract/lines.ts';
import { LineBook } from '../../../../src/service/lines/lineBook.ts';
import type { Dialling } from '../../../../src/service/numbers/dialGate.ts';
import { emergencyCodes, wellKnownCodes } from '../../../../src/service/numbers/emergencyCodes.ts';
import { parseTarget } from '../../../../src/service/numbers/target.ts';
import { assertGolden } from '../../../support/goldenText.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { practiceAt } from '../../../support/practicePlaces.ts';
import { listed } from '../../../support/listed.ts';

const numbers = `
+12125550123 +442079460911 +4930112112 +12025550101 +12025550150 +911 +112 +44999 +49110 +116123 +18002738255
+180027382551 +19005551234 +1900 +44118500 +333260 +447012345678 +881612345678 +97912345678 +12 +0123456789
+1202555012345678 +1-212-555-0123 +12125550123;ext=7 12125550123 0012125550123 911 112 9911 91911 *67911 *31#112 #112
118 11833 0900 09001 030123 600 *43 *43# +*43 2 911%23 112!5 9,112 9-1-1 9.1.1 9%311 9%2D1%2D1 %39%31%31 (9)11 9*1*1
1~12 9~1~1 *67061 *6~7061 %EF%BC%91%EF%BC%91%EF%BC%92 %D9%A1%D9%A1%D9%A0 %C2%B9%C2%B9%C2%B2 １１２ %25311%25310 %zz
*67+12125550123 9+12125550123 1/900/555/1234 1(900)555-1234 50101;phone-context=+121255 911;phone-context=+1
600;phone-context=example.com 600;ext=911 600;x=911 600:911 :110 ;x=110 +4930123456;isub=7 +12125550123;rn=+19005551234
`;
const names = `
sales anna.smith %61nna.smith ivr2 agent104 x110 w11 xyz 9x9-1-1 room112 sos help911 CALL-ME-2 911-desk x11833 n0049900123456
+4930x123456 +49900x123456 +1900CALLNOW +1800FLOWERS 1900CALLNOW 1-800-FLOWERS +88123x45678 tel%3A+4930123456 Zoë ж112
a%20b - . ~ & 9&1 x;ext=7 user;phone-context=+1 a@b a%40b
`;
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const line = (kind: 'trunk' | 'pbx', host: string): Line => ({ kind, host, numbers: kind === 'trunk' ? ['+4*'] : [] });

/** Without hosts, so that networks with the same rules have the same text. */
function describeCall(call: () => Dialling): string {
  try {
    const { lab, consentFor } = call();
    return lab ? 'a practice IVR' : `called ${consentFor === undefined ? 'freely' : `with consent for ${consentFor}`}`;
  } catch (error) {
    assert(error instanceof HumanError);
    // Its message names the line, and nothing of the target that the others don't show.
    if (error.code === 'line_not_serving') return error.code;
    return [error.code, error.reason, error.message].filter((part) => part !== undefined).join(' ');
  }
}

/** Every network that a target can lead to, by its name. */
function resultsOf(user: string): Record<string, string> {
  const lines: Lines = {
    trunk: line('trunk', 'trunk.example.com'),
    pbx: line('pbx', 'pbx.example.com'),
    uri: { kind: 'uri', uri: `sip:${user}@uri.example.com`, numbers: [] },
    own: line('pbx', '127.0.0.1:5070'),
  };
  const plan = { '+1*': 'sip:{number}@far.example.com', '+12025550101': 'sip:x@127.0.0.1:5071' };
  const book = (routes: Record<string, string>): LineBook =>
    new LineBook({ routes, lines, passwords: {}, practices: practiceAt('127.0.0.1:5070'), clock: new ManualClock() });
  const over = (name: string): { name: string; line: string } => ({ name: 'Careful', line: name });
  const calls: Record<string, () => Dialling> = {
    'dial plan': () => book(plan).resolve(user),
    'dial plan, over trunk': () => book(plan).resolve(user, over('trunk')),
    'dial plan, over pbx': () => book(plan).resolve(user, over('pbx')),
    'route to it': () => book({ '+12125550123': `sip:${user}@far.example.com` }).resolve('+12125550123'),
    ...Object.fromEntries(
      [
        'trunk.example.com',
        'uri.example.com',
        'pbx.example.com',
        'far.example.com',
        '127.0.0.1:5071',
        '127.0.0.1:5070',
      ].map((host) => [`at ${host}`, () => book(plan).resolve(`sip:${user}@${host}`)]),
    ),
    'at pbx.example.com, over trunk': () => book(plan).resolve(`sip:${user}@pbx.example.com`, over('trunk')),
    ...Object.fromEntries(
      ['trunk', 'pbx', 'own'].map((name) => [`extension on ${name}`, () => book(plan).resolveOn(name, user)]),
    ),
  };
  return Object.fromEntries(
    Object.entries(calls).map(([network, call]) => [
      network,
      describeCall(call).replaceAll(/(?<=@)[\w.]+\.example\.com|127\.0\.0\.1:\d+/g, 'HOST'),
    ]),
  );
}

/** Texts of everything that means something in a number or an address. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'sip: SIPS: tel: @ @h.example.com : ; ? = % %40 %2B %3B %zz + +1 * # 112 9 0 ;ext=7 ;maddr=h'.split(' '),
      ),
      fc.constantFrom(
        ' ',
        '\0',
        '\u200b',
        '\u0660',
        '\uff11',
        '\ud800',
        ';phone-context=+1',
        '[::1]',
        ':5060',
        '<',
        '"',
      ),
      fc.string({ maxLength: 6, unit: 'binary' }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const codes = [...new Set([...wellKnownCodes, ...Object.values(emergencyCodes).flat()])];
/** A digit as it can be written. */
const digitOf = (digit: string): fc.Arbitrary<string> => {
  const wide = String.fromCodePoint(0xff10 + Number(digit));
  const arabic = String.fromCodePoint(0x660 + Number(digit));
  return fc.constantFrom(digit, `%3${digit}`, wide, encodeURIComponent(wide), arabic, encodeURIComponent(arabic));
};
const emergencySpellings = fc.constantFrom(...codes).chain((code) =>
  fc
    .tuple(
      fc.constantFrom('sip:', 'SIP:', 'sips:', ''),
      fc.constantFrom(
        ...listed(' | 0 | 9 | 00 | *67 | *6~7 | #31#'),
        ...(code.length > 3 ? [] : ['+1', '+49', '0049', '%2B44']),
      ),
      fc.tuple(...Array.from(code, digitOf)),
      fc.array(fc.constantFrom('', '', '-', '.', '/', '(', ')', '~', '!', ',', '%20', '%2D'), {
        minLength: 9,
        maxLength: 9,
      }),
      fc.constantFrom('', '#', '*', '!', ';ext=7', ';isub=1', ';phone-context=+1', ';x=1', ':secret', '%23', '%00'),
      fc.constantFrom('h.example.com', '127.0.0.1:5070', '[::1]', 'h.example.com;transport=udp'),
    )
    .map(([scheme, before, digits, between, after, host]) => {
      const user = `${before}${digits.map((digit, at) => `${digit}${between[at] ?? ''}`).join('')}${after}`;
      return scheme === '' ? user : `${scheme}${user}@${host}`;
    }),
);

describe('a target', () => {
  it('leads to the reviewed call or refusal, with its message and code, on each network', () => {
    const table = [...words(numbers), ...words(names)].map((user) => {
      const networks = groupBy(Object.entries(resultsOf(user)), ([, result]) => result);
      const rows = [...networks].map(
        ([result, group]) => `  ${group.map(([network]) => network).join(' | ')}:\n    ${result}\n`,
      );
      return `${user}\n${rows.join('')}`;
    });
    assertGolden(table.join('\n'), new URL('./golden/targets.txt', import.meta.url));
  });

  it('comes from any text, and again from its own text and from what it calls', () =>
    fc.assert(
      fc.property(
        texts,
        fc.option(fc.constantFrom('pbx.example.com', '[::1]:5070'), { nil: undefined }),
        (text, host) => {
          const target = parseTarget(text, host);
          assert.deepEqual(parseTarget(target.text), target);
          // A question mark begins headers if it isn't escaped.
          if (!('called' in target) || target.kind === 'address' || target.called.includes('?')) return;
          const again = parseTarget(target.called);
          assert.equal(again.kind, target.kind);
          assert.equal('called' in again ? again.called : again.text, target.called);
        },
      ),
      { numRuns: 5_000 },
    ));

  it('never becomes something to dial if it is a spelling of an emergency number', () =>
    fc.assert(
      fc.property(emergencySpellings, (text) => {
        for (const host of [undefined, 'pbx.example.com'])
          assert.match(parseTarget(text, host).kind, /^(?:refused|address)$/);
      }),
      { numRuns: 5_000 },
    ));
});
