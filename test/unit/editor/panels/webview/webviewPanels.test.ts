import assert from 'node:assert/strict';
import { loadPanelStateSchema } from '../../../../../src/contract/loadPanel.ts';
import { readKept } from '../../../../../src/editor/panels/webview/webviewPanels.ts';
import { uuid } from '../../fakes.ts';

describe('the state that a page keeps for a restored window', () => {
  it('keeps its subject and what else it shows', () => {
    const state = { subject: uuid(1), kept: { draft: 'Says hello' } };
    assert.deepEqual(readKept(state), state);
  });

  it('also has a subject if the previous version wrote it', () => {
    assert.deepEqual(readKept({ runId: uuid(2), draft: 'x' }), { subject: uuid(2), kept: undefined });
    const kept = readKept({ loadTestId: uuid(3), seen: [] });
    assert.equal(kept?.subject, uuid(3));
    assert.deepEqual(loadPanelStateSchema.parse(kept.kept), { seen: [] });
  });

  it('loses its subject in any other shape', () => {
    for (const state of [undefined, null, 'x', [], { subject: 'x' }, { runId: 7 }, { folded: ['a'] }])
      assert.equal(readKept(state), undefined);
  });
});
