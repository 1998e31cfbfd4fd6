import assert from 'node:assert/strict';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { crisisLines } from '../../../../src/service/numbers/crisisLines.ts';
import { isEmergency, isKnownEmergency } from '../../../../src/service/numbers/emergency.ts';
import { emergencyCodes, wellKnownCodes } from '../../../../src/service/numbers/emergencyCodes.ts';
import { isFiction, refuseNumber, refuseShortCode } from '../../../../src/service/numbers/neverDialled.ts';
import { numberExamples } from '../../../support/numberExamples.ts';
import { listed } from '../../../support/listed.ts';

/** Numbers of companies, authorities and unassigned ranges, in the form that people dial. */
const ordinary = listed(`
  +12125550911 +12129110000 +13105551112 +14155552671 +16135550112 +18005551234 +18885550199 +12025550112
  +442079460911 +442079460112 +441632960999 +447700900112 +448081570112 +493012345678 +4930112112 +4989110110
  +491701121121 +498003301000 +33142681112 +33612345911 +33800123456 +34912345678 +34612345112 +34900123456
  +390612345678 +393201123112 +390280112112 +31201120911 +31612345678 +318001234 +3225110112 +32470123456 +41441121120
  +41791171171 +4311221330 +436641441440 +48221121120 +48501997998 +420224112112 +420601150155 +3614104105
  +36201041070 +46812345112 +46701121212 +4722110112 +4791131133 +4533114112 +358912345678 +358401121120 +351211234567
  +302101001000 +353112345678 +353851121123 +74951120101 +79161020304 +380441011020 +902121551556 +97231001010
  +972501001010 +912211201120 +919811201120 +81311101190 +819011101190 +82211201190 +8613811001100 +862112345678
  +85221234999 +6591234995 +6561234999 +61291310000 +61413111400 +6491111111 +6421111111 +551131901900 +5511981901900
  +541141070911 +5491141070911 +525512340911 +56221311331 +56913113213 +573001231230 +27111011100 +27821011100
  +254201199911 +2348031991990 +201001221230 +97142999999
`);

/** Extensions of a private exchange. */
const extensions = listed(`
  200 201 215 250 299 300 333 400 411 500 600 700 789 1000 1001 1005 1234 2000 2001 2015 2500 3000 4020 5678 6100 7001
  8000 10000 12345 20001 150000
`);

