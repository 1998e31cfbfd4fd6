import assert from 'node:assert/strict';
import { memento } from '../../testing/fakeRuns.ts';
import { OpenTrees } from '../../../../../src/editor/panels/trees/openTrees.ts';

describe('OpenTrees', () => {
  let kept: ReturnType<typeof memento>;
  beforeEach(() => {
    kept = memento();
  });
  const window = (): OpenTrees => new OpenTrees(kept as ConstructorParameters<typeof OpenTrees>[0]);

  it('restore open trees in the next window, by title, each once', () => {
    const first = window();
    first.opened('a', 'Bank');
    first.opened('b', 'Clinic');
    first.opened('c', 'Utility');
    first.closed('c');
    const second = window();
    assert.equal(second.takeUp('Clinic'), 'b');
    second.opened('b', 'Clinic');
    assert.equal(second.takeUp('Bank, renamed meanwhile'), 'a');
    assert.equal(second.takeUp('Bank'), undefined);
  });

  it('start empty if the stored state is invalid', () => {
    void kept.update('dialtree.openTrees', 'x');
    assert.equal(window().takeUp('Bank'), undefined);
  });
});
