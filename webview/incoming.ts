import type { ToWebview } from '../src/contract/panel.ts';

/** One function for each message: a message without one does not compile. */
export type Handlers = { readonly [Type in ToWebview['type']]: (message: Extract<ToWebview, { type: Type }>) => void };

/**
 * Hands a message of the editor to its handler, and says whether there was one.
 *
 * The editor half has checked the message with the contract's schemas before it sent it; their code would be three quarters of this page's
 * script. So only what handlers rely on before they look at single fields is looked at again.
 */
export function receive(data: unknown, handlers: Handlers): boolean {
  if (!isRecord(data)) return false;
  const type = data['type'];
  if (typeof type !== 'string' || !isKnown(type) || !shapes[type](data)) return false;
  dispatch(data as ToWebview, handlers);
  return true;
}

type Shape = (data: Record<string, unknown>) => boolean;

const isText = (value: unknown): boolean => typeof value === 'string';
const isOptional = (value: unknown, holds: (value: unknown) => boolean): boolean => value === undefined || holds(value);
const isRun = (value: unknown): boolean =>
  isRecord(value) && isText(value['status']) && typeof value['runNumber'] === 'number' && isRecord(value['stats']);

const shapes: Readonly<Record<ToWebview['type'], Shape>> = {
  snapshot: ({ name, phoneNumber, job, runs, tree, version, base, keepsBase, coverage }) =>
    isText(name) &&
    isOptional(phoneNumber, isText) &&
    isOptional(job, (value) => isRecord(value) && isRecord(value['config'])) &&
    isOptional(base, (value) => isRecord(value) && isText(value['title']) && isRecord(value['tree'])) &&
    isOptional(keepsBase, (value) => value === true) &&
    isOptional(
      coverage,
      (value) =>
        isRecord(value) && isRecord(value['steps']) && isRecord(value['ways']) && Array.isArray(value['marks']),
    ) &&
    Array.isArray(runs) &&
    runs.every(isRun) &&
    isOptional(version, (value) => typeof value === 'number') &&
    isRecord(tree) &&
    isOptional(tree['tree'], (value) => value === null || isRecord(value)),
  audio: ({ stepId, wav, error }) =>
    isText(stepId) && isOptional(wav, (value) => value instanceof Uint8Array) && isOptional(error, isText),
  reveal: ({ stepId }) => isText(stepId),
  draw: ({ format }) => format === 'svg' || format === 'png',
  notice: ({ message, severity }) => isText(message) && (severity === 'info' || severity === 'error'),
};

function dispatch(message: ToWebview, handlers: Handlers): void {
  switch (message.type) {
    case 'snapshot':
      return handlers.snapshot(message);
    case 'audio':
      return handlers.audio(message);
    case 'reveal':
      return handlers.reveal(message);
    case 'draw':
      return handlers.draw(message);
    case 'notice':
      return handlers.notice(message);
  }
}

const isKnown = (type: string): type is ToWebview['type'] => Object.hasOwn(shapes, type);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
