import { remembered } from '../../base/remembered.ts';
import { limits } from '../../contract/limits.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import { columnsIn } from './columnUse.ts';
import type { TestRow } from './rowsFile.ts';
import { expectsWords } from '../heard/similarity.ts';

/** A value that isn't valid in its step. The value itself isn't shown, because it can be secret. */
interface ValueProblem {
  /** Index among the rows. */
  readonly row: number;
  readonly column: string;
  /** Index of the step. */
  readonly step: number;
  readonly member: 'keys' | 'text' | 'expectedTranscript' | 'heardBeforeAnswer';
  /** Continues after "Row 3, ". */
  readonly message: string;
}

/** What is wrong with values by themselves. A step's text can consist of several. */
interface Rule {
  /** No text with this value is valid. */
  readonly spoils: (value: string) => boolean;
  /** A text that consists only of such values isn't valid. */
  readonly isBlank: (text: string) => boolean;
  readonly why: string;
}

const expectation: Rule = {
  spoils: () => false,
  isBlank: (text) => !expectsWords(text),
  why: 'this value leaves no words to expect',
};

const rules: Readonly<Record<ValueProblem['member'], Rule>> = {
  keys: {
    spoils: (value) => !/^[0-9*#,]*$/.test(value),
    isBlank: (text) => text === '',
    why: "this value contains characters other than keys (0-9, *, # and commas), so it can't be pressed",
  },
  text: { spoils: () => false, isBlank: (text) => text.trim() === '', why: 'this value leaves nothing to say' },
  expectedTranscript: expectation,
  heardBeforeAnswer: expectation,
};

/** A text of a step that contains columns. */
interface FilledText extends Rule {
  readonly step: number;
  readonly name: string;
  readonly member: ValueProblem['member'];
  readonly columns: readonly string[];
  /** Without its columns, it isn't valid. */
  readonly needsValue: boolean;
}

/**
 * Finds row values that aren't keys where keys are pressed, or that leave nothing to say or expect. Ignores columns
 * without a value, and values that the call collects. Returns the first `limits.problems.file` problems, row by row. A
 * value is read once for all steps, because a test can have as many texts as steps times rows.
 */
export function findValueProblems(steps: readonly TestStep[], rows: readonly TestRow[]): ValueProblem[] {
  const texts = filledTexts(steps);
  const problems: ValueProblem[] = [];
  for (const [row, values] of rows.entries()) {
    for (const { step, name, member, columns, needsValue, spoils, isBlank, why } of texts) {
      if (problems.length >= limits.problems.file) return problems;
      if (!columns.every((column) => Object.hasOwn(values, column))) continue;
      const valueOf = (column: string): string => values[column] ?? '';
      const isWrong = (column: string): boolean => spoils(valueOf(column)) || isBlank(valueOf(column));
      if (!columns.some((column) => spoils(valueOf(column))) && !(needsValue && columns.every(isWrong))) continue;
      const column = columns.find(isWrong) ?? '';
      problems.push({ row, column, step, member, message: `column “${column}”: ${why} in step “${name}”.` });
    }
  }
  return problems;
}

function filledTexts(steps: readonly TestStep[]): FilledText[] {
  const known = new Map(
    Object.entries(rules).map(([member, rule]) => [
      member,
      { ...rule, spoils: remembered(rule.spoils), isBlank: remembered(rule.isBlank) },
    ]),
  );
  return steps.flatMap(({ name, action, expectedTranscript, heardBeforeAnswer }, step) => {
    const texts: Partial<Record<ValueProblem['member'], string>> = {
      ...(action.type === 'press' && { keys: action.keys }),
      ...(action.type === 'say' && { text: action.text }),
      ...(expectedTranscript !== undefined && { expectedTranscript }),
      ...(heardBeforeAnswer !== undefined && { heardBeforeAnswer }),
    };
    return Object.entries(texts).flatMap(([key, text]): FilledText[] => {
      const member = key as ValueProblem['member'];
      const columns = [...new Set(columnsIn(text))];
      const rule = known.get(member) ?? rules[member];
      const needsValue = columns.length > 0 && rule.isBlank(text.replaceAll(/\{\w+\}/g, ''));
      return needsValue || (columns.length > 0 && member === 'keys')
        ? [{ ...rule, step, name, member, columns, needsValue }]
        : [];
    });
  });
}
