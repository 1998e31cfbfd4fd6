import assert from 'node:assert/strict';
import { startAt } from '../../../src/practice/server.ts';
import { ivrOf } from './sessionCall.ts';

const bye = { prompt: 'Goodbye.', end: 'hangup' };
const at = (time: string): Date => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(2025, 5, 3, hours, minutes, 30);
};
const startOf = (hours: object[], time: string): string =>
  startAt(
    ivrOf(
      { main: bye, closed: bye, lunch: bye },
      {
        hours: [
          ...hours,
          { from: '03:03', to: '03:04', start: 'closed' },
          { from: '03:04', to: '03:05', start: 'lunch' },
        ],
      },
    ),
    at(time),
  );

describe('opening hours', () => {
  const night = { from: '18:00', to: '08:00', start: 'closed' };
  const lunch = { from: '12:00', to: '13:00', start: 'lunch' };
  for (const [time, start] of [
    ['17:59', 'main'],
    ['18:00', 'closed'],
    ['23:59', 'closed'],
    ['00:00', 'closed'],
    ['07:59', 'closed'],
    ['08:00', 'main'],
    ['12:00', 'lunch'],
    ['12:59', 'lunch'],
    ['13:00', 'main'],
  ] as const) {
    it(`start a call at ${time} in ${start}`, () => assert.equal(startOf([night, lunch], time), start));
  }

  it('use the first of two ranges that cover a time', () => {
    assert.equal(startOf([lunch, { from: '09:00', to: '17:00', start: 'closed' }], '12:30'), 'lunch');
    assert.equal(startOf([{ from: '09:00', to: '17:00', start: 'closed' }, lunch], '12:30'), 'closed');
  });

  it('treat a range that ends where it begins as the whole day', () => {
    for (const time of ['00:00', '08:59', '09:00', '23:59'])
      assert.equal(startOf([{ from: '09:00', to: '09:00', start: 'closed' }], time), 'closed');
  });
});
