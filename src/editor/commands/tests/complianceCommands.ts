import * as z from 'zod';
import type { CatalogueEntry } from '../../../contract/compliance.ts';
import { runComplianceTestSchema } from '../../../contract/probeFile.ts';
import type { Choice } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import { joined } from '../../basics/words/markdownText.ts';
import { command } from '../command.ts';

export const complianceCommands = [
  /** Returns the id of the run. */
  command({
    id: 'dialtree.compliance.run',
    calls: true,
    args: z.object(runComplianceTestSchema.shape).omit({ probe: true }).partial().strict(),
    async run({ client, dialogs, pickTarget, consent, openReport, l10n }, args) {
      const title = l10n.t('Run Compliance Probe');
      const { items } = await client.call('listComplianceCatalogue', {});
      const catalogueTestId =
        args?.catalogueTestId ??
        (await dialogs.pick(probeChoices(items, l10n), {
          title,
          placeHolder: l10n.t('Which rule do you want to check?'),
        }));
      if (catalogueTestId === undefined) return undefined;
      const placeHolder = targetWords(items.find(({ id }) => id === catalogueTestId)?.mode ?? 'dial', l10n);
      const phoneNumber = args?.phoneNumber ?? (await pickTarget({ title, placeHolder }))?.target;
      if (phoneNumber === undefined) return undefined;
      const run = await consent.planned({ catalogueTestId, phoneNumber }, () =>
        client.call('runComplianceTest', { phoneNumber, catalogueTestId }),
      );
      if (run) openReport(run.id);
      return run?.id;
    },
  }),
];

/** Lists probes by sector, those for every sector first. */
function probeChoices(entries: readonly CatalogueEntry[], l10n: L10n): Choice<string>[] {
  const rank = ({ sector }: CatalogueEntry): string => (sector === 'all' ? '' : sector);
  return [...entries]
    .sort((one, other) => rank(one).localeCompare(rank(other)) || one.id.localeCompare(other.id))
    .map((entry) => ({
      label: entry.title ?? entry.id,
      value: entry.id,
      detail: entry.description,
      group: entry.sector === 'all' ? l10n.t('All sectors') : entry.sector,
      description: joined(' · ', [
        entry.rule,
        entry.jurisdiction,
        entry.mode === 'receive' ? l10n.t('waits for a call') : undefined,
        entry.mode === 'dial-opt-out' ? l10n.t('calls the opt-out number') : undefined,
      ]),
    }));
}

function targetWords(mode: NonNullable<CatalogueEntry['mode']>, l10n: L10n): string {
  return {
    dial: l10n.t('What do you want to call?'),
    'dial-opt-out': l10n.t('Which opt-out number did the message give?'),
    receive: l10n.t('Which number does the call come from?'),
  }[mode];
}
