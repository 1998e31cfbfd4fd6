import * as z from 'zod';
import type { L10n } from '../basics/localise.ts';

/**
 * What the refusal of a call without consent contains: what to confirm, and its place on this machine if no practice
 * IVR of Dialtree answers there.
 */
const detailsSchema = z.object({ phoneNumber: z.string(), place: z.string().optional() });

export const consentStatement = 'I may test this number';

/** The number or address that the user must confirm, as the refusal names it. */
export const consentTarget = (details: unknown): string | undefined =>
  detailsSchema.safeParse(details).data?.phoneNumber;

/** The question to the user, in paragraphs. */
export function consentWords(details: unknown, l10n: L10n): readonly string[] {
  const place = detailsSchema.safeParse(details).data?.place;
  return [
    ...(place === undefined
      ? []
      : [
          l10n.t(
            'No Dialtree practice IVR is running at {0}. If you want to call a practice IVR, cancel, start the practice IVR, and then try again.',
            place,
          ),
        ]),
    l10n.t(
      'Call only numbers that are yours, or whose owner has agreed to the test. The calls may cost money. Dialtree remembers your answer for this number.',
    ),
  ];
}
