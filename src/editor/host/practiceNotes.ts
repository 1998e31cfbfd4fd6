import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

export interface PracticeIvr {
  /** The file that it plays, which also identifies it. */
  readonly file: string;
  readonly name: string;
  readonly number?: string | undefined;
  /** Its SIP address, such as `sip:harbour-bank@127.0.0.1:40112`. */
  readonly uri: string;
  /** This and earlier addresses, all of which call it. */
  readonly addresses?: readonly string[] | undefined;
  readonly isSample?: true | undefined;
  /** Another window started it, and ends it. */
  readonly isElsewhere?: true;
}

/** Returns true if this address calls the IVR, now or before it was restarted. */
export const isCalledAt = ({ uri, addresses = [] }: PracticeIvr, target: string): boolean =>
  uri === target || addresses.includes(target);

const noteSchema = z
  .object({ file: z.string(), name: z.string(), number: z.string().optional(), uri: z.string() })
  .extend({ addresses: z.array(z.string()).optional(), isSample: z.literal(true).optional() })
  .transform((note): PracticeIvr => ({ ...note, isElsewhere: true }));

/**
 * The practice IVRs that the user started, for the other windows of the same editor: one small file for each process,
 * named after its id. A window without access to the folder sees only its own practice IVRs.
 */
export class PracticeNotes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(): readonly PracticeIvr[] {
    return (attempt(() => readdirSync(this.#folder)) ?? []).flatMap((name) => {
      const note = attempt((): unknown => {
        const file = join(this.#folder, name);
        process.kill(Number.parseInt(name, 10), 0);
        // After a restart of the machine, another process can have the number.
        return statSync(file).mtimeMs > Date.now() - uptime() * 1000 && JSON.parse(readFileSync(file, 'utf8'));
      });
      return noteSchema.safeParse(note).data ?? [];
    });
  }

  write(pid: number, note: PracticeIvr): void {
    attempt(() => mkdirSync(this.#folder, { recursive: true }));
    attempt(() => writeFileSync(join(this.#folder, `${String(pid)}.json`), JSON.stringify(note)));
  }

  remove(pid: number): void {
    attempt(() => rmSync(join(this.#folder, `${String(pid)}.json`), { force: true }));
  }
}

/** Other windows and processes change the folder at any time. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
