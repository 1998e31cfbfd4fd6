import * as z from 'zod';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import { unlessGone } from '../../basics/errors.ts';
import type { L10n } from '../../basics/localise.ts';
import type { ServiceSettings } from '../../basics/settings.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

interface RunLinksParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly dialogs: Pick<Dialogs, 'confirm' | 'warn'>;
  readonly service: () => ServiceSettings;
  readonly openReport: (runId: string) => void;
  readonly l10n: L10n;
}

/** The parts of a link that the extension receives from the editor, decoded. */
export interface LinkParts {
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

const runPath = '/run';
const querySchema = z.tuple([z.tuple([z.literal('id'), z.uuid()])]);

/** @param scheme of the editor, such as `vscode` or `vscode-insiders` */
export const linkToRun = (scheme: string, extensionId: string, runId: string): string =>
  `${scheme}://${extensionId}${runPath}?id=${runId}`;

/** Opens links to runs. Any web page and any program can open one, so it does nothing before the user agrees. */
export class RunLinks {
  readonly #parts: RunLinksParts;
  #isAsking = false;

  constructor(parts: RunLinksParts) {
    this.#parts = parts;
  }

  async open({ path, query, fragment }: LinkParts): Promise<void> {
    const { client, dialogs, openReport, l10n } = this.#parts;
    const asked = querySchema.safeParse([...new URLSearchParams(query)]).data;
    if (path !== runPath || fragment !== '' || !asked) {
      await dialogs.warn(
        l10n.t(
          "Couldn't open this link. Dialtree opens only links to a run. To get one, choose Copy Link in its report.",
        ),
      );
      return;
    }
    const runId = asked[0][1].toLowerCase();
    const from = this.#service;
    // Links can't pile up questions.
    if (this.#isAsking) return;
    this.#isAsking = true;
    const asking = dialogs.confirm(
      l10n.t('Open run {0}?', runId),
      l10n.t(
        'The link comes from outside. Dialtree reads the run from {0}, places no call and changes no setting.',
        from,
      ),
      l10n.t('Open Run'),
      l10n.t("Don't Open"),
    );
    const agreed = await asking.finally(() => {
      this.#isAsking = false;
    });
    if (!agreed || this.#service !== from) return;
    if (await unlessGone(client.call('getRunResults', { runId }))) openReport(runId);
    else
      await dialogs.warn(
        l10n.t(
          "This run isn't in your workspace on {0}. It was deleted, or it belongs to another workspace or service. Choose the service that the sender uses, or ask the sender for the report as an HTML file.",
          from,
        ),
      );
  }

  /** For the question, and to notice that the service was switched while it was open. */
  get #service(): string {
    const { service, l10n } = this.#parts;
    const { mode, url } = service();
    return mode === 'remote' && url !== undefined ? new URL(url).host : l10n.t('the embedded service');
  }
}
