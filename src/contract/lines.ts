import * as z from 'zod';
import { costPerMinuteSchema, dialKeySchema } from './dialPlan.ts';
import { isoDateSchema, ringSecondsSchema } from './common.ts';
import { limits } from './limits.ts';
import { outlines } from './outlines.ts';
import { ours, untrusted } from './untrusted.ts';

/** The name is part of an environment variable's name, in which a hyphen becomes an underscore. */
export const lineNameSchema = z
  .string()
  .max(limits.lines.name)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'The name of a line can contain only lower-case letters, digits and single hyphens, such as main-trunk.',
  );

export const launchLineSchema = lineNameSchema
  .optional()
  .describe("Line for these calls, instead of the profile's; it must serve the number");

const placeForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::(?<port>[1-9]\d{0,4}))?$/;
/** `host`, `host:port`, `[v6]`, `[v6]:port`. */
export const linePlaceSchema = z
  .string()
  .max(260)
  .refine((text) => {
    const form = placeForm.exec(text);
    return form !== null && Number(form.groups?.['port'] ?? 5060) < 65_536;
  }, "Give a host name or IP address, with the port unless it's 5060 (5061 over TLS), such as trunk.example.com or 10.0.0.5:5080.");
export const lineSipAddressSchema = z
  .string()
  .max(320)
  .regex(
    /^sip:[^\s<>"@:?;]{1,128}@[^\s<>"@?;]{1,160}$/i,
    'Give one SIP address without a password or parameters, such as sip:support@ivr.example.com.',
  );
const lineUserSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\s\p{Cc}"<>@:]+$/u, "A user name can't contain spaces, quotes, colons, @ or angle brackets.");
export const lineCallerIdSchema = z
  .string()
  .regex(/^\+?[A-Za-z0-9._-]{1,64}$/, 'Give a number such as +12025550100, or an extension such as 600.');

export const lineTransportSchema = z.enum(['udp', 'tcp', 'tls'], 'transport must be udp, tcp or tls.');
export type LineTransport = z.output<typeof lineTransportSchema>;

export const lineDtmfSchema = z.enum(
  ['auto', 'rfc4733', 'inband', 'info'],
  'dtmf must be auto, rfc4733, inband or info.',
);

export const lineSrtpSchema = z.enum(['off', 'prefer', 'require'], 'srtp must be off, prefer or require.');
export type LineSrtp = z.output<typeof lineSrtpSchema>;

/** Names are case-insensitive; a value is one line. */
const lineHeadersSchema = z
  .record(
    z
      .string()
      .max(64)
      .regex(
        /^(?:X-[A-Za-z0-9-]{1,60}|User-to-User|Diversion)$/i,
        'A line can send header fields named X-…, User-to-User or Diversion.',
      ),
    z
      .string()
      .max(512)
      .regex(/^[^\p{Cc}]*$/u, "A header field can't contain line breaks or other control characters."),
  )
  .refine((headers) => Object.keys(headers).length <= 16, 'A line can send up to 16 header fields of its own.');

const hostSchema = z
  .string()
  .max(260)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:]+$/, 'Give a host name or an IP address.');

