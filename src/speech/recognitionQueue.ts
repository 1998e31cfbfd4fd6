import { learnMenu, nextPrompt, noMenu, type MenuSoFar } from './keys/menuSoFar.ts';
import { WorkerDied } from './workerHandle.ts';
import type { PendingTask, SpeechWorker } from './workerHandle.ts';
import type { Recognition } from './workerProtocol.ts';

/**
 * `final`: the utterance is over. `early`: it may be. `partial`: it has continued since, and the work is abandoned as
 * soon as something final waits.
 */
type Urgency = 'final' | 'early' | 'partial';

export interface RecognitionJob {
  /** Resolves with empty text if the worker died or the job was cancelled. */
  readonly result: Promise<Recognition>;
  readonly running: boolean;
  /** The utterance of an early job is over, so its result counts. */
  makeFinal(): void;
  /** The utterance of an early job continues. */
  makePartial(): void;
  cancel(): void;
}

/** What was heard of a piece before its menu was known. */
interface HeardBefore {
  readonly rawText: string;
  readonly before: MenuSoFar;
}

interface Entry {
  readonly ear: number;
  readonly pcm: Int16Array;
  readonly heard: HeardBefore | undefined;
  urgency: Urgency;
  running: PendingTask<'recognise'> | undefined;
  settle(result: Recognition): void;
  fail(error: unknown): void;
}

const rank: Readonly<Record<Urgency, number>> = { final: 0, early: 1, partial: 2 };
const nothing: Recognition = { text: '', rawText: '', words: [] };

/** Distributes the work of many ears to the workers, one piece each: by urgency, then in turn among ears. */
export class RecognitionQueue {
  readonly #workers: readonly SpeechWorker[];
  readonly #busy = new Map<SpeechWorker, Entry>();
  readonly #lastServed = new Map<number, number>();
  /** What an ear's prompts have offered. */
  readonly #offered = new Map<number, MenuSoFar>();
  #waiting: Entry[] = [];
  #served = 0;

  constructor(workers: readonly SpeechWorker[]) {
    this.#workers = workers;
  }

  /** Whether a worker is free, so that early text is possible. */
  get idle(): boolean {
    return this.#waiting.length === 0 && this.#busy.size < this.#workers.length;
  }

  /** @param heard checks only its keys again */
  submit(ear: number, pcm: Int16Array, urgency: 'final' | 'early', heard?: HeardBefore): RecognitionJob {
    let resolve: (recognition: Recognition) => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    const promise = new Promise<Recognition>((fulfil, fail) => {
      resolve = fulfil;
      reject = fail;
    });
    const entry: Entry = { ear, pcm, heard, urgency, running: undefined, settle: resolve, fail: reject };
    // An owner that cancelled doesn't handle failures any more.
    promise.catch(() => undefined);
    this.#waiting.push(entry);
    this.#deal();
    return {
      result: promise,
      get running() {
        return entry.running !== undefined;
      },
      makeFinal: () => {
        entry.urgency = 'final';
        this.#deal();
      },
      makePartial: () => {
        entry.urgency = 'partial';
        this.#deal();
      },
      cancel: () => this.#cancel(entry),
    };
  }

  #cancel(entry: Entry): void {
    entry.running?.abandon();
    this.#waiting = this.#waiting.filter((other) => other !== entry);
    entry.settle(nothing);
  }

  /** What the current prompt of an ear has offered. */
  menuOf(ear: number): MenuSoFar {
    return this.#offered.get(ear) ?? noMenu;
  }

  /** Another prompt begins, which offers its own keys. */
  newPrompt(ear: number): void {
    const menu = this.#offered.get(ear);
    if (menu) this.#offered.set(ear, nextPrompt(menu));
  }

  forget(ear: number): void {
    this.#lastServed.delete(ear);
    this.#offered.delete(ear);
  }

  #learn(ear: number, { text, rawText }: Recognition, isOlder: boolean): void {
    if (!this.#lastServed.has(ear)) return;
    const menu = this.menuOf(ear);
    const learnt = learnMenu(text, rawText, isOlder ? { ...menu, keys: [] } : menu);
    this.#offered.set(ear, isOlder ? { ...menu, keys: [...learnt.keys, ...menu.keys] } : learnt);
  }

  #deal(): void {
    for (const worker of this.#workers) {
      if (this.#busy.has(worker)) continue;
      const entry = this.#next();
      if (!entry) return;
      void this.#run(worker, entry);
    }
    if (!this.#waiting.some((entry) => entry.urgency === 'final')) return;
    for (const entry of this.#busy.values()) {
      if (entry.urgency === 'partial') this.#cancel(entry);
    }
  }

  #next(): Entry | undefined {
    const turn = (entry: Entry): number => this.#lastServed.get(entry.ear) ?? 0;
    let best: Entry | undefined;
    for (const entry of this.#waiting) {
      if (
        !best ||
        rank[entry.urgency] < rank[best.urgency] ||
        (entry.urgency === best.urgency && turn(entry) < turn(best))
      )
        best = entry;
    }
    this.#waiting = this.#waiting.filter((entry) => entry !== best);
    return best;
  }

  async #run(worker: SpeechWorker, entry: Entry): Promise<void> {
    this.#busy.set(worker, entry);
    this.#served += 1;
    this.#lastServed.set(entry.ear, this.#served);
    try {
      const before = this.#offered.get(entry.ear);
      entry.running = worker.start('recognise', { pcm: entry.pcm, before, ...entry.heard });
      const recognition = await entry.running.result;
      this.#learn(entry.ear, recognition, entry.heard !== undefined);
      entry.settle(recognition);
    } catch (error) {
      if (error instanceof WorkerDied) entry.settle(nothing);
      else entry.fail(error);
    } finally {
      entry.running = undefined;
      this.#busy.delete(worker);
      this.#deal();
    }
  }
}
