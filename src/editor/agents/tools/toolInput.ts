import * as z from 'zod';
import { dialTargetSchema } from '../../../contract/common.ts';

export const phoneNumberInput = dialTargetSchema
  .optional()
  .describe(
    'Whom to call: an E.164 number such as +12025550101, or a SIP address such as sip:harbour-bank@127.0.0.1:40112',
  );
export const fileInput = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .describe('Path of the file in the workspace, such as tests/opening-hours.calltest.json');

export const exactlyOne =
  (names: readonly string[]) =>
  (input: Readonly<Record<string, unknown>>): boolean =>
    names.filter((name) => input[name] !== undefined).length === 1;
export const oneOf = (names: readonly string[]): string => `Give exactly one of ${names.join(', ')}.`;
