export interface Formats {
  /** Date and time of an ISO timestamp. */
  moment(iso: string): string;
  /** Only the time of day. */
  time(iso: string, seconds?: 'seconds'): string;
  number(value: number): string;
  /** Elapsed time, such as “2 min. ago”. */
  ago(milliseconds: number): string;
  /** Rounds up, so that the user never agrees to more than is shown. */
  money(amount: number, currency: string): string;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * @param language the editor's display language, such as `de`; a language that `Intl` doesn't know counts as the
 *   machine's own
 */
export function createFormats(language: string): Formats {
  // Listing the supported locales takes longer than everything else at the start of a window.
  let found: string | undefined;
  const locale = (): string | undefined => (found ??= Intl.NumberFormat.supportedLocalesOf(language)[0]);
  return {
    moment: (iso) => new Date(iso).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' }),
    time: (iso, seconds) =>
      new Date(iso).toLocaleTimeString(locale(), {
        hour: 'numeric',
        minute: '2-digit',
        ...(seconds && { second: '2-digit' }),
      }),
    number: (value) => value.toLocaleString(locale()),
    ago(milliseconds) {
      const format = new Intl.RelativeTimeFormat(locale(), { style: 'short', numeric: 'auto' });
      const unit = units.find(([, size]) => milliseconds >= size);
      return unit ? format.format(-Math.floor(milliseconds / unit[1]), unit[0]) : format.format(0, 'second');
    },
    money(amount, currency) {
      const format = new Intl.NumberFormat(locale(), { style: 'currency', currency });
      const unit = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
      // 0.29 * 100 is slightly more than 29.
      return format.format(Math.ceil(amount * unit - 1e-6) / unit);
    },
  };
}
