const digitsOf = (value: number): string => String(Math.round(value));

/**
 * Returns true if recognition can confuse the two: thirteen and thirty, one digit of the same position, or a figure
 * whose first words were lost.
 */
export function isMishearing(a: number, b: number): boolean {
  const [one, two] = [digitsOf(a), digitsOf(b)];
  const teens = (low: number, high: number): boolean => low > 12 && low < 20 && high === (low % 10) * 10;
  if (teens(a, b) || teens(b, a) || teens(a / 100, b / 100) || teens(b / 100, a / 100)) return true;
  return (
    one.length === two.length && one.length > 1 && [...one].filter((digit, index) => digit !== two[index]).length === 1
  );
}
