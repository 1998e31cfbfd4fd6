import { linePlaceSchema, lineSchema, lineSipAddressSchema, lineUserSchema } from '../../contract/lines.ts';
import type { Line, LineKind } from '../../contract/lines.ts';
import { addressOf, overTransport } from '../../model/calls/linePlan.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import { back, runForm, type FormStep } from '../basics/dialogs/stepDialogs.ts';
import { choiceStep, textStep } from '../basics/dialogs/textSteps.ts';
import type { L10n } from '../basics/localise.ts';
import { readLineAddress } from './lineAddress.ts';
import {
  askLineOptions,
  askNumbers,
  fits,
  lineName,
  lineNumbers,
  numbersProblem,
  withTransport,
} from './lineOptions.ts';
import type { HeldOptions, LineOptionParts } from './lineOptions.ts';

export interface LineAnswers {
  readonly name: string;
  readonly line: Line;
  /** Undefined means unchanged. */
  readonly password: string | undefined;
}

/** The previous values; absent for a new line. */
export interface LineBefore {
  readonly name: string;
  readonly line: Line;
  readonly hasPassword: boolean;
  /** Shows the options after the questions, without the user opening them. */
  readonly showsOptions?: boolean;
}

interface Draft {
  readonly kind?: LineKind;
  readonly address?: string;
  readonly user?: string;
  readonly password?: string;
}

/**
 * Asks for what a line needs, one question per step. A button of each question opens the options. Returns undefined if
 * the user cancels.
 */
export async function askLine(
  form: Omit<LineOptionParts, 'title'>,
  before?: LineBefore,
): Promise<LineAnswers | undefined> {
  const { l10n } = form;
  const title = before ? l10n.t('Edit Line {0}', before.name) : l10n.t('Add Line');
  const parts = { ...form, title };
  const [start, options] = before ? partsOf(before) : [{}, {}];
  const held: HeldOptions = { options };
  const draft = await runForm<Draft>(stepsOf(parts, held, before), start, (known) => ({
    title: l10n.t('More options…'),
    open: async () => {
      await askLineOptions(parts, held, known, l10n.t('Done'));
    },
  }));
  if (!draft) return undefined;
  const { address, password, ...needs } = draft;
  const { name: _name, ...members } = held.options;
  const line = lineSchema.parse({
    ...members,
    ...needs,
    numbers: lineNumbers(held.options, draft),
    ...(draft.kind === 'uri' ? { uri: address } : { host: address }),
  });
  return { name: lineName(held.options, draft, form.taken), line, password };
}

function partsOf({ name, line }: LineBefore): [Draft, HeldOptions['options']] {
  const {
    host: _host,
    uri: _uri,
    kind,
    user,
    ...options
  }: Line & { readonly host?: string; readonly uri?: string } = line;
  return [
    { kind, address: addressOf(line), ...(user !== undefined && { user }) },
    { ...options, name },
  ];
}

function stepsOf(parts: LineOptionParts, held: HeldOptions, before: LineBefore | undefined): FormStep<Draft>[] {
  const { l10n, others } = parts;
  const askAddress = textStep<Draft, 'address'>(parts, 'address', ({ kind, address = '' }) => {
    const [schema, placeHolder, prompt, advice] =
      kind === 'uri'
        ? [
            lineSipAddressSchema,
            'sip:support@ivr.example.com',
            l10n.t('The SIP address to call. For TCP or TLS, add ;transport=tcp or ;transport=tls.'),
            l10n.t('Enter one SIP address without a password, such as sip:support@ivr.example.com.'),
          ]
        : [
            linePlaceSchema,
            kind === 'trunk' ? 'trunk.example.com' : '10.0.0.5:5060',
            l10n.t(
              "Host name or IP address. Add the port if it isn't 5060, or 5061 for TLS. For TCP or TLS, add ;transport=tcp or ;transport=tls.",
            ),
            l10n.t(
              'Enter a host name or an IP address, such as trunk.example.com, 10.0.0.5:5080 or trunk.example.com;transport=tls.',
            ),
          ];
    return {
      prompt,
      placeHolder,
      value: address === '' ? '' : overTransport(address, held.options),
      check: (typed) => (fits(schema, readLineAddress(typed, kind).address) ? undefined : advice),
    };
  });

  return [
    {
      ask: choiceStep<Draft, LineKind>(
        parts,
        l10n.t('What do you want this line to connect to?'),
        ({ kind }) => ({ choices: kindChoices(l10n), chosen: kind }),
        (draft, kind) => (kind === draft.kind ? draft : withoutAddress({ ...draft, kind }, draft.kind)),
      ),
    },
    {
      async ask(draft, place) {
        const { transport: shown = 'udp' } = held.options;
        const answer = await askAddress(draft, place);
        if (answer === undefined || answer === back) return answer;
        const { address, transport } = readLineAddress(answer.address ?? '', answer.kind);
        // If the text says what it said before, the transport may have changed among the options meanwhile.
        if (transport !== shown) held.options = withTransport(held.options, transport);
        return { ...answer, address };
      },
    },
    {
      ask: textStep<Draft, 'user'>(parts, 'user', ({ user = '' }) => ({
        prompt: l10n.t("User name for the login. Leave empty if the line doesn't need a login."),
        value: user,
        optional: true,
        check: (typed) =>
          fits(lineUserSchema, typed) ? undefined : l10n.t("Don't use spaces, quotes, colons or angle brackets."),
      })),
    },
    {
      isAsked: ({ user }) => user !== undefined,
      ask: textStep<Draft, 'password'>(parts, 'password', ({ password = '' }) => ({
        prompt:
          before?.hasPassword === true
            ? l10n.t('New login password. Leave empty to keep the stored password.')
            : l10n.t("Login password for this line. Dialtree keeps it in the editor's secret storage."),
        value: password,
        password: true,
        optional: before?.hasPassword === true,
        check: (typed) => (typed === '' ? l10n.t('Enter the password. The line needs it to log in.') : undefined),
      })),
    },
    {
      // The usual numbers of a trunk can belong to another line.
      isAsked: (draft) =>
        draft.kind === 'trunk' && numbersProblem(lineNumbers(held.options, draft), others, l10n) !== undefined,
      async ask(draft, place) {
        const answer = await askNumbers(parts, draft)(held.options, place);
        if (answer === undefined || answer === back) return answer;
        held.options = answer;
        return draft;
      },
    },
    {
      isAsked: () => before?.showsOptions === true,
      async ask(draft, { more: _more, ...place }) {
        const answer = await askLineOptions(parts, held, draft, l10n.t('Save and Check'), place);
        return answer === true ? draft : answer;
      },
    },
  ];
}

/** A host isn't an address, so typed values stay only where they still fit. */
function withoutAddress(draft: Draft, before: LineKind | undefined): Draft {
  if (before === undefined || (before === 'uri') === (draft.kind === 'uri')) return draft;
  const { address: _other, ...rest } = draft;
  return rest;
}

const kindChoices = (l10n: L10n): Choice<LineKind>[] => [
  {
    label: l10n.t('SIP trunk'),
    detail: l10n.t('A provider that carries calls to telephone numbers'),
    value: 'trunk',
  },
  {
    label: l10n.t('Lab PBX'),
    detail: l10n.t('Your own PBX with extensions, such as Asterisk or FreeSWITCH'),
    value: 'pbx',
  },
  { label: l10n.t('One SIP address'), detail: l10n.t('A single IVR that answers SIP calls'), value: 'uri' },
];
