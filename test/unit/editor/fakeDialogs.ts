import assert from 'node:assert/strict';
import type {
  DialogAction,
  DialogOptions,
  Choice,
  Dialogs,
  Question,
  SearchOptions,
} from '../../../src/editor/basics/dialogs/dialogs.ts';

/** What the person does at the next dialog; undefined cancels it, and a plain text is typed. */
export type Answer =
  | string
  | { readonly type: string | undefined }
  /** A choice by its label. */
  | { readonly pick: string | undefined }
  /** Choices by their labels, or those preselected. */
  | { readonly pickSome: readonly string[] | 'offered' | undefined }
  /** A button by its title. */
  | { readonly press: string | undefined }
  | { readonly agree: boolean };

/** A person who gives a test's answers, one per dialog, and remembers what was shown. */
export class FakeDialogs implements Dialogs {
  /** A line for each dialog, as shown. */
  readonly shown: string[] = [];
  readonly copied: string[] = [];
  readonly browsed: string[] = [];
  readonly waits: string[] = [];
  #answers: Exclude<Answer, string>[];

  constructor(...answers: Answer[]) {
    this.#answers = answers.map((answer) => (typeof answer === 'string' ? { type: answer } : answer));
  }

  /** Fails if answers are left that no dialog asked for. */
  done(): void {
    assert.deepEqual(this.#answers, []);
  }

  async ask(question: Question): Promise<string | undefined> {
    this.shown.push([question.prompt, question.refusal].filter((text) => text !== undefined).join(' '));
    const answer = this.#next('type', question.prompt).type;
    if (answer !== undefined) assert.equal(question.check?.(answer), undefined, 'the box refuses what was typed');
    return answer;
  }

  async pick<T>(choices: readonly Choice<T>[], { placeHolder }: DialogOptions): Promise<T | undefined> {
    this.shown.push(
      [
        placeHolder,
        ...choices.map(({ group, label, description, detail }) =>
          [group, label, description, detail].filter((text) => text !== undefined).join(' | '),
        ),
      ].join('\n  '),
    );
    const wanted = this.#next('pick', placeHolder).pick;
    if (wanted === undefined) return undefined;
    const found = choices.find(({ label }) => label === wanted);
    assert.ok(found, `There is no choice “${wanted}”.`);
    return found.value;
  }

  /** Typed once, if the next answer is a text, and then picked from. */
  async search<T>(
    choicesFor: (typed: string, signal: AbortSignal) => Promise<readonly Choice<T>[]>,
    asking: SearchOptions,
  ): Promise<T | undefined> {
    const [answer] = this.#answers;
    const typed = answer && 'type' in answer ? this.#next('type', asking.placeHolder).type : (asking.value ?? '');
    return typed === undefined ? undefined : this.pick(await choicesFor(typed, new AbortController().signal), asking);
  }

  async pickSome<T>(choices: readonly Choice<T>[], { placeHolder }: DialogOptions): Promise<T[] | undefined> {
    this.shown.push(
      [placeHolder, ...choices.map(({ label, unpicked }) => (unpicked === true ? `○ ${label}` : label))].join('\n  '),
    );
    const wanted = this.#next('pickSome', placeHolder).pickSome;
    return (
      wanted &&
      choices
        .filter(({ label, unpicked }) => (wanted === 'offered' ? unpicked !== true : wanted.includes(label)))
        .map(({ value }) => value)
    );
  }

  async tell(message: string, ...actions: DialogAction[]): Promise<void> {
    this.shown.push([message, ...actions.map(({ title }) => `[${title}]`)].join(' '));
    const wanted = this.#next('press', message).press;
    if (wanted === undefined) return;
    const action = actions.find(({ title }) => title === wanted);
    assert.ok(action, `There is no button “${wanted}”.`);
    await action.run();
  }

  async warn(message: string, ...actions: DialogAction[]): Promise<void> {
    return this.tell(message, ...actions);
  }

  async confirm(message: string, detail: string, agree: string, decline?: string): Promise<boolean> {
    this.shown.push(`${message} ${detail} ${decline === undefined ? '' : `[${decline}] `}[${agree}]`);
    return this.#next('agree', message).agree;
  }

  async wait<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.waits.push(title);
    return work(new AbortController().signal);
  }

  async copy(text: string): Promise<void> {
    this.copied.push(text);
  }
  async browse(url: string): Promise<void> {
    this.browsed.push(url);
  }

  #next<Key extends 'type' | 'pick' | 'pickSome' | 'press' | 'agree'>(
    key: Key,
    shown: string,
  ): Extract<Answer, { readonly [K in Key]: unknown }> {
    const answer = this.#answers.shift();
    assert.ok(answer, `The test gives no answer to “${shown}”.`);
    assert.ok(key in answer, `The test answers ${JSON.stringify(answer)} to “${shown}”.`);
    return answer as Extract<Answer, { readonly [K in Key]: unknown }>;
  }
}
