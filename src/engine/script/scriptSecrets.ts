import { because, Sentences } from '../../base/sentences.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { StepResult } from '../../contract/testRuns.ts';
import { inFigures } from '../../model/numbers/inFigures.ts';
import { secretTexts } from '../../model/secrets/secretSteps.ts';
import { fillPlaceholders } from '../../model/tests/columnUse.ts';
import { findRepeatedly } from './placeholders.ts';
import type { TestCall } from '../call/testCall.ts';

/** What counts as secret for a step that wasn't reached: this many matches, none shorter than this. */
const maxUncollected = 20,
  minUncollected = 3;

const isSecretCollect = ({ secret, action }: TestStep): boolean => secret === true && action.type === 'collect';

/** The secrets of a scripted test: what its secret steps send, and what they collect. */
export class ScriptSecrets {
  readonly #call: TestCall;
  readonly #steps: readonly TestStep[];
  readonly #values: Readonly<Record<string, string>>;
  readonly #collected = new Set<TestStep>();

  /** `values` are those of the row, and what was collected so far. */
  constructor(call: TestCall, steps: readonly TestStep[], values: Readonly<Record<string, string>>) {
    this.#call = call;
    this.#steps = steps;
    this.#values = values;
    for (const step of steps) this.expect(step);
  }

  /** Adds what a step sends if it is secret. */
  expect(step: TestStep): void {
    for (const text of secretTexts([step])) this.learn(text);
  }

  /** Earlier words can turn out to be secret. */
  static comeLate(steps: readonly TestStep[]): boolean {
    return steps.some(isSecretCollect);
  }

  /** Returns true if no more secrets are collected after this step. */
  areKnownAfter(index: number): boolean {
    return (
      index === this.#steps.findLastIndex(isSecretCollect) &&
      this.#collected.size === this.#steps.filter(isSecretCollect).length
    );
  }

  /** Adds the text with its values, and the values themselves. */
  learn(text: string): void {
    this.#call.addSecrets(
      fillPlaceholders(text, this.#values),
      ...Object.entries(this.#values).flatMap(([column, value]) => (text.includes(`{${column}}`) ? [value] : [])),
    );
  }

  learnCollected(step: TestStep, found: string): void {
    if (!isSecretCollect(step)) return;
    this.learn(found);
    this.#collected.add(step);
  }

  /** What a secret step would have collected stays secret if the test ends before it. */
  learnUncollected(): void {
    const heard = this.#call.open?.log.heardSince(0).text ?? '';
    for (const step of this.#steps) {
      if (!isSecretCollect(step) || this.#collected.has(step) || step.action.type !== 'collect') continue;
      // A menu's keys aren't secret.
      const { pattern } = step.action;
      this.#call.addSecrets(
        ...[heard, inFigures(heard)]
          .flatMap((text) => findRepeatedly(pattern, text, maxUncollected))
          .filter(({ length }) => length >= minUncollected),
      );
    }
  }

  /** Returns a result in which everything is masked that is known to be secret by now. */
  shown({ expectedTranscript, transcript, reason: _unmasked, reasonParts, words, ...result }: StepResult): StepResult {
    const { mask } = this.#call;
    const parts = this.#call.partsAt(result.startMs, result.endMs);
    const hidden = mask.hidden(words?.map(({ word }) => word) ?? [], parts);
    const shown = words?.filter((_word, index) => !hidden.has(index)) ?? [];
    return {
      ...result,
      ...(expectedTranscript !== undefined && { expectedTranscript: mask.text(expectedTranscript) }),
      ...(transcript !== undefined && { transcript: mask.text(transcript, parts) }),
      ...(reasonParts && because(new Sentences(reasonParts).with((value) => mask.text(value)))),
      ...(shown.length > 0 && { words: shown }),
    };
  }
}
