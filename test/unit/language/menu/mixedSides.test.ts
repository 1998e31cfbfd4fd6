import assert from 'node:assert/strict';
import { LiveGuard } from '../../../../src/language/mission/liveGuard.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

const clear = [
  [
    'To cancel your order press one, two for opening hours, three for directions.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  ['For cancellations press one, two for opening hours.', '1 cancellations, 2 opening hours'],
  [
    'For store hours and directions press one, two for the pharmacy, three for the bakery, and zero for anything else.',
    '1 store hours and directions, 2 pharmacy, 3 bakery, 0 anything else',
  ],
  [
    'To close your account press 1, 2 to hear your balance, 3 to make a payment.',
    '1 close your account, 2 hear your balance, 3 make a payment',
  ],
  [
    'To close your account, press 1. 2 to hear your balance. 3 to make a payment.',
    '1 close your account, 2 hear your balance, 3 make a payment',
  ],
  [
    'If you want to cancel press 1, 2 if you want opening hours, 3 if you want directions.',
    '1 cancel, 2 opening hours, 3 directions',
  ],
  [
    'to cancel your order press one two for opening hours three for directions',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'to cancel your order press 1 2 for opening hours 3 for directions',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'To cancel your order dial one, dial two for opening hours, dial three for directions.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'For cancellations press 1, press 2 for opening hours, press 3 for directions.',
    '1 cancellations, 2 opening hours, 3 directions',
  ],
  [
    'for cancellations press 1 press 2 for opening hours press 3 for directions',
    '1 cancellations, 2 opening hours, 3 directions',
  ],
  ['To stop your service press one, zero for an operator.', '1 stop your service, 0 operator'],
  ['To stop your service press one, star to repeat.', '1 stop your service, * repeat'],
  ['For the night desk press nine, or zero for the operator.', '9 night desk, 0 operator'],
  ['To stop your service press one, or press zero for an operator.', '1 stop your service, 0 operator'],
  [
    'To close your account press one, two for opening hours or three for directions, star to repeat.',
    '1 close your account, 2 opening hours, 3 directions, * repeat',
  ],
  [
    'Cancel your order, one, two for opening hours, three for directions.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'To cancel your order press one, two opening hours, three directions.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'To end your policy push 1, 2 gets you opening hours, 3 gets you directions.',
    '1 end your policy, 2 opening hours, 3 directions',
  ],
  [
    'Press one to cancel your order, for opening hours press two, for directions press three.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'press one to cancel your order for opening hours press two for directions press three',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'Press 1 to cancel your order. For opening hours, press 2. Press 3 for directions.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'For opening hours, press 1. Press 2 to cancel your order. For directions, press 3.',
    '1 opening hours, 2 cancel your order, 3 directions',
  ],
  [
    'Press 1 for opening hours, 2 for directions, to cancel your order press 3.',
    '1 opening hours, 2 directions, 3 cancel your order',
  ],
  [
    'Press 1 for opening hours, 2 for directions, and to cancel your order, 3.',
    '1 opening hours, 2 directions, 3 cancel your order',
  ],
  ['Press 1 for opening hours, or to cancel your order press 2.', '1 opening hours, 2 cancel your order'],
  [
    'Press 1 for opening hours. To cancel your order, press 2, 3 for directions.',
    '1 opening hours, 2 cancel your order, 3 directions',
  ],
  [
    'For opening hours press 1, to cancel your order press 2, 3 for directions, 4 for billing.',
    '1 opening hours, 2 cancel your order, 3 directions, 4 billing',
  ],
  [
    'For opening hours press 1, press 2 to cancel your order, for directions press 3.',
    '1 opening hours, 2 cancel your order, 3 directions',
  ],
  [
    'To cancel your order press one, opening hours two, directions three.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  [
    'To cancel your order press one, for opening hours two, for directions three.',
    '1 cancel your order, 2 opening hours, 3 directions',
  ],
  ['press 1 for cancellations for opening hours press 2', '1 cancellations, 2 opening hours'],
  ['for cancellations press 1 for opening hours press 2', '1 cancellations, 2 opening hours'],
  ['Press 1 or 2 to hear your balance.', '1 hear your balance, 2 hear your balance'],
  ['Press 1, 2 or 3 to hear your balance.', '1 hear your balance, 2 hear your balance, 3 hear your balance'],
  ['For billing press 1 or 2.', '1 billing, 2 billing'],
  ['For billing press 1 or 2, for service press 3.', '1 billing, 2 billing, 3 service'],
  ['Press 1 for sales, press 2 or 3 for service.', '1 sales, 2 service, 3 service'],
  ['For ratings, press 1 to 4.', '1 ratings, 2 ratings, 3 ratings, 4 ratings'],
  ['to cancel your order press 1 2 4 opening hours 3 4 directions', ''],
  [
    'press one close your account two opening hours press three directions',
    '1 close your account, 2 opening hours, 3 directions',
  ],
] as const;

/** The words don't decide which label belongs to which key, or hide a key. */
const unclear = [
  'For opening hours 1, to cancel your order 2, press 3 for directions.',
  'to cancel your order press 1 to 4 opening hours 3 for directions',
  'to cancel your order press one to for opening hours three for directions',
  'To cancel your order press one and two for opening hours.',
  'To cancel your order press one or two for opening hours.',
  'To close your account press one or zero for an agent.',
  'Press 1 for opening hours, to cancel your order 2, 3 for directions.',
  'press 1 to cancel your order, opening hours 2, directions 3',
  'press 1 to cancel your order opening hours two directions three',
  'press 1 cancel your order opening hours press 2',
  'press 1 opening hours, cancel your order press 2, directions, press 3.',
  'press one cancel your order, or two opening hours.',
  'cancel your order press one to hear your balance',
  'cancel your order press one two hear your balance',
  'press one to cancel your order press two for the pharmacy or to make a payment three',
  'Press one for the pharmacy for opening hours press two to close your account press three or four to make a payment',
  'cancel your order, press 1, 2 make a payment, opening hours, 3, hear your balance press 4.',
  'billing press 1 2 close your account 3 cancel your order technical support press 4',
  'press 1 for directions or to close your account 2',
  'cancel your order press 1, press 2 make a payment, or the pharmacy press 3.',
  'to cancel your order press 1 2 opening hours press 3 directions',
] as const;

describe('prompts whose labels are on different sides of their keys', () => {
  for (const [text, expected] of clear)
    it(`reads "${text}"`, () => {
      const { options, unsure } = readMenu(text);
      assert.equal(options.map(({ key, label }) => `${key} ${label}`).join(', '), expected);
      assert.equal(unsure, undefined);
    });

  for (const text of unclear)
    it(`doubts the labels of "${text}"`, () => {
      const { options, unsure = [] } = readMenu(text);
      assert.ok(unsure.includes('labels'));
      const guard = new LiveGuard('Hear the opening hours, the directions and the balance.');
      guard.hear(text);
      assert.deepEqual(
        options.filter(({ key }) => guard.whyNotPress(key) === undefined),
        [],
      );
    });
});
