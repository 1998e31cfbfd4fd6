import * as z from 'zod';
import { linePlaceSchema, lineSchema, lineSipAddressSchema, lineStateSchema } from '../../contract/lines.ts';
import type { Line, LineKind } from '../../contract/lines.ts';
import { addressOf, overTransport } from '../../model/calls/linePlan.ts';
import { askFields, withMember, type DraftField } from '../basics/dialogs/askFields.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';
import { readLineAddress } from './lineAddress.ts';
import { lineShape, type LineDraft } from './lineDraft.ts';
import { lineName, lineNumbers, optionsOf, type LineFormParts } from './lineOptions.ts';
import { kindWord } from './lineRows.ts';

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

/**
 * Asks for what a line needs, one question per step. A button of each question opens the options. Returns undefined if
 * the user cancels.
 */
export async function askLine(parts: LineFormParts, before?: LineBefore): Promise<LineAnswers | undefined> {
  const { l10n } = parts;
  const title = before ? l10n.t('Edit Line {0}', before.name) : l10n.t('Add Line');
  const draft = await askFields<LineDraft>(
    { ...parts, title },
    (now) => fieldsOf(now, parts, before),
    before ? draftOf(before) : {},
    {
      table: (now) => optionsOf(now, parts),
      last: before?.showsOptions === true ? l10n.t('Save and Check') : undefined,
    },
  );
  if (!draft) return undefined;
  const { name: _name, address, password, ...members } = withoutMisfits(draft);
  const line = lineSchema.parse({
    ...members,
    numbers: lineNumbers(draft),
    ...(draft.kind === 'uri' ? { uri: address } : { host: address }),
  });
  return { name: lineName(draft, parts.taken), line, password };
}

/** Answers that came first can make an option impossible. */
function withoutMisfits(draft: LineDraft): LineDraft {
  const { kind, user, transport } = draft;
  const fitting = kind === 'uri' || user === undefined ? withMember(draft, 'register', undefined) : draft;
  return transport === 'tls' ? fitting : withMember(fitting, 'clientCertificate', undefined);
}

function draftOf({ name, line }: LineBefore): LineDraft {
  const { host: _host, uri: _uri, ...members }: Line & { readonly host?: string; readonly uri?: string } = line;
  return { ...members, name, address: addressOf(line) };
}

function fieldsOf(
  draft: LineDraft,
  { l10n }: LineFormParts,
  before: LineBefore | undefined,
): readonly DraftField<LineDraft>[] {
  const { user, register } = draft;
  const hasPassword = before?.hasPassword === true;
  return [
    {
      member: 'kind',
      schema: lineStateSchema.shape.kind,
      prompt: l10n.t('What do you want this line to connect to?'),
      choices: kindChoices(l10n),
      take: takeKind,
    },
    addressField(draft, l10n),
    {
      member: 'user',
      schema: lineShape.user,
      prompt:
        register === true
          ? l10n.t(
              'User name with which a phone registers, such as the number of the extension. Leave empty if the PBX takes calls without registration.',
            )
          : l10n.t("User name for the login. Leave empty if the line doesn't need a login."),
      advice: l10n.t("Don't use spaces, quotes, colons or angle brackets."),
    },
    {
      member: 'password',
      schema: hasPassword ? z.string().optional() : z.string().min(1),
      isAsked: user !== undefined,
      prompt: hasPassword
        ? l10n.t('New login password. Leave empty to keep the stored password.')
        : l10n.t("Login password for this line. Dialtree keeps it in the editor's secret storage."),
      advice: l10n.t('Enter the password. The line needs it to log in.'),
      password: true,
    },
  ];
}

function addressField({ kind, address, transport = 'udp' }: LineDraft, l10n: L10n): DraftField<LineDraft> {
  const place = {
    schema: linePlaceSchema,
    placeHolder: kind === 'trunk' ? 'trunk.example.com' : '10.0.0.5:5060',
    prompt: l10n.t(
      "Host name or IP address. Add the port if it isn't 5060, or 5061 for TLS. For TCP or TLS, add ;transport=tcp or ;transport=tls.",
    ),
    advice: l10n.t(
      'Enter a host name or an IP address, such as trunk.example.com, 10.0.0.5:5080 or trunk.example.com;transport=tls.',
    ),
  };
  const sipAddress = {
    schema: lineSipAddressSchema,
    placeHolder: 'sip:support@ivr.example.com',
    prompt: l10n.t('The SIP address to call. For TCP or TLS, add ;transport=tcp or ;transport=tls.'),
    advice: l10n.t('Enter one SIP address without a password, such as sip:support@ivr.example.com.'),
  };
  return {
    member: 'address',
    ...(kind === 'uri' ? sipAddress : place),
    text: address === undefined ? '' : overTransport(address, { transport }),
    read: (typed) => readLineAddress(typed, kind).address,
    take(now, typed) {
      const read = readLineAddress(typed, kind);
      // If the text says what it said before, the transport may have changed among the options meanwhile.
      const next = read.transport === transport ? now.transport : read.transport;
      return { ...withMember(now, 'transport', next === 'udp' ? undefined : next), address: read.address };
    },
  };
}

/** An office extension registers if it has a user. */
function takeKind(now: LineDraft, typed: string): LineDraft {
  if (typed === now.kind) return now;
  // A host isn't an address, so the text stays only where it still fits.
  const fitting = (now.kind === 'uri') === (typed === 'uri') ? now : withMember(now, 'address', undefined);
  return { ...withMember(fitting, 'register', typed === 'pbx' ? true : undefined), kind: typed as LineKind };
}

const kindChoices = (l10n: L10n): Choice<LineKind>[] => [
  {
    label: kindWord('pbx', l10n),
    detail: l10n.t('A phone number of a PBX, such as Asterisk, where Dialtree registers like a phone'),
    value: 'pbx',
  },
  {
    label: kindWord('trunk', l10n),
    detail: l10n.t('A provider that carries calls to telephone numbers'),
    value: 'trunk',
  },
  { label: kindWord('uri', l10n), detail: l10n.t('A single IVR that answers SIP calls'), value: 'uri' },
];
