import { isLoopback } from '../../base/loopback.ts';
import { DialtreeClient } from '../../client/client.ts';
import { HumanError } from '../../contract/errors.ts';
import { UsageError } from '../command.ts';
import { linesOption, readGivenLines } from '../settings/lines.ts';
import { readModel } from '../settings/model.ts';
import { readRoutes } from '../settings/routes.ts';
import { consentOption, readConsents } from './consents.ts';
import { withOwnService, type OwnService } from './ownService.ts';

export interface RemoteService {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The service can only call targets on this machine. */
  readonly isLocal: boolean;
}

export type ServiceChoice = OwnService | RemoteService;

/** The options that choose the service, for `readArguments`. */
export const serviceOptions = {
  routes: { type: 'string' },
  url: { type: 'string' },
  ...linesOption,
  ...consentOption,
} as const;

interface ServiceValues {
  readonly routes?: string | undefined;
  readonly lines?: string | undefined;
  readonly url?: string | undefined;
  readonly consent?: readonly string[] | undefined;
}

const ofOwnService = { routes: 'dial plan', lines: 'lines', consent: 'consents' };

/** Returns the service at `--url`, or a temporary one with a dial plan, lines and consents. */
export async function readService(values: ServiceValues): Promise<ServiceChoice> {
  const { url } = values;
  if (url === undefined) {
    const routes = values.routes === undefined ? {} : await readRoutes(values.routes);
    const given = await readGivenLines(values.lines, process.env);
    return { routes, ...given, consents: await readConsents(values.consent, routes, given.lines) };
  }
  for (const [option, what] of Object.entries(ofOwnService))
    if (values[option as keyof typeof ofOwnService] !== undefined)
      throw new UsageError(
        `--${option} is for the service that this command starts. The service at --url has its own ${what}: leave out --${option}.`,
      );
  return remoteService(url, process.env['DIALTREE_API_KEY']);
}

export const isRemote = (service: ServiceChoice): service is RemoteService => 'baseUrl' in service;

/** Returns true if the service can call a practice IVR on this machine. */
export const reachesThisMachine = (service: ServiceChoice): boolean => !isRemote(service) || service.isLocal;

/** Returns the service at a typed address. If the address has no path, `/v1` is added. */
function remoteService(text: string, apiKey: string | undefined): RemoteService {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    throw new UsageError(
      `--url takes the address of a service, such as https://dialtree.example.com/v1, not "${text}".`,
    );
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    throw new UsageError('--url takes an https address: over plain http, others could read the key.');
  if (apiKey === undefined || apiKey === '')
    throw new HumanError(
      "The API key is missing. Put the service's key in the environment variable DIALTREE_API_KEY.",
      { status: 400, code: 'no_key' },
    );
  return { baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '') || '/v1'}`, apiKey, isLocal };
}

export const withService = async <Result>(
  service: ServiceChoice,
  work: (client: DialtreeClient) => Promise<Result>,
): Promise<Result> =>
  isRemote(service)
    ? work(new DialtreeClient(service))
    : withOwnService({ ...service, model: readModel(process.env) }, work);
