import * as z from 'zod';
import type { L10n } from '../basics/localise.ts';

/**
 * What the refusal of a call without consent tells: what is to be confirmed, and where on this machine no practice IVR
 * of Dialtree answers.
 */
const detailsSchema = z.object({ phoneNumber: z.string(), place: z.string().optional() });

/** What the service records that a person has said. */
export const consentStatement = 'I may test this number';

/** The number or address that a person has to confirm, as the refusal names it. */
export const consentTarget = (details: unknown): string | undefined =>
  detailsSchema.safeParse(details).data?.phoneNumber;

/** What a person reads before they confirm it: paragraphs. */
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
