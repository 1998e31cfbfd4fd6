import type { CommandId } from '../../../src/editor/basics/commandId.ts';
import { createFormats } from '../../../src/editor/basics/formats.ts';
import { allCommands } from '../../../src/editor/commands/allCommands.ts';
import type { Editor } from '../../../src/editor/commands/editor.ts';
import { english } from './fakes.ts';

/** The parts of an editor that a command uses, and of each part what it uses. */
type Fakes = {
  readonly [Name in Exclude<keyof Editor, 'context' | 'settings' | 'run'>]?: Editor[Name] extends (
    ...values: never[]
  ) => unknown
    ? Editor[Name]
    : Partial<Editor[Name]>;
} & {
  readonly context?: object;
  readonly settings?: () => object;
  readonly run?: (id: CommandId, ...values: unknown[]) => unknown;
};

type Handlers = Readonly<Record<CommandId, (...values: unknown[]) => Promise<unknown>>>;

export const fakeEditor = (fakes: Fakes): Editor =>
  ({ l10n: english, formats: createFormats('en'), isTrusted: () => true, ...fakes }) as unknown as Editor;

/** Returns every command by its id, as the user runs it in this editor. */
export const commandsIn = (fakes: Fakes): Handlers => handlersIn(fakeEditor(fakes));

export const handlersIn = (editor: Editor): Handlers =>
  Object.fromEntries(
    allCommands.map(({ id, run }) => [id, async (...values: unknown[]) => run(editor, ...values)]),
  ) as unknown as Handlers;
