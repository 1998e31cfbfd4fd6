import type { Edit } from 'jsonc-parser';
import { HumanError } from '../../../contract/errors.ts';
import type { L10n } from '../../basics/localise.ts';
import { isStateName, readStates, stateAt } from '../reading/ivrStates.ts';
import type { ParsedFile } from '../../folders/parsedFile.ts';
import { insideQuotes, type TextSpan } from '../reading/span.ts';

export function stateDefinition(
  file: ParsedFile,
  offset: number,
): { readonly origin: TextSpan; readonly target: TextSpan; readonly whole: TextSpan } | undefined {
  const states = readStates(file);
  const found = stateAt(states, offset);
  const definition = found && states.states.get(found.name);
  return (
    found &&
    definition && {
      origin: insideQuotes(file.text, found.node),
      target: insideQuotes(file.text, definition.key),
      whole: definition.member,
    }
  );
}

/** Returns every reference to the state at an offset, in text order. */
export function stateReferences(file: ParsedFile, offset: number, withDefinition: boolean): TextSpan[] {
  const states = readStates(file);
  const found = stateAt(states, offset);
  if (!found) return [];
  const definition = withDefinition ? states.states.get(found.name) : undefined;
  const nodes = [
    ...(definition ? [definition.key] : []),
    ...states.references.filter(({ target }) => target === found.name).map(({ node }) => node),
  ];
  return nodes.map((node) => insideQuotes(file.text, node)).sort((one, other) => one.offset - other.offset);
}

/** Returns the name that a rename at an offset changes. @throws HumanError if there is no state name */
export function renamed(file: ParsedFile, offset: number, l10n: L10n): TextSpan & { readonly name: string } {
  const found = stateAt(readStates(file), offset);
  if (!found || found.name === '')
    throw new HumanError(l10n.t('You can rename only states in this file. Put the cursor on the name of a state.'), {
      status: 400,
      code: 'no_state',
    });
  return { ...insideQuotes(file.text, found.node), name: found.name };
}

/**
 * Returns the changes that rename a state: its definition and its references.
 * @throws HumanError if the name is invalid or taken
 */
export function renameState(file: ParsedFile, offset: number, name: string, l10n: L10n): Edit[] {
  const before = renamed(file, offset, l10n).name;
  if (!isStateName(name))
    throw new HumanError(l10n.t('Use 1 to 80 letters, digits, dots, hyphens and underscores.'), {
      status: 400,
      code: 'bad_name',
    });
  if (name === before) return [];
  if (readStates(file).states.has(name))
    throw new HumanError(l10n.t('A state called "{0}" already exists. Choose another name.', name), {
      status: 409,
      code: 'name_taken',
    });
  return stateReferences(file, offset, true).map((span) => ({ ...span, content: name }));
}
