/** The English names of months and weekdays, for all who read them. */
export const monthNames: readonly string[] = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** "May" is a verb too. */
export const clearMonthNames = monthNames.filter((name) => name !== 'may');

/** From Monday on. */
export const weekdayNames: readonly string[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];
