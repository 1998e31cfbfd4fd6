import type { Node } from 'jsonc-parser';
import { defaultPassThreshold, type StepAction, type TestStep } from '../../../contract/testConfigs.ts';
import { columnsIn } from '../../../model/tests/columnUse.ts';
import { readRows, type TestRow } from '../../../model/tests/rowsFile.ts';
import { entriesOf, membersOf, nodeAt, numberAt, textAt, type ParsedFile } from '../../folders/parsedFile.ts';

/** A step as far as it is typed, with its position. */
export interface TypedStep {
  readonly index: number;
  readonly node: Node;
  readonly type: StepAction['type'] | undefined;
  readonly expects: boolean;
  /** Expects that the call ends or continues in some way. */
  readonly expectsEnd: boolean;
}

const types: ReadonlySet<string> = new Set<StepAction['type']>([
  'dial',
  'press',
  'say',
  'wait',
  'expect',
  'collect',
  'hangUp',
]);
const isActionType = (text: string | undefined): text is StepAction['type'] => text !== undefined && types.has(text);

export function stepsOf({ root }: ParsedFile): TypedStep[] {
  return entriesOf(nodeAt(root, ['steps'])).map((node, index) => {
    const type = textAt(node, 'action', 'type');
    return {
      index,
      node,
      type: isActionType(type) ? type : undefined,
      expects: ['expectedTranscript', 'heardBeforeAnswer'].some((member) => textAt(node, member) !== undefined),
      expectsEnd: textAt(node, 'expectedEnd') !== undefined,
    };
  });
}

/** Returns the steps in the contract's form. Missing parts are left empty. */
export function readSteps(file: ParsedFile): TestStep[] {
  return stepsOf(file).map(({ node, type }) => {
    const expectedTranscript = textAt(node, 'expectedTranscript');
    const heardBeforeAnswer = textAt(node, 'heardBeforeAnswer');
    return {
      name: textAt(node, 'name') ?? '',
      action: actionOf(node, type),
      passThreshold: numberAt(node, 'passThreshold') ?? defaultPassThreshold,
      ...(expectedTranscript !== undefined && { expectedTranscript }),
      ...(heardBeforeAnswer !== undefined && { heardBeforeAnswer }),
    };
  });
}

function actionOf(node: Node, type: StepAction['type'] | undefined): StepAction {
  switch (type) {
    case 'press':
      return { type, keys: textAt(node, 'action', 'keys') ?? '' };
    case 'say':
      return { type, text: textAt(node, 'action', 'text') ?? '' };
    case 'wait':
      return { type, seconds: numberAt(node, 'action', 'seconds') ?? 0 };
    case 'collect':
      return { type, name: textAt(node, 'action', 'name') ?? '', pattern: textAt(node, 'action', 'pattern') ?? '' };
    default:
      return { type: type ?? 'expect' };
  }
}

export function columnsUsed(steps: readonly TestStep[]): Set<string> {
  return new Set(
    steps.flatMap(({ action, expectedTranscript }) =>
      columnsIn(
        [
          action.type === 'press' ? action.keys : action.type === 'say' ? action.text : '',
          expectedTranscript ?? '',
        ].join(' '),
      ),
    ),
  );
}

export const collectedNames = (steps: readonly TestStep[]): string[] =>
  steps.flatMap(({ action }) => (action.type === 'collect' && action.name !== '' ? [action.name] : []));

/** Returns the rows inside the file, or undefined if there are none. */
export function inlineRows({ root }: ParsedFile): TestRow[] | undefined {
  const rows = nodeAt(root, ['rows']);
  if (rows === undefined) return undefined;
  return entriesOf(rows).map((row) =>
    Object.fromEntries(
      membersOf(row).map(({ name, value }) => [name, typeof value?.value === 'string' ? value.value : '']),
    ),
  );
}

/** Returns the rows of the file or of its CSV, or undefined if the CSV can't be read. */
export async function testRowsOf(
  file: ParsedFile,
  read: (path: string) => Promise<string>,
): Promise<{ readonly rows: readonly TestRow[] | undefined } | undefined> {
  const path = textAt(file.root, 'rowsFile');
  const rows = inlineRows(file);
  if (path === undefined || rows) return { rows };
  const text = await read(path).catch(() => undefined);
  const found = text === undefined ? undefined : readRows(text, path);
  return found && 'rows' in found ? found : undefined;
}

export const columnsOf = (rows: readonly TestRow[] | undefined): string[] => [
  ...new Set((rows ?? []).flatMap((row) => Object.keys(row))),
];
