/**
 * What works on whole trees, loaded when somebody asks for it: in the product a bundle of its own, so that activation
 * reads less.
 */
export { cassetteOf, promptRecording } from '../../model/cassette.ts';
export { testsFromTree, testsOfPaths, whyNot } from '../../model/testsFromTree.ts';
export { countChanges, diffTrees } from '../../model/treeDiff.ts';
export { csvOf } from '../../model/treeExport/csv.ts';
export { graphvizOf } from '../../model/treeExport/graphviz.ts';
export { mermaidOf } from '../../model/treeExport/mermaid.ts';
export { comparedOutlines } from '../../model/treeOutline.ts';
