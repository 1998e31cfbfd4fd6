import assert from 'node:assert/strict';
import { toJob } from '../../../src/service/mapping/resources.ts';
import type { JobRow } from '../../../src/service/mapping/resources.ts';

const id = '4b1c0b8e-7f0e-4b5e-9f4e-0f5c8d3c2a10';
const row = {
  id,
  workspace_id: id,
  name: 'Bank',
  phone_number: '+12025550101',
  profile_id: id,
  tags: [],
  created_at: new Date(0),
  made_by: null,
  guard_by: null,
};

describe('service: a stored mapping', () => {
  it("has defaults for config members that didn't exist when it was stored", () => {
    const config = JSON.parse(
      '{"mappingMode":"dtmf","maxDepth":3,"maxCalls":9,"probeMode":"off","concurrency":2}',
    ) as JobRow['config'];
    assert.deepEqual(toJob({ ...row, config }, undefined, false).config, {
      mappingMode: 'dtmf',
      maxDepth: 3,
      maxCalls: 9,
      maxCallSeconds: 600,
      probeMode: 'off',
      concurrency: 2,
      allowedLabels: [],
      pressUnsure: false,
    });
  });
});
