import type { OwnProbe } from '../../src/contract/probeFile.ts';

/** A user's probe, as a launch brings it. */
export const ownProbe: OwnProbe = {
  id: '4f3a2b1c-0d9e-4c8b-a7f6-5e4d3c2b1a09',
  name: 'Says what it is',
  steps: [{ do: 'listen', id: 'start', seconds: 20 }],
  checks: [{ kind: 'discloses', notice: 'automated', name: 'It says that it is automated' }],
};
