import * as z from 'zod';
import { dialKeySchema } from '../../contract/dialPlan.ts';
import { limits } from '../../contract/limits.ts';
import {
  lineCallerIdSchema,
  lineNameSchema,
  linePlaceSchema,
  lineSchema,
  lineSipAddressSchema,
  lineUserSchema,
} from '../../contract/lines.ts';
import type { Line, LineKind, Lines } from '../../contract/lines.ts';
import { addressOf } from '../../model/calls/linePlan.ts';
import { back, runForm, type FormStep, type StepDialogs } from '../basics/dialogs/stepDialogs.ts';
import { numberStep, textStep } from '../basics/dialogs/textSteps.ts';
import type { L10n } from '../basics/localise.ts';

interface LineFormParts {
  readonly dialogs: StepDialogs;
  readonly l10n: L10n;
  /** The other lines, whose names and numbers are taken. */
  readonly others: Lines;
}

export interface LineAnswers {
  readonly name: string;
  readonly line: Line;
  /** Undefined means unchanged. */
  readonly password: string | undefined;
}

/** The previous values; empty for a new line. */
export interface LineBefore {
  readonly name: string;
  readonly line: Line;
  readonly hasPassword: boolean;
}

type Draft = Partial<Omit<Line, 'host' | 'uri'>> & {
  readonly name?: string;
  readonly address?: string;
  readonly password?: string;
  /** The user wants to see the options, too. */
  readonly more?: boolean;
};

/**
 * Asks for what a line needs, one question per step, and on request for its options. Returns undefined if the user
 * cancels.
 */
export async function askLine(parts: LineFormParts, before?: LineBefore): Promise<LineAnswers | undefined> {
  const {
    host: _host,
    uri: _uri,
    ...kept
  }: Draft & { readonly host?: string; readonly uri?: string } = before?.line ?? {};
  const draft = await runForm<Draft>(
    stepsOf(parts, before),
    before ? { ...kept, name: before.name, address: addressOf(before.line) } : {},
  );
  if (!draft) return undefined;
  const { name: _name, address, password, more: _more, ...members } = draft;
  const line = lineSchema.parse({
    ...members,
    numbers: numbersOf(draft),
    ...(draft.kind === 'uri' ? { uri: address } : { host: address }),
  });
  return { name: nameOf(draft, parts.others), line: withoutGaps(line), password };
}

/** Removes undefined properties, because settings show everything that is set. */
const withoutGaps = (line: Line): Line => JSON.parse(JSON.stringify(line)) as Line;

