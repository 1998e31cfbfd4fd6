import { isLoopback } from '../base/loopback.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DialtreeClient } from '../client/client.ts';
import type { Routes } from '../contract/dialPlan.ts';
import { HumanError } from '../contract/errors.ts';
import type { IvrSource } from '../practice/ivrSource.ts';
import { startPractice } from '../practice/server.ts';
import { UsageError } from './command.ts';
import { recordConsents } from './consents.ts';
import { withSpeech } from './speech.ts';
import { readModel } from './model.ts';
import { secretValues } from './secretValues.ts';

/**
 * A service of its own whose data goes away with it, with what may be called there by consent; or one that runs
 * already.
 */
export type ServiceChoice =
  | { readonly routes: Routes; readonly consents: readonly string[] }
  | { readonly baseUrl: string; readonly apiKey: string };

/** A service in this process answers, however busy the machine is: its first answer waits for the store to open. */
const embeddedMs = 300_000;

/**
 * The service at a typed address (`/v1` where it has no path), with this key. `isLocal`: it can call what answers on
 * this machine only.
 */
export function remoteService(
  text: string,
  apiKey: string | undefined,
): { readonly baseUrl: string; readonly apiKey: string; readonly isLocal: boolean } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    throw new UsageError(
      `--url takes the address of a service, such as https://dialtree.example.com/v1, not "${text}".`,
    );
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    throw new UsageError('--url takes an https address: over plain http the key could be read on the way.');
  if (apiKey === undefined || apiKey === '')
    throw new HumanError('No key: put the API key of the service into the environment variable DIALTREE_API_KEY.', {
      status: 400,
      code: 'no_key',
    });
  return { baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '') || '/v1'}`, apiKey, isLocal };
}

/** Runs `work` with a client of the service; an embedded one lives as long. */
export async function withService<Result>(
  choice: ServiceChoice,
  work: (client: DialtreeClient) => Promise<Result>,
): Promise<Result> {
  if ('baseUrl' in choice) return work(new DialtreeClient(choice));
  const model = readModel(process.env);
  const [{ startService }, { createLog }] = await Promise.all([
    import('../service/service.ts'),
    import('../service/basics/log.ts'),
  ]);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dialtree-run-'));
  try {
    const service = await startService({
      dataDir,
      routes: choice.routes,
      ...(model && { model }),
      log: createLog(undefined, 'error', secretValues(process.env)),
    });
    try {
      const client = new DialtreeClient({ ...service, timeoutMs: embeddedMs });
      await recordConsents(client, choice.consents);
      return await work(client);
    } finally {
      await service.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs `work` while these IVRs answer on loopback, each on a free port of its own; `addressOf` tells where. */
export async function withPractice<Result>(
  ivrs: readonly IvrSource[],
  onError: (name: string, error: unknown) => void,
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
        const server = await startPractice([ivr], { port: 0, speech, onError });
        closers.push(() => server.close());
        addresses.set(ivr, server.targets[0]?.uri ?? '');
      }
      return await work((ivr) => addresses.get(ivr) ?? '');
    } finally {
      await Promise.all(closers.map((close) => close()));
    }
  });
}
