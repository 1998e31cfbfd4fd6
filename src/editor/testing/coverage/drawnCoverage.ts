import type { CalltreeFile } from '../../../contract/calltreeFile.ts';
import type { PanelCoverage } from '../../../contract/panel.ts';
import { markTree } from '../../../model/tests/pathCoverage.ts';
import { Emitter } from '../../basics/emitter.ts';
import type { WalkedCalls } from './walkedCalls.ts';

type Calls = Pick<WalkedCalls<unknown>, 'through'>;

export class DrawnCoverage {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.listen;
  readonly #hidden = new Set<string>();
  #calls: Calls | undefined;

  keep(calls: Calls): void {
    this.#calls = calls;
    this.#hidden.clear();
    this.#changed.fire();
  }

  /** Hides the coverage until the next run. */
  hide(file: string): void {
    this.#hidden.add(file);
    this.#changed.fire();
  }

  /** Returns the coverage of the tree in a file, or undefined if no call went there. */
  of(file: string, calltree: CalltreeFile): PanelCoverage | undefined {
    const walks = this.#hidden.has(file) ? [] : (this.#calls?.through(calltree).map(({ walk }) => walk) ?? []);
    return walks.length === 0 ? undefined : markTree(calltree.tree, walks);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