function stepsOf(parts: LineFormParts, before: LineBefore | undefined): FormStep<Draft>[] {
  const { dialogs, l10n, others } = parts;
  const title = before ? l10n.t('Edit Line {0}', before.name) : l10n.t('Add Line');
  const kinds = kindChoices(l10n);
  const boxes = { dialogs, l10n, title };
  const problemOf = (numbers: readonly string[]): string | undefined => numbersProblem(numbers, others, l10n);

  return [
    {
      async ask(draft, place) {
        const kind = await dialogs.pick(kinds, {
          title,
          placeHolder: l10n.t('What do you want this line to connect to?'),
          chosen: draft.kind,
          ...place,
        });
        if (kind === undefined || kind === back) return kind;
        return kind === draft.kind ? draft : withoutAddress({ ...draft, kind }, draft.kind);
      },
    },
    {
      ask: textStep<Draft, 'address'>(boxes, 'address', ({ kind, address = '' }) =>
        kind === 'uri'
          ? {
              prompt: l10n.t('The SIP address to call'),
              placeHolder: 'sip:support@ivr.example.com',
              value: address,
              check: (typed) =>
                fits(lineSipAddressSchema, typed)
                  ? undefined
                  : l10n.t(
                      'Enter one SIP address without a password or parameters, such as sip:support@ivr.example.com.',
                    ),
              take: (typed) => typed,
            }
          : {
              prompt: l10n.t(
                "Host name or IP address. Add the port if it isn't the default. The default port is 5060, or 5061 for TLS.",
              ),
              placeHolder: kind === 'trunk' ? 'trunk.example.com' : '10.0.0.5:5060',
              value: address,
              check: (typed) =>
                fits(linePlaceSchema, typed)
                  ? undefined
                  : l10n.t('Enter a host name or an IP address, such as trunk.example.com or 10.0.0.5:5080.'),
              take: (typed) => typed,
            },
      ),
    },
    {
      async ask(draft, place) {
        const transport = await dialogs.pick(transportChoices(l10n), {
          title,
          placeHolder: l10n.t('Which transport do you want to use for SIP?'),
          chosen: draft.transport ?? 'udp',
          ...place,
        });
        if (transport === undefined || transport === back) return transport;
        const { transport: _before, ...rest } = draft;
        return transport === 'udp' ? rest : { ...rest, transport };
      },
    },
    {
      ask: textStep<Draft, 'user'>(boxes, 'user', ({ user = '' }) => ({
        prompt: l10n.t("User name for the login. Leave empty if the line doesn't need a login."),
        value: user,
        optional: true,
        take: (typed) => typed,
        check: (typed) =>
          fits(lineUserSchema, typed) ? undefined : l10n.t("Don't use spaces, quotes, colons or angle brackets."),
      })),
    },
    {
      ask: textStep<Draft, 'callerId'>(boxes, 'callerId', ({ callerId = '' }) => ({
        prompt: l10n.t(
          'Caller ID: the number or extension that calls come from. Leave empty if the trunk or PBX sets the caller ID.',
        ),
        placeHolder: '+12025550100',
        value: callerId,
        optional: true,
        take: (typed) => typed,
        check: (typed) =>
          fits(lineCallerIdSchema, typed)
            ? undefined
            : l10n.t('Enter a number such as +12025550100, or an extension such as 600.'),
      })),
    },
    {
      isAsked: ({ user }) => user !== undefined,
      ask: textStep<Draft, 'password'>(boxes, 'password', ({ password = '' }) => ({
        prompt:
          before?.hasPassword === true
            ? l10n.t('New login password. Leave empty to keep the stored password.')
            : l10n.t("Login password for this line. Dialtree keeps it in the editor's secret storage."),
        value: password,
        password: true,
        optional: before?.hasPassword === true,
        take: (typed) => typed,
        check: (typed) => (typed === '' ? l10n.t('Enter the password. The line needs it to log in.') : undefined),
      })),
    },
    {
      async ask(draft, place) {
        const more = await dialogs.pick(
          [
            { label: l10n.t('Save and Check'), description: nameOf(draft, others), value: false },
            {
              label: l10n.t('More options…'),
              detail: l10n.t('Name, other caller IDs, numbers, limits and cost'),
              value: true,
            },
          ],
          {
            title,
            placeHolder: l10n.t('Press Enter to save the line and check it.'),
            chosen: draft.more ?? false,
            ...place,
          },
        );
        return typeof more === 'boolean' ? { ...draft, more } : more;
      },
    },
    {
      isAsked: wantsMore,
      ask: textStep<Draft, 'name'>(boxes, 'name', (draft) => ({
        prompt: l10n.t('A name for this line'),
        value: nameOf(draft, others),
        take: (typed) => typed,
        check: (typed) =>
          !fits(lineNameSchema, typed)
            ? l10n.t('Use lower-case letters, digits and single hyphens, such as main-trunk.')
            : Object.hasOwn(others, typed)
              ? l10n.t('A line called {0} already exists. Choose another name.', typed)
              : undefined,
      })),
    },
    {
      isAsked: (draft) => wantsMore(draft) && draft.callerId !== undefined,
      ask: textStep<Draft, 'callerIds'>(boxes, 'callerIds', ({ callerIds = [] }) => ({
        prompt: l10n.t('Other numbers that profiles can use as the caller ID. Leave empty if you have none.'),
        placeHolder: '+12025550111, 601',
        value: callerIds.join(', '),
        optional: true,
        take: (typed) => listed(typed),
        check: (typed) =>
          listed(typed).every((one) => fits(lineCallerIdSchema, one))
            ? undefined
            : l10n.t('Enter a number such as +12025550100, or an extension such as 600.'),
      })),
    },
    {
      // The usual numbers of a trunk can belong to another line.
      isAsked: (draft) => wantsMore(draft) || (draft.kind === 'trunk' && problemOf(numbersOf(draft)) !== undefined),
      ask: textStep<Draft, 'numbers'>(boxes, 'numbers', (draft) => ({
        prompt:
          draft.kind === 'trunk'
            ? l10n.t('Numbers and prefixes to call over this line. +* means all numbers.')
            : l10n.t('Numbers to call over this line. Leave empty to call only the address of the line.'),
        placeHolder: '+1*, +49*',
        value: numbersOf(draft).join(', '),
        optional: draft.kind !== 'trunk',
        take: (typed) => listed(typed),
        check: (typed) => problemOf(listed(typed)),
      })),
    },
    ...[
      numberStep<Draft>(
        boxes,
        'callsPerSecond',
        l10n.t('Maximum calls per second that the trunk or PBX allows. Leave empty for no limit.'),
        '1',
        limits.lines.callsPerSecond,
        false,
      ),
      numberStep<Draft>(
        boxes,
        'concurrentCalls',
        l10n.t('Maximum simultaneous calls that the trunk or PBX allows. Leave empty for no limit.'),
        '10',
        limits.lines.concurrentCalls,
        true,
      ),
      numberStep<Draft>(
        boxes,
        'costPerMinute',
        l10n.t("Cost per minute, for plans and budgets. Leave empty if you don't know the cost."),
        '0.01',
        limits.costPerMinute,
        false,
      ),
    ].map((step) => ({ ...step, isAsked: wantsMore })),
  ];
}

