import type * as z from 'zod';
import { dialKeySchema } from '../../contract/dialPlan.ts';
import { limits } from '../../contract/limits.ts';
import { lineCallerIdSchema, lineNameSchema } from '../../contract/lines.ts';
import type { Line, LineKind, Lines, LineTransport } from '../../contract/lines.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import { back, type Back, type FormStep, type StepPlace } from '../basics/dialogs/stepDialogs.ts';
import { choiceStep, numberStep, textStep, withMember, type FormBoxes } from '../basics/dialogs/textSteps.ts';
import type { L10n } from '../basics/localise.ts';
import { freeLineName } from './lineAddress.ts';

/** What a line can do without. The form changes them in place, because each of its questions can open them. */
export interface HeldOptions {
  options: Partial<Omit<Line, 'kind' | 'host' | 'uri' | 'user'>> & { readonly name?: string };
}
type Options = HeldOptions['options'];

/** What the form knows of the line so far. */
interface LineNeeds {
  readonly kind?: LineKind;
  readonly address?: string;
}

export interface LineOptionParts extends FormBoxes {
  /** The other lines, whose numbers are taken. */
  readonly others: Lines;
  /** Names that the line can't have. */
  readonly taken: readonly string[];
}

const aside: StepPlace = { canGoBack: true };

/** Shows the options with their values, and asks for those that the user chooses. Returns true at the choice `end`. */
export async function askLineOptions(
  parts: LineOptionParts,
  held: HeldOptions,
  needs: LineNeeds,
  end: string,
  place = aside,
): Promise<true | Back | undefined> {
  const { dialogs, l10n, title } = parts;
  for (;;) {
    const chosen = await dialogs.pick<FormStep<Options>['ask'] | true>(
      [
        { label: end, value: true },
        ...optionsOf(parts, held.options, needs).map(([label, shown, ask]) => ({
          label,
          description: String(shown ?? l10n.t('not set')),
          value: ask,
        })),
      ],
      { title, placeHolder: l10n.t('Which option do you want to change?'), chosen: true, ...place },
    );
    if (typeof chosen !== 'function') return chosen;
    const changed = await chosen(held.options, aside);
    if (changed !== undefined && changed !== back) held.options = changed;
  }
}

/** Each option with its value. */
function optionsOf(
  parts: LineOptionParts,
  options: Options,
  needs: LineNeeds,
): (readonly [label: string, shown: string | number | undefined, ask: FormStep<Options>['ask']])[] {
  const { l10n, taken } = parts;
  const {
    transport = 'udp',
    callerId,
    callerIds = [],
    callsPerSecond,
    concurrentCalls,
    ringSeconds,
    costPerMinute,
  } = options;
  const name = lineName(options, needs, taken);
  const aCallerId = l10n.t('Enter a number such as +12025550100, or an extension such as 600.');
  return [
    [
      l10n.t('Name'),
      name,
      textStep<Options, 'name'>(parts, 'name', () => ({
        prompt: l10n.t('A name for this line'),
        value: name,
        check: (typed) =>
          !fits(lineNameSchema, typed)
            ? l10n.t('Use lower-case letters, digits and single hyphens, such as main-trunk.')
            : taken.includes(typed)
              ? l10n.t('A line called {0} already exists. Choose another name.', typed)
              : undefined,
      })),
    ],
    [
      l10n.t('Transport'),
      transport.toUpperCase(),
      choiceStep<Options, LineTransport>(
        parts,
        l10n.t('Which transport do you want to use for SIP?'),
        () => ({ choices: transportChoices(l10n), chosen: transport }),
        withTransport,
      ),
    ],
    [
      l10n.t('Caller ID'),
      callerId,
      textStep<Options, 'callerId'>(parts, 'callerId', () => ({
        prompt: l10n.t(
          'Caller ID: the number or extension that calls come from. Leave empty if the trunk or PBX sets the caller ID.',
        ),
        placeHolder: '+12025550100',
        value: callerId ?? '',
        optional: true,
        check: (typed) => (fits(lineCallerIdSchema, typed) ? undefined : aCallerId),
      })),
    ],
    [
      l10n.t('Other caller IDs'),
      callerIds.length === 0 ? undefined : callerIds.join(', '),
      textStep<Options, 'callerIds'>(parts, 'callerIds', () => ({
        prompt: l10n.t('Other numbers that profiles can use as the caller ID. Leave empty if you have none.'),
        placeHolder: '+12025550111, 601',
        value: callerIds.join(', '),
        optional: true,
        take: listed,
        check: (typed) => (listed(typed).every((one) => fits(lineCallerIdSchema, one)) ? undefined : aCallerId),
      })),
    ],
    [l10n.t('Numbers'), lineNumbers(options, needs).join(', ') || undefined, askNumbers(parts, needs)],
    [
      l10n.t('Calls per second'),
      callsPerSecond,
      numberStep<Options>(
        parts,
        'callsPerSecond',
        l10n.t('Maximum calls per second that the trunk or PBX allows. Leave empty for no limit.'),
        '1',
        limits.lines.callsPerSecond,
        false,
      ).ask,
    ],
    [
      l10n.t('Simultaneous calls'),
      concurrentCalls,
      numberStep<Options>(
        parts,
        'concurrentCalls',
        l10n.t('Maximum simultaneous calls that the trunk or PBX allows. Leave empty for no limit.'),
        '10',
        limits.lines.concurrentCalls,
      ).ask,
    ],
    [
      l10n.t('Ringing time'),
      ringSeconds,
      numberStep<Options>(
        parts,
        'ringSeconds',
        l10n.t(
          'Seconds that a mapping lets a call ring before it gives up. Leave empty for {0} s.',
          limits.ringSeconds.default,
        ),
        String(limits.ringSeconds.default),
        limits.ringSeconds,
      ).ask,
    ],
    [
      l10n.t('Cost per minute'),
      costPerMinute,
      numberStep<Options>(
        parts,
        'costPerMinute',
        l10n.t("Cost per minute, for plans and budgets. Leave empty if you don't know the cost."),
        '0.01',
        limits.costPerMinute,
        false,
      ).ask,
    ],
  ];
}

