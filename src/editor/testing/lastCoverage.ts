import type { CalltreeFile } from '../../contract/calltreeFile.ts';
import { Emitter } from '../emitter.ts';
import type { WalkedCalls } from './walkedCalls.ts';

/** The calls of the last run with coverage, for the trees that are drawn. */
export class LastCoverage {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.listen;
  #calls: Pick<WalkedCalls<unknown>, 'through'> | undefined;

  keep(calls: Pick<WalkedCalls<unknown>, 'through'>): void {
    this.#calls = calls;
    this.#changed.fire();
  }

  /** The ways through a tree. */
  through(calltree: CalltreeFile): ReturnType<WalkedCalls<unknown>['through']> {
    return this.#calls?.through(calltree) ?? [];
  }
}
