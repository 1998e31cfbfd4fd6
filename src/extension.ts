import type { ExtensionContext } from 'vscode';
import { createContainer, isUnderTest } from './editor/container.ts';
import { DisposableStore } from './editor/basics/lifetime.ts';
import type { DialtreeTestApi } from './editor/testApi.ts';

/** Doesn't wait for processes, the network or secrets. */
export function activate(context: ExtensionContext): DialtreeTestApi | undefined {
  const began = performance.now();
  const held = new DisposableStore();
  context.subscriptions.push(held);
  const container = createContainer(context, held);
  return isUnderTest(context) ? { ...container, activationMs: performance.now() - began } : undefined;
}
