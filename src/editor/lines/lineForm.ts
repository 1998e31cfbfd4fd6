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
import { back, runForm } from '../basics/dialogs/stepDialogs.ts';
import type { FormStep, StepDialogs } from '../basics/dialogs/stepDialogs.ts';
import { numberStep, textStep } from '../basics/dialogs/textSteps.ts';
import type { L10n } from '../basics/localise.ts';

export interface LineFormParts {
  readonly dialogs: StepDialogs;
  readonly l10n: L10n;
  /** The other lines: names and numbers of theirs are taken. */
  readonly others: Lines;
}

/** What the person typed. */
export interface LineAnswers {
  readonly name: string;
  readonly line: Line;
  /** Undefined: as it is. */
  readonly password: string | undefined;
}

/** What is there before: nothing of a new line. */
export interface LineBefore {
  readonly name: string;
  readonly line: Line;
  readonly hasPassword: boolean;
}

type Draft = Partial<
  Pick<
    Line,
    | 'kind'
    | 'transport'
    | 'user'
    | 'callerId'
    | 'callerIds'
    | 'numbers'
    | 'callsPerSecond'
    | 'concurrentCalls'
    | 'costPerMinute'
  >
> & { readonly name?: string; readonly address?: string; readonly password?: string };

/** Asks for all of a line, a question a step. Undefined where the person gives up. */
export async function askLine(parts: LineFormParts, before?: LineBefore): Promise<LineAnswers | undefined> {
  const draft = await runForm(
    stepsOf(parts, before),
    before ? { name: before.name, address: addressOf(before.line), ...before.line } : {},
  );
  if (!draft) return undefined;
  const {
    name = '',
    kind,
    address,
    transport,
    password,
    user,
    callerId,
    callerIds,
    numbers,
    callsPerSecond,
    concurrentCalls,
    costPerMinute,
  } = draft;
  const line = lineSchema.parse({
    kind,
    ...(kind === 'uri' ? { uri: address } : { host: address }),
    transport,
    numbers,
    user,
    callerId,
    callerIds,
    callsPerSecond,
    concurrentCalls,
    costPerMinute,
  });
  return { name, line: withoutGaps(line), password };
}

/** Settings show what is set. */
const withoutGaps = (line: Line): Line => JSON.parse(JSON.stringify(line)) as Line;

