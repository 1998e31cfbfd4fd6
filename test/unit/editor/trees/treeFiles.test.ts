import assert from 'node:assert/strict';
import { withSuffix } from '../../../../src/editor/trees/treeFiles.ts';

describe('names of tree files', () => {
  it('end with the full suffix, even if a dialog added part of it', () => {
    assert.equal(withSuffix('/w/bank', '.calltree.json'), '/w/bank.calltree.json');
    assert.equal(withSuffix('/w/bank.json', '.calltree.json'), '/w/bank.calltree.json');
    assert.equal(withSuffix('/w/bank.calltree.json', '.calltree.json'), '/w/bank.calltree.json');
    assert.equal(withSuffix('/w/bank.ivr.json', '.calltree.json'), '/w/bank.ivr.calltree.json');
    assert.equal(withSuffix('/w/bank.2', '.ivr.json'), '/w/bank.2.ivr.json');
    assert.equal(withSuffix('/w/bank', '.svg'), '/w/bank.svg');
    assert.equal(withSuffix('/w/bank.svg', '.svg'), '/w/bank.svg');
  });
});
