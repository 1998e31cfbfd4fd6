import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SpeechWorker } from '../../src/speech/workerHandle.ts';
import type { TaskName, WorkerTasks } from '../../src/speech/workerProtocol.ts';

/** The slow tasks of the models that return the same for the same audio. */
type RecordedTask = Extract<TaskName, 'recognise' | 'lean'>;
type Answer = WorkerTasks[RecordedTask]['result'];

/** The command that records again, named in failures. */
const command = 'npm run record';
/** One in this many answers is computed again, to check that the recording still matches the models. */
const checkedShare = 16;
const folder = path.resolve(import.meta.dirname, '../fixtures/recognitions');
/** Answers that a benchmark keeps for its next run. They aren't part of the repository. */
const scratchFolder = path.resolve(import.meta.dirname, '../.artifacts/recognitions');

/**
 * The answers of the speech models, by the hash of the question: one file in `test/fixtures/recognitions`. With
 * `DIALTREE_RECORD=1` it is written again. Questions that aren't in it go to the models, which takes longer and gives
 * the same answers.
 */
export class RecordedRecognitions {
  readonly #file: string;
  readonly #known: ReadonlyMap<string, Answer>;
  readonly #used = new Map<string, Answer>();
  readonly #differing: string[] = [];
  #missing = 0;
  readonly #recording: boolean;
  readonly #scratch: boolean;

  private constructor(file: string, known: ReadonlyMap<string, Answer>, scratch: boolean) {
    this.#file = file;
    this.#known = known;
    this.#scratch = scratch;
    this.#recording = !scratch && process.env['DIALTREE_RECORD'] === '1';
  }

  /** `scratch`: keeps every answer for the next run, outside the repository, and checks none. */
  static async open(name: string, scratch = false): Promise<RecordedRecognitions> {
    const file = path.join(scratch ? scratchFolder : folder, `${name}.jsonl`);
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
    const known = new Map(lines.map((line) => JSON.parse(line) as readonly [string, Answer]));
    return new RecordedRecognitions(file, known, scratch);
  }

  /** Wraps this worker, which is asked only for what isn't recorded. The caller closes the worker itself. */
  over(worker: SpeechWorker): SpeechWorker {
    return {
      get running() {
        return worker.running;
      },
      start: (task, input) =>
        task === 'recognise' || task === 'lean'
          ? {
              result: this.#answer(task, input, () => worker.start(task, input).result),
              abandon: () => undefined,
            }
          : worker.start(task, input),
      close: () => Promise.resolve(),
    };
  }

  async #answer<Name extends TaskName>(
    task: Name,
    input: WorkerTasks[Name]['request'],
    ask: () => Promise<WorkerTasks[Name]['result']>,
  ): Promise<WorkerTasks[Name]['result']> {
    const { pcm, ...rest } = input as WorkerTasks[RecordedTask]['request'];
    const hash = createHash('sha256').update(`${task} ${JSON.stringify(rest)}\n`);
    const key = hash
      .update(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength))
      .digest('hex')
      .slice(0, 24);
    const known = (this.#used.get(key) ?? (this.#recording ? undefined : this.#known.get(key))) as
      WorkerTasks[Name]['result'] | undefined;
    const isChecked = !this.#scratch && !this.#used.has(key) && parseInt(key.slice(0, 8), 16) % checkedShare === 0;
    if (known && !isChecked) {
      this.#used.set(key, known as Answer);
      return known;
    }
    const answer = await ask();
    this.#used.set(key, answer as Answer);
    if (!known) this.#missing += 1;
    else if (JSON.stringify(answer) !== JSON.stringify(known))
      this.#differing.push(`${JSON.stringify(known)} is now ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Stores the recording. Returns what is wrong with it. */
  async close(): Promise<readonly string[]> {
    if (this.#recording || this.#scratch) {
      const answers = this.#scratch ? new Map([...this.#known, ...this.#used]) : this.#used;
      const lines = [...answers].sort(([one], [other]) => (one < other ? -1 : 1)).map((row) => JSON.stringify(row));
      await mkdir(path.dirname(this.#file), { recursive: true });
      await writeFile(this.#file, `${lines.join('\n')}\n`);
      return [];
    }
    if (this.#missing > 0)
      console.log(
        `      ${String(this.#missing)} of ${String(this.#used.size)} recognitions are not recorded. ${command} makes this faster.`,
      );
    return this.#differing.map((difference) => `${difference}. Record anew: ${command}.`);
  }
}