const shared = {
  transport: lineTransportSchema
    .optional()
    .describe('SIP transport; default udp. With tls, the certificate is checked'),
  register: z
    .boolean()
    .optional()
    .describe('Registers the user at the host, as a phone does (REGISTER); the line then also takes calls'),
  srtp: lineSrtpSchema
    .optional()
    .describe('Encrypts audio with SRTP (keys in SDES); default prefer over tls, otherwise off'),
  outboundProxy: ours(linePlaceSchema)
    .optional()
    .describe('host, or host:port, to which all requests of this line are sent'),
  publicAddress: hostSchema
    .optional()
    .describe('Host or IP address under which the called side reaches this machine behind NAT'),
  stunServer: ours(linePlaceSchema)
    .optional()
    .describe('STUN server, as host or host:port, that reports the public address behind NAT'),
  clientCertificate: z
    .strictObject({
      cert: z.string().min(1).max(1024).describe('Path of the PEM file with the certificate chain'),
      key: z.string().min(1).max(1024).describe('Path of the PEM file with its private key'),
    })
    .optional()
    .describe('Certificate that the line shows over tls; files on the machine of the service'),
  user: lineUserSchema
    .optional()
    .describe('User name for the digest login. The environment of the service has the password'),
  callerId: lineCallerIdSchema.optional().describe('Caller ID: number or extension in From and P-Preferred-Identity'),
  callerIds: z
    .array(lineCallerIdSchema)
    .max(limits.lines.callerIds)
    .optional()
    .describe('Additional caller IDs that a profile may use'),
  displayName: z
    .string()
    .max(80)
    .regex(/^[^\p{Cc}]*$/u, "A display name can't contain control characters.")
    .optional()
    .describe('Name of the caller in From'),
  privacy: z.boolean().optional().describe('Asks the network to withhold the caller ID (RFC 3323): From is anonymous'),
  headers: lineHeadersSchema.optional().describe('Header fields of each INVITE: X-…, User-to-User or Diversion'),
  dtmf: lineDtmfSchema.optional().describe('How keys are sent: as telephone events, tones, or INFO; default auto'),
  keyToneMs: z.int().min(40).max(2000).optional().describe("Length of each key's tone; default: that of the profile"),
  keyGapMs: z.int().min(40).max(2000).optional().describe('Silence after each key; default: that of the profile'),
  priority: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('Order of lines that serve the same number: 0, the default, is tried first'),
  callsPerSecond: z
    .number()
    .min(limits.lines.callsPerSecond.min)
    .max(limits.lines.callsPerSecond.max)
    .optional()
    .describe('Maximum calls per second of all runs together'),
  concurrentCalls: z
    .int()
    .min(limits.lines.concurrentCalls.min)
    .max(limits.lines.concurrentCalls.max)
    .optional()
    .describe('Maximum simultaneous calls of all runs together; others wait'),
  ringSeconds: ringSecondsSchema
    .optional()
    .describe('How long a call of a mapping may ring, unless the mapping says so'),
  costPerMinute: costPerMinuteSchema,
};
const numbersSchema = z
  .array(dialKeySchema)
  .max(limits.lines.numbers)
  .describe('Numbers, and prefixes that end in *, that this line serves');

/**
 * How calls reach the telephone network, a lab PBX, or one address. The password isn't part of it: it is stored as a
 * secret.
 */
export const lineSchema = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({
        kind: z.literal('trunk'),
        host: linePlaceSchema.describe('host, or host:port'),
        numbers: numbersSchema.min(1, 'A trunk must serve at least one number or prefix. Use +* for all numbers.'),
        ...shared,
      }),
      z.strictObject({
        kind: z.literal('pbx'),
        host: linePlaceSchema.describe('host, or host:port'),
        numbers: numbersSchema.default([]),
        ...shared,
      }),
      z.strictObject({
        kind: z.literal('uri'),
        uri: lineSipAddressSchema.describe('The SIP address to call'),
        numbers: numbersSchema.default([]),
        ...shared,
      }),
    ],
    { error: ({ code }) => (code === 'invalid_union' ? 'kind must be trunk, pbx or uri.' : undefined) },
  )
  .superRefine(({ kind, register, user, transport, clientCertificate }, context) => {
    const refuse = (member: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [member], message });
    if (register === true && kind === 'uri')
      refuse('register', "A line of kind uri is a single address, so it can't register. Use kind pbx or trunk.");
    else if (register === true && user === undefined) refuse('register', 'A line that registers needs a user.');
    if (clientCertificate && transport !== 'tls')
      refuse('clientCertificate', 'A line shows a client certificate only over TLS. Set its transport to tls.');
  })
  .register(outlines, {
    outline: 'a new line, such as {"kind": "trunk", "host": "sip.example.com", "numbers": ["+*"]}',
  });
export type Line = z.output<typeof lineSchema>;
export type LineKind = Line['kind'];

