import type * as z from 'zod';
import { readArgument } from '../basics/commandArguments.ts';
import type { CommandId } from '../basics/commandId.ts';
import { assertTrusted } from '../basics/trust.ts';
import type { Editor } from './editor.ts';

export interface EditorCommand {
  readonly id: CommandId;
  /** It ends in calls. */
  readonly calls: boolean;
  readonly run: (editor: Editor, ...values: readonly unknown[]) => unknown;
}

/** `Args` is what the schema `args` returns, or the unread argument if there is no schema. */
interface Described<Args> {
  readonly id: CommandId;
  /** It ends in calls, so a workspace that isn't trusted refuses it before it asks anything. */
  readonly calls?: boolean;
  readonly args?: z.ZodType<Args>;
  /** `selected`: all selected rows, if the command runs on one of several. */
  readonly run: (editor: Editor, args: Args | undefined, selected: unknown) => unknown;
}

/** Makes a command. Its title, icon and menus are in the manifest. Errors of `run` are shown to the user. */
export function command<Args = unknown>({ id, calls = false, args, run }: Described<Args>): EditorCommand {
  return {
    id,
    calls,
    run(editor, value, selected) {
      if (calls) assertTrusted(editor.isTrusted(), editor.l10n);
      return run(editor, args ? readArgument(args, value) : (value as Args), selected);
    },
  };
}
