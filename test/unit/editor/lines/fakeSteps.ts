import assert from 'node:assert/strict';
import { back } from '../../../../src/editor/basics/dialogs/stepDialogs.ts';
import type { Back, StepDialogs } from '../../../../src/editor/basics/dialogs/stepDialogs.ts';

/**
 * What the person does at the next step: types, chooses by label, keeps the current value (`keep`), goes back, or
 * cancels.
 */
export type StepAnswer = string | { readonly pick: string } | Back | undefined;

/** A person who answers a form, and types again if a box rejects the text. */
export class FakeSteps implements StepDialogs {
  /** A line for each step, as shown. */
  readonly shown: string[] = [];
  readonly refusals: string[] = [];
  #answers: StepAnswer[];

  constructor(...answers: StepAnswer[]) {
    this.#answers = answers;
  }

  /** Fails if answers are left that no step asked for. */
  done(): void {
    assert.deepEqual(this.#answers, []);
  }

  async ask({
    title,
    prompt,
    value = '',
    password = false,
    step,
    totalSteps,
    canGoBack,
    check,
  }: Parameters<StepDialogs['ask']>[0]): Promise<string | Back | undefined> {
    this.shown.push(
      `${title} (${String(step)}/${String(totalSteps)}${canGoBack ? ' ←' : ''}) ${prompt} [${password ? '•'.repeat(value.length) : value}]`,
    );
    for (;;) {
      const answer = this.#next(prompt);
      if (answer === undefined || answer === back) return answer;
      assert.equal(typeof answer, 'string', `There is nothing to choose at “${prompt}”.`);
      const typed = answer === 'keep' ? value : (answer as string);
      const refusal = check?.(typed);
      if (refusal === undefined) return typed;
      this.refusals.push(refusal);
    }
  }

  async pick<T>(
    choices: Parameters<StepDialogs['pick']>[0],
    { title, placeHolder, step, totalSteps, canGoBack, chosen }: Parameters<StepDialogs['pick']>[1],
  ): Promise<T | Back | undefined> {
    this.shown.push(
      `${title} (${String(step)}/${String(totalSteps)}${canGoBack ? ' ←' : ''}) ${placeHolder} [${choices.find(({ value }) => value === chosen)?.label ?? ''}]`,
    );
    const answer = this.#next(placeHolder);
    if (answer === undefined || answer === back) return answer;
    if (answer === 'keep') return chosen as T;
    assert.ok(typeof answer === 'object', `One is chosen at “${placeHolder}”.`);
    const found = choices.find(({ label }) => label === answer.pick);
    assert.ok(found, `There is no choice “${answer.pick}”.`);
    return found.value as T;
  }

  #next(shown: string): StepAnswer {
    assert.ok(this.#answers.length > 0, `The test gives no answer to “${shown}”.`);
    return this.#answers.shift();
  }
}
