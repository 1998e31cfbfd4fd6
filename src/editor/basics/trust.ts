import { HumanError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { CommandHandler, CommandId, Handlers } from './commandTable.ts';
import type { L10n } from './localise.ts';

/**
 * In a workspace that the user doesn't trust (Restricted Mode), nothing is called, because its files say which numbers
 * and keys are used.
 */

/** Commands that end in calls. They are refused before they ask anything. */
export const callingCommands: ReadonlySet<CommandId> = new Set<CommandId>([
  'dialtree.mapping.new',
  'dialtree.mapping.start',
  'dialtree.mapping.raiseLimit',
  'dialtree.practice.map',
  'dialtree.test.run',
  'dialtree.test.runMission',
  'dialtree.compliance.run',
  'dialtree.load.start',
  'dialtree.line.echo',
]);

/** Operations that place calls, or send messages to people. */
export function reachesPeople({ tool }: Operation): boolean {
  return tool !== undefined && tool.openWorld && !tool.readOnly;
}

/** @throws HumanError `untrusted` */
export function assertTrusted(isTrusted: boolean, l10n: L10n): void {
  if (!isTrusted)
    throw new HumanError(l10n.t('To place calls, trust this workspace first.'), { status: 403, code: 'untrusted' });
}

/** Wraps the handlers, so that those that end in calls refuse first. */
export function withTrust(handlers: Handlers, isTrusted: () => boolean, l10n: L10n): Handlers {
  return Object.fromEntries(
    Object.entries<CommandHandler>(handlers).map(([id, handle]) => [
      id,
      callingCommands.has(id as CommandId)
        ? (...values: unknown[]) => {
            assertTrusted(isTrusted(), l10n);
            return handle(...values);
          }
        : handle,
    ]),
  ) as unknown as Handlers;
}
