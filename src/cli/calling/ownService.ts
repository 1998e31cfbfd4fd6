import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DialtreeClient, type RequestOptions } from '../../client/client.ts';
import { PermissionError } from '../../client/errors.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import type { GivenLines } from '../settings/lines.ts';
import { secretValues } from '../settings/secretValues.ts';
import { missingConsentWords, recordConsents } from './consents.ts';

/** A temporary service whose data is deleted afterwards, with the targets that the user consented to. */
export interface OwnService extends GivenLines {
  readonly routes: Routes;
  readonly consents: readonly string[];
  /** Loads what calls need at once, because calls that are listened to follow. */
  readonly callsSoon?: boolean;
  /** Values that its log masks. */
  readonly hidden?: readonly string[];
}

/**
 * The first response waits until the store is open. A service in this process responds eventually, however busy the
 * machine is.
 */
const answerMs = 300_000;

/** Loads the code of the service, which takes a moment. A command can begin that before it needs the service. */
export const loadService = () =>
  Promise.all([import('../../service/service.ts'), import('../../service/basics/log.ts')]);

/** Runs `work` with a client of a service in this process, and stops the service afterwards. */
export async function withOwnService<Result>(
  {
    routes,
    lines,
    linePasswords,
    consents,
    callsSoon = false,
    model,
    hidden = [],
  }: OwnService & { readonly model?: LanguageModel | undefined },
  work: (client: DialtreeClient) => Promise<Result>,
): Promise<Result> {
  const [{ startService }, { createLog }] = await loadService();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dialtree-'));
  try {
    const service = await startService({
      dataDir,
      routes,
      lines,
      linePasswords,
      callsSoon,
      ...(model && { model }),
      log: createLog(undefined, 'error', [...secretValues(process.env, { linePasswords }), ...hidden]),
    });
    try {
      const client = new OwnClient({ ...service, timeoutMs: answerMs });
      await recordConsents(client, consents);
      return await work(client);
    } finally {
      // The data is deleted next, so an export of it is of no use.
      await service.close(() => true);
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A client of a command's own service, whose refusals name options of the command line. */
export class OwnClient extends DialtreeClient {
  override async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: RequestOptions,
  ): Promise<OperationOutput<Name>> {
    try {
      const output = await super.call(name, input, options);
      if (name === 'planCalls') nameOptions((output as OperationOutput<'planCalls'>).refusal);
      return output;
    } catch (error) {
      if (error instanceof PermissionError) nameOptions(error);
      throw error;
    }
  }
}

function nameOptions(refusal: ServiceRefusal | undefined): void {
  if (refusal?.code !== 'consent_required') return;
  const { phoneNumber, place } = (refusal.details ?? {}) as { readonly phoneNumber?: string; readonly place?: string };
  if (phoneNumber !== undefined) refusal.message = missingConsentWords(phoneNumber, place);
}

interface ServiceRefusal {
  readonly code?: string | undefined;
  readonly details?: unknown;
  message: string;
}
