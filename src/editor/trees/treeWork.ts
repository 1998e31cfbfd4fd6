/**
 * Functions on whole trees, loaded on demand. In the product this is a separate bundle, so that activation reads less.
 */
export { cassetteOf, promptRecording } from '../../model/tree/export/cassette.ts';
export { offerTests } from './offerTests.ts';
export { testsFromTree } from '../../model/tests/testsFromTree.ts';
export { countChanges, diffTrees } from '../../model/tree/diff/treeDiff.ts';
export { csvOf } from '../../model/tree/export/csv.ts';
export { graphvizOf } from '../../model/tree/export/graphviz.ts';
export { mermaidOf } from '../../model/tree/export/mermaid.ts';
export { compareOutlines as comparedOutlines } from '../../model/tree/treeOutline.ts';
