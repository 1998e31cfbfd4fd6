import type { DialtreeClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import type { OperationInput } from '../../contract/operations.ts';

interface FollowOptions {
  /** Hangs up all calls. The measurements so far are still returned. */
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/** Runs a load test to its end. Rejects with a ServiceError if the service refuses it, or if its end can't be read. */
export async function followLoad(
  client: Pick<DialtreeClient, 'call' | 'waitForLoadTest'>,
  request: OperationInput<'runLoadTest'>,
  { signal, tell }: FollowOptions,
): Promise<LoadTest> {
  const { id } = await client.call('runLoadTest', request);
  let lastReport = '';
  const onChange = ({ progress }: LoadTest): void => {
    if (!progress) return;
    const { references } = progress;
    const line =
      references === undefined
        ? `${String(progress.placed)} placed, ${String(progress.answered)} answered, ${String(progress.active)} active, ${String(progress.failed)} failed`
        : `reference call ${String(references)}`;
    if (line !== lastReport) tell(line);
    lastReport = line;
  };
  try {
    return await client.waitForLoadTest(id, { signal, onChange });
  } catch (error) {
    if (!signal.aborted && !(error instanceof ServiceError)) throw error;
    if (signal.aborted) tell('Hanging up…');
    // Otherwise, its calls would continue without a client.
    const ended = await client.call('cancelLoadTest', { id }).catch((cause: unknown) => {
      if (cause instanceof ServiceError)
        tell(`Couldn't cancel the load test ${id}, so its calls may continue. End it with cancelLoadTest.`);
      throw signal.aborted ? cause : error;
    });
    if (signal.aborted) return ended;
    throw error;
  }
}
