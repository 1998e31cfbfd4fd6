import * as z from 'zod';
import { callLineEchoSchema, checkLineSchema, lineCheckSchema, lineEchoSchema, lineStateSchema } from './lines.ts';
import { calls, operation, reads } from './operation.ts';

export const lineOperations = {
  listLines: operation({
    title: 'List lines',
    description:
      'The lines that calls leave this service by (trunks, lab exchanges, single SIP addresses): what each serves, its limits, calls now, and its last check. An addition of this server.',
    input: z.object({}).strict(),
    output: z.object({ items: z.array(lineStateSchema) }).strict(),
    rest: { method: 'get', path: '/lines', status: 200 },
    scope: 'workspace:read',
    tool: reads,
  }),
  checkLine: operation({
    title: 'Check a line',
    description:
      'Asks the far side of a line by SIP OPTIONS whether it is there and takes our login, and tells the answer in words with what to do. Places no call. An addition of this server.',
    input: checkLineSchema,
    output: lineCheckSchema,
    rest: { method: 'post', path: '/lines/check', status: 200 },
    errors: [404, 409],
    scope: 'testing:write',
    tool: { readOnly: true, destructive: false, openWorld: true },
  }),
  callLineEcho: operation({
    title: 'Call an echo number over a line',
    description:
      'Places one real call, of half a minute at most, to a number that sends all back that it hears, and tells whether and when our sound came back. It needs consent, as every live call. An addition of this server.',
    input: callLineEchoSchema,
    output: lineEchoSchema,
    rest: { method: 'post', path: '/lines/echo', status: 200 },
    errors: [402, 404, 409],
    scope: 'testing:write',
    tool: calls,
  }),
} as const;
