import { lineHeadersSchema } from '../../contract/lines.ts';
import { withMember, type Option } from '../basics/dialogs/askFields.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';
import { lineShape, type LineDraft } from './lineDraft.ts';

/** What some offices and carriers require of a line. */
export function carrierOptions(draft: LineDraft, l10n: L10n): readonly Option<LineDraft>[] {
  const place = l10n.t('Enter a host name or an IP address, with the port if needed, such as sbc.example.com:5070.');
  const options: readonly Option<LineDraft>[] = [
    {
      ...yesOrNo(draft, 'register', l10n),
      label: l10n.t('Registration'),
      prompt: l10n.t('Do you want to register the user at the host, as a phone does?'),
    },
    {
      ...oneOf(draft, 'srtp', srtpChoices(l10n)),
      label: l10n.t('Audio encryption'),
      prompt: l10n.t('When do you want to encrypt the audio (SRTP)?'),
    },
    {
      label: l10n.t('Outbound proxy'),
      member: 'outboundProxy',
      schema: lineShape.outboundProxy,
      prompt: l10n.t(
        'Host that all requests of this line are sent to. Leave empty to send them to the host of the line.',
      ),
      placeHolder: 'sbc.example.com',
      advice: place,
    },
    {
      label: l10n.t('Public address'),
      member: 'publicAddress',
      schema: lineShape.publicAddress,
      prompt: l10n.t('Address under which the called side reaches this machine behind NAT. Leave empty without NAT.'),
      placeHolder: '203.0.113.7',
      advice: l10n.t('Enter a host name or an IP address without a port.'),
    },
    {
      label: l10n.t('STUN server'),
      member: 'stunServer',
      schema: lineShape.stunServer,
      prompt: l10n.t('Server that reports the public address behind NAT. Leave empty if you entered the address.'),
      placeHolder: 'stun.example.com:3478',
      advice: place,
    },
    {
      label: l10n.t('Client certificate'),
      shown: certificateText(draft),
      member: 'clientCertificate',
      schema: lineShape.clientCertificate,
      prompt: l10n.t('PEM files with the certificate and its private key that the line shows over TLS.'),
      placeHolder: '/etc/dialtree/line.pem | /etc/dialtree/line.key',
      text: certificateText(draft),
      advice: l10n.t('Enter the paths of two files, with | between them.'),
      read: readCertificate,
    },
    {
      label: l10n.t('Display name'),
      member: 'displayName',
      schema: lineShape.displayName,
      prompt: l10n.t('Name of the caller that the called side sees.'),
      advice: l10n.t('Enter a name of up to 80 characters.'),
    },
    {
      ...yesOrNo(draft, 'privacy', l10n),
      label: l10n.t('Withhold caller ID'),
      prompt: l10n.t('Do you want the network to withhold the caller ID?'),
    },
    {
      label: l10n.t('Header fields'),
      shown: headersText(draft),
      member: 'headers',
      schema: lineShape.headers,
      prompt: l10n.t('Header fields of each call: X-…, User-to-User or Diversion. Put | between two of them.'),
      placeHolder: 'X-Tenant: 7 | User-to-User: 48656c6c6f;encoding=hex',
      text: headersText(draft),
      advice: l10n.t('Enter up to 16 header fields named X-…, User-to-User or Diversion, such as X-Tenant: 7.'),
      read: readHeaders,
    },
    {
      ...oneOf(draft, 'dtmf', keyChoices(l10n)),
      label: l10n.t('Keys'),
      prompt: l10n.t('How do you want this line to send keys?'),
    },
    {
      label: l10n.t('Length of a key'),
      member: 'keyToneMs',
      schema: lineShape.keyToneMs,
      prompt: l10n.t('Milliseconds that a key sounds. Leave empty to use the value of the profile.'),
      placeHolder: '100',
    },
    {
      label: l10n.t('Pause after a key'),
      member: 'keyGapMs',
      schema: lineShape.keyGapMs,
      prompt: l10n.t('Milliseconds of silence after each key. Leave empty to use the value of the profile.'),
      placeHolder: '100',
    },
    {
      label: l10n.t('Order'),
      member: 'priority',
      schema: lineShape.priority,
      prompt: l10n.t('Order among lines that serve the same number: the line with 0 is tried first.'),
      placeHolder: '0',
    },
  ];
  return options.filter((option) => !('member' in option) || fits(option.member, draft));
}

/** Only TLS asks for a certificate, and a single address has no registrar. */
const fits = (member: keyof LineDraft, { kind, transport }: LineDraft): boolean =>
  member === 'clientCertificate' ? transport === 'tls' : member !== 'register' || kind !== 'uri';

function yesOrNo(draft: LineDraft, member: 'register' | 'privacy', l10n: L10n) {
  const [yes, no] = [l10n.t('Yes'), l10n.t('No')];
  return {
    shown: draft[member] === true ? yes : no,
    member,
    schema: lineShape[member],
    choices: [
      { label: yes, value: 'yes' },
      { label: no, value: '' },
    ],
    text: draft[member] === true ? 'yes' : '',
    take: (now: LineDraft, typed: string): LineDraft => withMember(now, member, typed === 'yes' ? true : undefined),
  };
}

/** The default, which the settings leave out, has the value ''. */
const oneOf = (draft: LineDraft, member: 'srtp' | 'dtmf', choices: readonly Choice<string>[]) => ({
  shown: choices.find(({ value }) => value === (draft[member] ?? ''))?.label ?? '',
  member,
  schema: lineShape[member],
  choices,
});

const srtpChoices = (l10n: L10n): Choice<string>[] => [
  { label: l10n.t('Automatic'), detail: l10n.t('Over TLS, if the called side agrees'), value: '' },
  { label: l10n.t('Never'), value: 'off' },
  { label: l10n.t('If the called side agrees'), value: 'prefer' },
  { label: l10n.t('Always'), detail: l10n.t('Calls without encryption end'), value: 'require' },
];

const keyChoices = (l10n: L10n): Choice<string>[] => [
  { label: l10n.t('Automatic'), detail: l10n.t('As the called side agrees'), value: '' },
  { label: l10n.t('Telephone events'), detail: 'RFC 4733', value: 'rfc4733' },
  { label: l10n.t('Tones in the audio'), value: 'inband' },
  { label: 'INFO', detail: 'application/dtmf-relay', value: 'info' },
];

const separated = (typed: string): readonly string[] => typed.split('|').map((part) => part.trim());

const certificateText = ({ clientCertificate }: LineDraft): string =>
  clientCertificate === undefined ? '' : `${clientCertificate.cert} | ${clientCertificate.key}`;
function readCertificate(typed: string): LineDraft['clientCertificate'] {
  const [cert = '', key = '', ...more] = separated(typed);
  return cert === '' || key === '' || more.length > 0 ? undefined : { cert, key };
}

const headersText = ({ headers = {} }: LineDraft): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' | ');
/** Returns undefined unless each part is a header field that a line can send. */
function readHeaders(typed: string): LineDraft['headers'] {
  const fields = separated(typed).map((part) => /^([^\s:]+)\s*:\s*(.*)$/.exec(part)?.slice(1) ?? []);
  return lineHeadersSchema.safeParse(Object.fromEntries(fields)).data;
}