describe('the list of numbers that are never dialled', () => {
  it('allows ordinary numbers of many countries, including those that end in an emergency code', () => {
    for (const number of ordinary) assert.equal(refuseNumber(number), undefined, number);
    for (const extension of extensions) assert.equal(isEmergency(extension), false, extension);
  });

  it('contains the emergency and crisis codes of every plan: alone, with a country code, after an outside line, before other keys', () => {
    for (const code of Object.values(emergencyCodes).flat()) {
      for (const dialled of [
        code,
        `0${code}`,
        `00${code}`,
        `9${code}`,
        `9,${code}`,
        `${code}#2`,
        `${code}!5`,
        `${code}p1`,
        `${code};1`,
      ])
        assert.equal(isEmergency(dialled), true, dialled);
    }
    for (const code of listed(`
      061 | 091 | 105 | 106 | 107 | 131 | 132 | 143 | 147 | 150 | 188 | 1098 | 1122 | 10111 | 131114 | 3114 | 116123 |
      116 111
    `))
      assert.equal(isEmergency(code), true, code);
    for (const dialled of listed(`
      +1911 | +1 988 | +44999 | +44112 | +61000 | +49110 | +39118 | +3315 | +44116123 | +33 3114 | +61131114 |
      +2710111 | 0049112 | 01144999
    `))
      assert.equal(refuseNumber(dialled)?.refused, 'emergency', dialled);
  });

  it('contains short codes behind the country code of every country, and no number of a plan', () => {
    const callingCodes = new Set(getCountries().map((country) => getCountryCallingCode(country)));
    for (const callingCode of callingCodes)
      for (const code of ['118500', '118 118', '118712', '0118500', '11850']) {
        const dialled = `+${callingCode}${code.replace(' ', '')}`;
        const isNumber = parsePhoneNumberFromString(dialled)?.isValid() === true;
        if (!isNumber && dialled.length >= '+1234567'.length)
          assert.match(refuseNumber(dialled)?.refused ?? '', /^(?:premium|emergency|satellite)$/, dialled);
      }
    for (const dialled of listed(`
      +44118500 +4411850012 +33118712 +4911833 +49118330 +4311811 +43118877 +35311850 +46118118 +460118118 +41181818
      +35816400 +1202555
    `))
      assert.equal(refuseNumber(dialled)?.refused, 'premium', dialled);
    for (const dialled of ['+333260', '+311888', '+471881'])
      assert.equal(refuseNumber(dialled)?.refused, 'notE164', dialled);
    for (const number of ['+441189876543', '+4611850012', '+35311850012', '+98118118', '+448001112223'])
      assert.equal(refuseNumber(number), undefined, number);
  });

  it('contains codes that every exchange knows after any one or two digits, in any spelling', () => {
    for (const code of wellKnownCodes) {
      for (let access = 0; access < 100; access++)
        for (const before of [String(access), String(access).padStart(2, '0')])
          assert.equal(isEmergency(before + code), true, before + code);
      assert.equal(isKnownEmergency(`room${code}`), true);
    }
    for (const dialled of listed(`
      1911 | 91911 | 911#2 | 112!5 | 9-1-1 | 9 1 1 | (9)11 | 9*1*1 | 9w112 | 9,,112 | *67911 | *679911 | *31#112 |
      #31#112 | 911* | ９１１ | ٩١١ | ९११ | ¹¹² | 1\u200b1\u200b2 | 1‐1‐2 | 9!112 | 112&5 | 112=1
    `)) {
      assert.equal(isEmergency(dialled), true, dialled);
    }
    for (const name of ['agent104', 'ivr2', 'sales', '']) assert.equal(isKnownEmergency(name), false, name);
  });

  it('reads the digits of every script', () => {
    const digits = Array.from({ length: 0x1ffff }, (_, point) => point).filter((point) =>
      /^\p{Nd}$/u.test(String.fromCodePoint(point)),
    );
    assert.ok(digits.length > 600);
    // Ten are consecutive in every script, so the position in the row is the digit.
    for (let row = 0; row < digits.length; row += 10) {
      const text = (digit: number): string => String.fromCodePoint(digits[row + digit]!);
      assert.equal(isEmergency(text(9) + text(1) + text(1)), true, text(9));
      assert.equal(isEmergency(text(6) + text(0) + text(5)), false, text(6));
    }
  });

  it('contains crisis lines that have a full number, even with an extra digit', () => {
    for (const { number, service } of crisisLines) {
      assert.match(number, /^\+[1-9]\d{6,14}$/, service);
      for (const dialled of [number, number.slice(1)])
        assert.equal(refuseNumber(dialled)?.refused, 'emergency', service);
    }
    assert.equal(new Set(crisisLines.map(({ number }) => number)).size, crisisLines.length);
    for (const dialled of ['+18002738255', '+498001110111', '+1-800-273-8255', '+180027382551'])
      assert.equal(refuseNumber(dialled)?.refused, 'emergency', dialled);
  });

  it('contains premium numbers of every territory that has some', () => {
    const territories = numberExamples('PREMIUM_RATE');
    assert.ok(territories.size >= 149, String(territories.size));
    for (const [country, numbers] of territories) {
      const known = numbers.filter((number) => parsePhoneNumberFromString(number)?.getType() === 'PREMIUM_RATE');
      assert.ok(known.length > 0, country);
      for (const number of known) assert.ok(refuseNumber(number) !== undefined, `${country} ${number}`);
    }
  });

  it('allows landlines and mobiles of every territory', () => {
    for (const type of ['FIXED_LINE', 'MOBILE'] as const) {
      const territories = numberExamples(type);
      let checked = 0;
      for (const [country, numbers] of territories) {
        const known = numbers.filter(
          (number) =>
            ['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(
              parsePhoneNumberFromString(number)?.getType() ?? '',
            ) && /^\+\d{7,15}$/.test(number),
        );
        for (const number of known) assert.equal(refuseNumber(number), undefined, `${country} ${number}`);
        if (known.length > 0) checked += 1;
      }
      assert.ok(checked > 230, `${type}: ${String(checked)}`);
    }
  });

  for (const [kind, numbers] of Object.entries({
    premium: listed(`
      +19005550000 +19001234567 +19765550000 +12029765555 +449012345678 +448712345678 +447012345678 +499001234567
      +49900123456 +499001234567890 +491371234567 +33899123456 +34905123456 +97912345678 +979123456789
    `),
    satellite: ['+881612345678', '+882161234567', '+883510001234567', '+870773123456', '+878101234567'],
    notE164: listed(`
       | 2025550123 | +0123456789 | +1202555012345678 | 0012025550123 | +1-202-555-0123 | sip:a@b |
      +12025550123;ext=1 | +1202555\r\n0123
    `),
  }))
    it(`contains ${kind}`, () => {
      for (const number of numbers) {
        const refusal = refuseNumber(number);
        assert.equal(refusal?.refused, kind, number);
        assert.match(refusal.message, /(?:Choose|Write) /);
      }
    });

  it('contains expensive short codes, and national forms', () => {
    for (const [code, refused] of [
      ['11833', 'premium'],
      ['0900', 'premium'],
      ['0190123', 'premium'],
      ['030123', 'notE164'],
      ['600', undefined],
      ['*43', undefined],
    ] as const)
      assert.equal(refuseShortCode(code)?.refused, refused, code);
  });

  it('knows the numbers reserved for fiction', () =>
    assert.deepEqual(['+12025550100', '+12025550199', '+12025550200', '+442025550100'].map(isFiction), [
      true,
      true,
      false,
      false,
    ]));
});
