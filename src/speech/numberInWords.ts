const small = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Returns how a number in digits is spoken: up to 99 as a number, longer ones digit by digit. */
export function numberInWords(digits: string): readonly string[] {
  const value = Number(digits);
  if (digits.length > 2 || digits.startsWith('0')) return Array.from(digits, (digit) => small[Number(digit)] ?? digit);
  const whole = small[value];
  if (whole !== undefined) return [whole];
  const ones = value % 10;
  return [tens[Math.floor(value / 10)] ?? digits, ...(ones === 0 ? [] : [small[ones] ?? ''])];
}
