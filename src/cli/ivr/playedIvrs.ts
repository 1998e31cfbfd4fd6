import type { IvrSource } from '../../practice/ivrSource.ts';
import { startPractice } from '../../practice/server.ts';
import { note } from '../terminal/output.ts';
import { withSpeech } from './speech.ts';

/**
 * Runs `work` while these IVRs answer on loopback, each on its own free port. `addressOf` returns the address of each.
 */
export async function withPractice<Result>(
  ivrs: readonly IvrSource[],
  work: (addressOf: (ivr: IvrSource) => string) => Promise<Result>,
): Promise<Result> {
  if (ivrs.length === 0)
    return work(() => {
      throw new Error('no practice IVR is played');
    });
  return withSpeech(async (speech) => {
    const addresses = new Map<IvrSource, string>();
    const closers: (() => Promise<void>)[] = [];
    try {
      for (const ivr of ivrs) {
        const server = await startPractice([ivr], { port: 0, speech, onError: noteHangUp });
        closers.push(() => server.close());
        addresses.set(ivr, server.targets[0]?.uri ?? '');
      }
      return await work((ivr) => addresses.get(ivr) ?? '');
    } finally {
      await Promise.all(closers.map((close) => close()));
    }
  });
}

export function noteHangUp(name: string, error: unknown): void {
  note(`${name}: hung up a call: ${error instanceof Error ? error.message : String(error)}`);
}
