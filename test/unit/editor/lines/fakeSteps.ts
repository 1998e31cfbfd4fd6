import assert from 'node:assert/strict';
import { back } from '../../../../src/editor/basics/dialogs/stepDialogs.ts';
import type { Back, StepDialogs, DialogStep } from '../../../../src/editor/basics/dialogs/stepDialogs.ts';

/** The person presses the button for more, and answers the same step later. */
export const more = Symbol('more');

/**
 * What the person does at the next step: types, chooses by label, keeps the current value (`keep`), goes back, presses
 * the button for more, or cancels.
 */
export type StepAnswer = string | { readonly pick: string } | Back | typeof more | undefined;

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
    check,
    ...place
  }: Parameters<StepDialogs['ask']>[0]): Promise<string | Back | undefined> {
    this.shown.push(`${title} ${placeWords(place)} ${prompt} [${password ? '•'.repeat(value.length) : value}]`);
    for (;;) {
      const answer = await this.#next(prompt, place);
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
    { title, placeHolder, chosen, ...place }: Parameters<StepDialogs['pick']>[1],
  ): Promise<T | Back | undefined> {
    const descriptions = choices.flatMap(({ label, description }) =>
      description === undefined ? [] : [`, ${label}: ${description}`],
    );
    this.shown.push(
      `${title} ${placeWords(place)} ${placeHolder}${descriptions.join('')} [${choices.find(({ value }) => value === chosen)?.label ?? ''}]`,
    );
    const answer = await this.#next(placeHolder, place);
    if (answer === undefined || answer === back) return answer;
    if (answer === 'keep') return chosen as T;
    assert.ok(typeof answer === 'object', `One is chosen at “${placeHolder}”.`);
    const found = choices.find(({ label }) => label === answer.pick);
    assert.ok(found, `There is no choice “${answer.pick}”.`);
    return found.value as T;
  }

  async #next(shown: string, place: DialogStep): Promise<Exclude<StepAnswer, typeof more>> {
    for (;;) {
      assert.ok(this.#answers.length > 0, `The test gives no answer to “${shown}”.`);
      const answer = this.#answers.shift();
      if (answer !== more) return answer;
      assert.ok(place.more, `“${shown}” has no button for more.`);
      await place.more.open();
    }
  }
}

/** The number of the step, and its buttons. */
const placeWords = ({ step, canGoBack, more: button }: DialogStep): string =>
  `(${[step ?? [], canGoBack ? '←' : [], button?.title ?? []].flat().join(' ')})`;
