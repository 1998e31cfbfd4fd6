import type { ToReport } from '../../src/contract/reportPanel.ts';

/** One function for each message: a message without one does not compile. */
export type Handlers = { readonly [Type in ToReport['type']]: (message: Extract<ToReport, { type: Type }>) => void };

/** Hands a message of the editor to its handler, and says whether there was one. The editor half has built it by the contract: only what is relied on before single fields is looked at again. */
export function receive(data: unknown, handlers: Handlers): boolean {
  if (!isRecord(data)) return false;
  if (data['type'] === 'notice' && typeof data['message'] === 'string') {
    handlers.notice(data as Extract<ToReport, { type: 'notice' }>);
    return true;
  }
  if (data['type'] === 'editCriterion') {
    handlers.editCriterion({ type: 'editCriterion' });
    return true;
  }
  if (data['type'] === 'audio') {
    handlers.audio(data as Extract<ToReport, { type: 'audio' }>);
    return true;
  }
  const run = data['run'];
  if (data['type'] !== 'snapshot' || typeof data['name'] !== 'string' || !isRecord(run) || !Array.isArray(run['steps']))
    return false;
  handlers.snapshot(data as Extract<ToReport, { type: 'snapshot' }>);
  return true;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