/** Lines by name. */
export const linesSchema = z
  .record(lineNameSchema, lineSchema, {
    error: ({ code }) =>
      code === 'invalid_key'
        ? 'The name of a line can contain only lower-case letters, digits and single hyphens, such as main-trunk.'
        : undefined,
  })
  .refine(
    (lines) => Object.keys(lines).length <= limits.lines.most,
    `A service can have up to ${String(limits.lines.most)} lines. Remove some.`,
  );
export type Lines = Readonly<Record<string, Line>>;

/** The result of a line check. `warning`: the line responds, but something needs attention. */
export const lineCheckSchema = z.strictObject({
  at: isoDateSchema,
  state: z.enum(['ok', 'warning', 'failed']),
  message: untrusted(z.string()).describe('What happened, and what to do'),
  roundTripMs: z.number().optional(),
  status: z.int().optional().describe('SIP status of the response; absent if there was none'),
  server: untrusted(z.string()).optional().describe('Name by which the called side identifies itself'),
});
export type LineCheck = z.output<typeof lineCheckSchema>;

const lineRegistrationSchema = z.strictObject({
  state: z.enum(['registering', 'registered', 'failed', 'closed']),
  since: isoDateSchema.optional().describe('Since when calls have been able to arrive'),
  until: isoDateSchema.optional().describe('When the registration expires unless it is refreshed before'),
  message: untrusted(z.string()).optional().describe('Why it failed, and what to do'),
});

/** Settings that a list of lines shows as they are. */
const { user: _user, headers: _headers, clientCertificate: _certificate, ...shown } = shared;

export const lineStateSchema = z.strictObject({
  name: ours(z.string()),
  kind: z.enum(['trunk', 'pbx', 'uri']),
  address: ours(z.string()).describe('host and port, or the SIP address'),
  numbers: z.array(ours(z.string())),
  ...shown,
  headers: z.array(ours(z.string())).optional().describe('Names of its own header fields'),
  clientCertificate: z.boolean().optional().describe('true: the line has one'),
  login: z.enum(['none', 'set', 'missing']).describe('missing: the line has a user name but no password'),
  callsNow: z.int().min(0).describe('Calls of the process that answers this request'),
  registration: lineRegistrationSchema.optional().describe('Of that process; absent until the line is first needed'),
  lastCheck: lineCheckSchema.optional(),
});
export type LineState = z.output<typeof lineStateSchema>;

export const checkLineSchema = z
  .strictObject({
    name: lineNameSchema.optional().describe('Name of a line of the service'),
    line: lineSchema.optional().describe("Settings of a line that isn't set up yet; checked without a password"),
  })
  .refine(({ name, line }) => (name === undefined) !== (line === undefined), 'Give either name or line.');

export const callLineEchoSchema = z.strictObject({
  name: lineNameSchema.describe('Name of a line of the service'),
  number: z
    .string()
    .regex(/^[+*#]?[\w*#.-]{1,64}$/, 'Give a number such as +12025550100, or an extension such as 600 or *43.')
    .optional()
    .describe('Number or extension of an echo service; a line of kind uri needs none'),
});

export const lineEchoSchema = z.strictObject({
  outcome: z
    .enum(['heard', 'silent', 'other', 'notAnswered'])
    .describe('silent: no audio arrived; other: audio arrived, but no echo'),
  message: untrusted(z.string()).describe('What happened, and what to do'),
  delayMs: z.number().optional().describe('From a sound to its echo, including the buffers of both sides'),
  lossPercent: z.number().optional().describe('Percentage of packets that were lost'),
  jitterMs: z.number().optional(),
  roundTripMs: z.number().optional().describe('Round trip of the network, if the called side sends RTCP reports'),
  lossPercentThere: z
    .number()
    .optional()
    .describe('Percentage of packets lost on the way to the called side, if it sends RTCP reports'),
  setupMs: z.number().optional().describe('From INVITE to answer'),
  soundsSent: z.int(),
  soundsHeard: z.int(),
});
export type LineEcho = z.output<typeof lineEchoSchema>;
