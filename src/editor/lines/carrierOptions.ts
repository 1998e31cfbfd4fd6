import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';
import type { LineDraft, LineOption } from './lineDraft.ts';

/** What some offices and carriers require of a line. */
export function carrierOptions({ clientCertificate, headers = {} }: LineDraft, l10n: L10n): readonly LineOption[] {
  const place = l10n.t('Enter a host name or an IP address, with the port if needed, such as sbc.example.com:5070.');
  return [
    {
      label: l10n.t('Registration'),
      member: 'register',
      prompt: l10n.t('Do you want to register the user at the host, as a phone does?'),
    },
    {
      label: l10n.t('Audio encryption'),
      member: 'srtp',
      prompt: l10n.t('When do you want to encrypt the audio (SRTP)?'),
      choices: srtpChoices(l10n),
    },
    {
      label: l10n.t('Outbound proxy'),
      member: 'outboundProxy',
      prompt: l10n.t(
        'Host that all requests of this line are sent to. Leave empty to send them to the host of the line.',
      ),
      placeHolder: 'sbc.example.com',
      advice: place,
    },
    {
      label: l10n.t('Public address'),
      member: 'publicAddress',
      prompt: l10n.t('Address under which the called side reaches this machine behind NAT. Leave empty without NAT.'),
      placeHolder: '203.0.113.7',
      advice: l10n.t('Enter a host name or an IP address without a port.'),
    },
    {
      label: l10n.t('STUN server'),
      member: 'stunServer',
      prompt: l10n.t('Server that reports the public address behind NAT. Leave empty if you entered the address.'),
      placeHolder: 'stun.example.com:3478',
      advice: place,
    },
    {
      label: l10n.t('Client certificate'),
      member: 'clientCertificate',
      prompt: l10n.t('PEM files with the certificate and its private key that the line shows over TLS.'),
      placeHolder: '/etc/dialtree/line.pem | /etc/dialtree/line.key',
      text: clientCertificate ? `${clientCertificate.cert} | ${clientCertificate.key}` : '',
      advice: l10n.t('Enter the paths of two files, with | between them.'),
      read: (typed) => /^(?<cert>[^|]*?)\s*\|\s*(?<key>[^|]*)$/.exec(typed)?.groups,
    },
    {
      label: l10n.t('Display name'),
      member: 'displayName',
      prompt: l10n.t('Name of the caller that the called side sees.'),
      advice: l10n.t('Enter a name of up to 80 characters.'),
    },
    {
      label: l10n.t('Withhold caller ID'),
      member: 'privacy',
      prompt: l10n.t('Do you want the network to withhold the caller ID?'),
    },
    {
      label: l10n.t('Header fields'),
      member: 'headers',
      prompt: l10n.t('Header fields of each call: X-…, User-to-User or Diversion. Put | between two of them.'),
      placeHolder: 'X-Tenant: 7 | User-to-User: 48656c6c6f;encoding=hex',
      text: Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join(' | '),
      advice: l10n.t('Enter up to 16 header fields named X-…, User-to-User or Diversion, such as X-Tenant: 7.'),
      read: readHeaders,
    },
    {
      label: l10n.t('Keys'),
      member: 'dtmf',
      prompt: l10n.t('How do you want this line to send keys?'),
      choices: keyChoices(l10n),
    },
    {
      label: l10n.t('Length of a key'),
      member: 'keyToneMs',
      prompt: l10n.t('Milliseconds that a key sounds. Leave empty to use the value of the profile.'),
      placeHolder: '100',
    },
    {
      label: l10n.t('Pause after a key'),
      member: 'keyGapMs',
      prompt: l10n.t('Milliseconds of silence after each key. Leave empty to use the value of the profile.'),
      placeHolder: '100',
    },
    {
      label: l10n.t('Order'),
      member: 'priority',
      prompt: l10n.t('Order among lines that serve the same number: the line with 0 is tried first.'),
      placeHolder: '0',
    },
  ];
}

/** The default, which the settings leave out, has the value ''. */
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

/** A part without a name gets one that no line can send. */
const readHeaders = (typed: string): unknown =>
  Object.fromEntries(
    typed.split('|').map((part) => {
      const [, name = '', value = ''] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(part) ?? [];
      return [name, value];
    }),
  );
