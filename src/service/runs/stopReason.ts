import type { EndedBy } from '../../contract/common.ts';

/**
 * Why a run of a test, or a load test, was ended from outside: what its signal is aborted with. As text it is the
 * sentence for a person.
 */
export class StopReason {
  readonly endedBy: EndedBy;
  readonly #sentence: string;

  constructor(endedBy: EndedBy, sentence: string) {
    this.endedBy = endedBy;
    this.#sentence = sentence;
  }

  toString(): string {
    return this.#sentence;
  }
}