function stepsOf(parts: LineFormParts, before: LineBefore | undefined): FormStep<Draft>[] {
  const { dialogs, l10n, others } = parts;
  const title = before ? l10n.t('Edit Line {0}', before.name) : l10n.t('Add Line');
  const kinds = kindChoices(l10n);
  const boxes = { dialogs, l10n, title };

  return [
    {
      async ask(draft, place) {
        const kind = await dialogs.pick(kinds, {
          title,
          placeHolder: l10n.t('How do calls leave?'),
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
              prompt: l10n.t('The SIP address that is called'),
              placeHolder: 'sip:support@ivr.example.com',
              value: address,
              check: (typed) =>
                fits(lineSipAddressSchema, typed)
                  ? undefined
                  : l10n.t(
                      'Give one SIP address without a password or parameters, such as sip:support@ivr.example.com.',
                    ),
              take: (typed) => typed,
            }
          : {
              prompt: l10n.t('Host or address, with a port where it is not 5060, or 5061 over TLS'),
              placeHolder: kind === 'trunk' ? 'trunk.example.com' : '10.0.0.5:5060',
              value: address,
              check: (typed) =>
                fits(linePlaceSchema, typed)
                  ? undefined
                  : l10n.t('Give a host or an address, such as trunk.example.com or 10.0.0.5:5080.'),
              take: (typed) => typed,
            },
      ),
    },
    {
      async ask(draft, place) {
        const transport = await dialogs.pick(transportChoices(l10n), {
          title,
          placeHolder: l10n.t('What does SIP go over there?'),
          chosen: draft.transport ?? 'udp',
          ...place,
        });
        if (transport === undefined || transport === back) return transport;
        const { transport: _before, ...rest } = draft;
        return transport === 'udp' ? rest : { ...rest, transport };
      },
    },
    {
      ask: textStep<Draft, 'name'>(boxes, 'name', ({ name, kind, address = '' }) => ({
        prompt: l10n.t('A name for this line'),
        value: name ?? freeName(kind ?? 'pbx', address, others),
        take: (typed) => typed,
        check: (typed) =>
          !fits(lineNameSchema, typed)
            ? l10n.t('A name has lower-case letters, digits and single hyphens, such as main-trunk.')
            : Object.hasOwn(others, typed)
              ? l10n.t('There is a line {0} already.', typed)
              : undefined,
      })),
    },
    {
      ask: textStep<Draft, 'user'>(boxes, 'user', ({ user = '' }) => ({
        prompt: l10n.t('User for the login, empty where the far side asks for none'),
        value: user,
        optional: true,
        take: (typed) => typed,
        check: (typed) =>
          fits(lineUserSchema, typed) ? undefined : l10n.t('A user has no spaces, quotes, colons or angle brackets.'),
      })),
    },
    {
      isAsked: ({ user }) => user !== undefined,
      ask: textStep<Draft, 'password'>(boxes, 'password', () => ({
        prompt:
          before?.hasPassword === true
            ? l10n.t('Another password for the login; empty keeps the one that is stored.')
            : l10n.t('The password for the login. It is kept in the secret storage of the editor.'),
        password: true,
        optional: before?.hasPassword === true,
        take: (typed) => typed,
        check: (typed) => (typed === '' ? l10n.t('The line logs in: it needs its password.') : undefined),
      })),
    },
    {
      ask: textStep<Draft, 'callerId'>(boxes, 'callerId', ({ callerId = '' }) => ({
        prompt: l10n.t('Number or extension that calls come from, empty where the far side sets it'),
        placeHolder: '+12025550100',
        value: callerId,
        optional: true,
        take: (typed) => typed,
        check: (typed) =>
          fits(lineCallerIdSchema, typed)
            ? undefined
            : l10n.t('Give a number such as +12025550100, or an extension such as 600.'),
      })),
    },
    {
      isAsked: ({ callerId }) => callerId !== undefined,
      ask: textStep<Draft, 'callerIds'>(boxes, 'callerIds', ({ callerIds = [] }) => ({
        prompt: l10n.t('Other numbers of yours that profiles may call from, empty for none'),
        placeHolder: '+12025550111, 601',
        value: callerIds.join(', '),
        optional: true,
        take: (typed) => listed(typed),
        check: (typed) =>
          listed(typed).every((one) => fits(lineCallerIdSchema, one))
            ? undefined
            : l10n.t('Give a number such as +12025550100, or an extension such as 600.'),
      })),
    },
    {
      ask: textStep<Draft, 'numbers'>(boxes, 'numbers', ({ kind, numbers }) => ({
        prompt:
          kind === 'trunk'
            ? l10n.t('Numbers and prefixes that are called over this line; +* is all of them')
            : l10n.t('Numbers that are called over this line, empty for none: it can be called by its address'),
        placeHolder: '+1*, +49*',
        value: (numbers ?? (kind === 'trunk' ? ['+*'] : [])).join(', '),
        optional: kind !== 'trunk',
        take: (typed) => listed(typed),
        check: (typed) => numbersProblem(listed(typed), others, l10n),
      })),
    },
    numberStep<Draft>(
      boxes,
      'callsPerSecond',
      l10n.t('Calls begun a second at most, as the far side permits; empty for no bound'),
      '1',
      limits.lines.callsPerSecond,
      false,
    ),
    numberStep<Draft>(
      boxes,
      'concurrentCalls',
      l10n.t('Calls at once at most, as the far side permits; empty for no bound'),
      '10',
      limits.lines.concurrentCalls,
      true,
    ),
    numberStep<Draft>(
      boxes,
      'costPerMinute',
      l10n.t('What a minute costs, for plans and budgets; empty where it is not known'),
      '0.01',
      limits.costPerMinute,
      false,
    ),
  ];
}

const fits = (schema: z.ZodType, value: string): boolean => schema.safeParse(value).success;
const listed = (typed: string): string[] => [...new Set(typed.split(/[\s,;]+/).filter((part) => part !== ''))];

/** A host is no address: what was typed stays where it still may fit. */
function withoutAddress(draft: Draft, before: LineKind | undefined): Draft {
  if (before === undefined || (before === 'uri') === (draft.kind === 'uri')) return draft;
  const { address: _other, ...rest } = draft;
  return rest;
}

function numbersProblem(numbers: readonly string[], others: Lines, l10n: L10n): string | undefined {
  if (numbers.length === 0) return l10n.t('A trunk serves at least one number or prefix; +* is all of them.');
  if (numbers.length > limits.lines.numbers)
    return l10n.t('A line serves {0} numbers and prefixes at most.', limits.lines.numbers);
  for (const number of numbers) {
    if (!fits(dialKeySchema, number))
      return l10n.t('{0} is neither a number such as +12025550100 nor a prefix such as +49*.', number);
    const other = Object.entries(others).find(([, line]) => line.numbers.includes(number));
    if (other) return l10n.t('{0} is served by {1} already.', number, other[0]);
  }
  return undefined;
}

/** A name out of the address, that no other line has. */
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
  { label: 'UDP', detail: l10n.t('What most trunks and exchanges take'), value: 'udp' as const },
  {
    label: 'TCP',
    detail: l10n.t('One connection for all calls, where UDP does not come through'),
    value: 'tcp' as const,
  },
  {
    label: 'TLS',
    detail: l10n.t('As TCP, encrypted, with a certificate that is checked. The sound is not encrypted by it.'),
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
    detail: l10n.t('An exchange of your own, such as Asterisk or FreeSWITCH, with extensions'),
    value: 'pbx' as const,
  },
  { label: l10n.t('One SIP address'), detail: l10n.t('A single IVR that answers SIP calls'), value: 'uri' as const },
];
