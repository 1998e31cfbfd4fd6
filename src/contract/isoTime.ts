/** A day (of a month, a year or a week), a whole month or week, a time of day and an offset. Separators are optional. */
const isoForm = new RegExp(
  String.raw`^(?<year>\d{4})(?:-(?<wholeMonth>\d\d)$|(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)|-?(?<dayOfYear>\d{3})|-?W(?<week>\d\d)(?:-?(?<weekday>[1-7])|$))` +
    String.raw`(?:[T ](?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d(?:[.,]\d+)?))?)?` +
    String.raw`(?:Z|(?<sign>[-+ ])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)?)?$`,
  'i',
);
const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/**
 * Reads a date or time of ISO 8601 and returns it in the form `2026-11-24T10:00:00.000Z`. A date means its first
 * moment. A time without an offset is UTC. A space before an offset is a plus sign that was decoded from a query.
 * Returns undefined for any other text.
 */
export function readIsoTime(text: string): string | undefined {
  const parts = isoForm.exec(text)?.groups;
  if (!parts) return undefined;
  const number = (part: string, absent = 0): number => Number(parts[part]?.replace(',', '.') ?? absent);
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const [offsetHour, offsetMinute] = [number('offsetHour'), number('offsetMinute')];
  const day = dayOf(parts['year'] ?? '', number, parts);
  const isTime = (hour < 24 || (hour === 24 && minute + second === 0)) && minute < 60 && second < 61;
  if (day === undefined || !isTime || offsetHour > 23 || offsetMinute > 59) return undefined;
  const offset = (offsetHour * 60 + offsetMinute) * (parts['sign'] === '-' ? -1 : 1);
  const time = new Date(day + (hour * 60 + minute - offset) * minuteMs + Math.floor(second * 1000));
  return /^(?!0000)\d{4}-/.test(time.toISOString()) ? time.toISOString() : undefined;
}

/** Returns the start of the day, or undefined if the calendar doesn't have it. */
function dayOf(
  year: string,
  number: (part: string, absent?: number) => number,
  parts: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const newYear = Date.parse(`${year}-01-01T00:00:00Z`);
  const isIn = (ms: number, start: string): boolean => new Date(ms).toISOString().startsWith(start);
  if (parts['week'] !== undefined) {
    // The first week contains 4 January, and a week belongs to the year of its Thursday.
    const fourth = newYear + 3 * dayMs;
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (number('week') - 1) * 7 * dayMs;
    return isIn(monday + 3 * dayMs, year) ? monday + (number('weekday', 1) - 1) * dayMs : undefined;
  }
  if (parts['dayOfYear'] !== undefined) {
    const day = newYear + (number('dayOfYear') - 1) * dayMs;
    return isIn(day, year) ? day : undefined;
  }
  const date = `${year}-${parts['month'] ?? parts['wholeMonth'] ?? ''}-${parts['day'] ?? '01'}`;
  const day = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(day) && isIn(day, date) ? day : undefined;
}
