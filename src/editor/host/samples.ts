import { join } from 'node:path';

export interface Sample {
  /** For commands: `{ "sample": "bank" }`. */
  readonly name: string;
  /** The name of the IVR in its file. */
  readonly label: string;
  readonly file: string;
}

/** The practice IVRs that come with the extension. */
export class Samples {
  readonly all: readonly Sample[];

  /** @param folder `media/samples` of the extension */
  constructor(folder: string) {
    const sample = (name: string, label: string): Sample => ({ name, label, file: join(folder, `${name}.ivr.json`) });
    this.all = [
      sample('bank', 'Harbour Bank'),
      sample('clinic', 'Riverside Clinic'),
      sample('utility', 'Northern Power and Water'),
    ];
  }

  find(name: string): Sample | undefined {
    return this.all.find((sample) => sample.name === name);
  }
}
