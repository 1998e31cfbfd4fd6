import { join } from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { ivrIdentity } from '../../contract/ivrFile.ts';
import type { L10n } from '../basics/localise.ts';

interface Sample {
  /** For commands: `{ "sample": "bank" }`. */
  readonly name: string;
  readonly label: string;
  readonly file: string;
}

/** The names of the IVRs in their files, by the names of the samples. */
export const sampleLabels = {
  bank: 'Harbour Bank',
  clinic: 'Riverside Clinic',
  utility: 'Northern Power and Water',
} as const;

export class Samples {
  readonly all: readonly Sample[];

  /** @param folder `media/samples` of the extension */
  constructor(folder: string) {
    this.all = Object.entries(sampleLabels).map(([name, label]) => ({
      name,
      label,
      file: join(folder, `${name}.ivr.json`),
    }));
  }

  /** Returns this version's file of a sample that another version of the extension has played, or the file itself. */
  currentOf(file: string): string {
    return this.all.find((sample) => ivrIdentity(sample.file) === ivrIdentity(file))?.file ?? file;
  }

  /** @throws HumanError if the sample doesn't exist */
  fileOf(name: string, l10n: L10n): string {
    const sample = this.all.find((one) => one.name === name);
    if (!sample)
      throw new HumanError(
        l10n.t(
          "The sample “{0}” doesn't exist. Choose one of these: {1}.",
          name,
          this.all.map((one) => one.name).join(', '),
        ),
        { status: 400, code: 'bad_argument' },
      );
    return sample.file;
  }
}
