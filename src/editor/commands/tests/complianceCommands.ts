import * as z from 'zod';
import type { CatalogueEntry } from '../../../contract/compliance.ts';
import { runComplianceTestSchema } from '../../../contract/probeFile.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { readArgument } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { Choice } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import { joined } from '../../basics/words/markdownText.ts';
import type { WithConsent } from '../../calls/consent.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { Target, TargetQuestion } from '../targets/pickTarget.ts';

interface ComplianceCommandParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly pickTarget: (question: TargetQuestion) => Promise<Target | undefined>;
  readonly withConsent: WithConsent;
  readonly openReport: (runId: string) => void;
}

const argumentSchema = z.object(runComplianceTestSchema.shape).omit({ probe: true }).partial().strict();

export function complianceCommands(parts: ComplianceCommandParts): HandlersOf<'compliance'> {
  const { client, dialogs, pickTarget, withConsent, openReport, l10n } = parts;
  return {
    /** Returns the id of the run. */
    'dialtree.compliance.run': async (value) => {
      const argument = readArgument(argumentSchema, value);
      const title = l10n.t('Run Compliance Probe');
      const { items } = await client.call('listComplianceCatalogue', {});
      const catalogueTestId =
        argument?.catalogueTestId ??
        (await dialogs.pick(probeChoices(items, l10n), {
          title,
          placeHolder: l10n.t('Which rule do you want to check?'),
        }));
      if (catalogueTestId === undefined) return undefined;
      const placeHolder = targetWords(items.find(({ id }) => id === catalogueTestId)?.mode ?? 'dial', l10n);
      const phoneNumber = argument?.phoneNumber ?? (await pickTarget({ title, placeHolder }))?.target;
      if (phoneNumber === undefined) return undefined;
      const run = await withConsent({ catalogueTestId, phoneNumber }, () =>
        client.call('runComplianceTest', { phoneNumber, catalogueTestId }),
      );
      if (run) openReport(run.id);
      return run?.id;
    },
  };
}

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
  switch (mode) {
    case 'dial':
      return l10n.t('What do you want to call?');
    case 'dial-opt-out':
      return l10n.t('Which opt-out number did the message give?');
    case 'receive':
      return l10n.t('Which number does the call come from?');
  }
}
