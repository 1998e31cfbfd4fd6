import * as z from 'zod';
import { callLineEchoSchema, checkLineSchema, lineCheckSchema, lineEchoSchema, lineStateSchema } from './lines.ts';
import { calls, operation, reading } from './operation.ts';
import { listTargetsSchema, targetPageSchema } from './targets.ts';

export const lineOperations = {
  listTargets: reading('/targets', {
    title: 'List what can be called',
    description:
      'Lists what this key may call: running practice IVRs first, then what lines and routes serve. Start here if you have no number.',
    input: listTargetsSchema,
    output: targetPageSchema,
    scope: 'workspace:read',
  }),
  listLines: reading('/lines', {
    title: 'List lines',
    description:
      'Lists the lines over which this service calls: what each line serves, its limits, current calls, and its last check.',
    input: z.strictObject({}),
    output: z.strictObject({ items: z.array(lineStateSchema) }),
    scope: 'workspace:read',
  }),
  checkLine: operation({
    title: 'Check a line',
    description:
      'Checks by SIP OPTIONS whether a line answers and accepts the login, and says what to do. Places no call.',
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
      'Places one real call of up to half a minute to an echo number, and reports whether and how quickly the sound came back.',
    input: callLineEchoSchema,
    output: lineEchoSchema,
    rest: { method: 'post', path: '/lines/echo', status: 200 },
    errors: [402, 404, 409],
    scope: 'testing:write',
    tool: calls,
  }),
} as const;