const wantsMore = ({ more }: Draft): boolean => more === true;
const numbersOf = ({ numbers, kind }: Draft): readonly string[] => numbers ?? (kind === 'trunk' ? ['+*'] : []);
const nameOf = ({ name, kind = 'pbx', address = '' }: Draft, others: Lines): string =>
  name ?? freeName(kind, address, others);

const fits = (schema: z.ZodType, value: string): boolean => schema.safeParse(value).success;
const listed = (typed: string): string[] => [...new Set(typed.split(/[\s,;]+/).filter((part) => part !== ''))];

/** A host isn't an address, so typed values stay only where they still fit. */
function withoutAddress(draft: Draft, before: LineKind | undefined): Draft {
  if (before === undefined || (before === 'uri') === (draft.kind === 'uri')) return draft;
  const { address: _other, ...rest } = draft;
  return rest;
}

function numbersProblem(numbers: readonly string[], others: Lines, l10n: L10n): string | undefined {
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

/** Derives a name from the address that no other line has. */
function freeName(kind: LineKind, address: string, others: Lines): string {
  const host = address
    .replace(/^sips?:/i, '')
    .replace(/^[^@]*@/, '')
    .replace(/:\d+$/, '');
  const word = /^[\d.[\]:]+$/.test(host)
    ? ''
    : (host.split('.').at(-2) ?? host)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, '');
  const base = (word === '' ? kind : word).slice(0, limits.lines.name - 4);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${String(count)}`;
    if (!Object.hasOwn(others, name)) return name;
  }
}

const transportChoices = (l10n: L10n) => [
  { label: 'UDP', detail: l10n.t('Used by most trunks and PBXs'), value: 'udp' as const },
  {
    label: 'TCP',
    detail: l10n.t('One connection for all calls. Useful on networks that block UDP.'),
    value: 'tcp' as const,
  },
  {
    label: 'TLS',
    detail: l10n.t("Like TCP, but encrypted. Dialtree checks the certificate. TLS doesn't encrypt the audio."),
    value: 'tls' as const,
  },
];

const kindChoices = (l10n: L10n) => [
  {
    label: l10n.t('SIP trunk'),
    detail: l10n.t('A provider that carries calls to telephone numbers'),
    value: 'trunk' as const,
  },
  {
    label: l10n.t('Lab PBX'),
    detail: l10n.t('Your own PBX with extensions, such as Asterisk or FreeSWITCH'),
    value: 'pbx' as const,
  },
  { label: l10n.t('One SIP address'), detail: l10n.t('A single IVR that answers SIP calls'), value: 'uri' as const },
];