export const askNumbers = ({ others, ...boxes }: LineOptionParts, needs: LineNeeds): FormStep<Options>['ask'] =>
  textStep<Options, 'numbers'>(boxes, 'numbers', (options) => ({
    prompt:
      needs.kind === 'trunk'
        ? boxes.l10n.t('Numbers and prefixes to call over this line. +* means all numbers.')
        : boxes.l10n.t('Numbers to call over this line. Leave empty to call only the address of the line.'),
    placeHolder: '+1*, +49*',
    value: lineNumbers(options, needs).join(', '),
    optional: needs.kind !== 'trunk',
    take: listed,
    check: (typed) => numbersProblem(listed(typed), others, boxes.l10n),
  }));

export const withTransport = (options: Options, transport: LineTransport): Options =>
  withMember(options, 'transport', transport === 'udp' ? undefined : transport);

/** A trunk serves all numbers unless the user limits it. */
export const lineNumbers = ({ numbers = [] }: Options, { kind }: LineNeeds): readonly string[] =>
  numbers.length === 0 && kind === 'trunk' ? ['+*'] : numbers;
export const lineName = ({ name }: Options, { kind = 'pbx', address = '' }: LineNeeds, taken: readonly string[]) =>
  name ?? freeLineName(kind, address, taken);

export const fits = (schema: z.ZodType, value: string): boolean => schema.safeParse(value).success;
const listed = (typed: string): string[] => [...new Set(typed.split(/[\s,;]+/).filter((part) => part !== ''))];

export function numbersProblem(numbers: readonly string[], others: Lines, l10n: L10n): string | undefined {
  if (numbers.length === 0) return l10n.t('Enter at least one number or prefix for a trunk. +* means all numbers.');
  if (numbers.length > limits.lines.numbers)
    return l10n.t('Enter up to {0} numbers and prefixes.', limits.lines.numbers);
  for (const number of numbers) {
    if (!fits(dialKeySchema, number))
      return l10n.t("{0} isn't a number such as +12025550100 or a prefix such as +49*.", number);
    const other = Object.entries(others).find(([, line]) => line.numbers.includes(number));
    if (other) return l10n.t('The line {1} already serves {0}. Enter another number or prefix.', number, other[0]);
  }
  return undefined;
}

const transportChoices = (l10n: L10n): Choice<LineTransport>[] => [
  { label: 'UDP', detail: l10n.t('Used by most trunks and PBXs'), value: 'udp' },
  {
    label: 'TCP',
    detail: l10n.t('One connection for all calls. Useful on networks that block UDP.'),
    value: 'tcp',
  },
  {
    label: 'TLS',
    detail: l10n.t("Like TCP, but encrypted. Dialtree checks the certificate. TLS doesn't encrypt the audio."),
    value: 'tls',
  },
];
