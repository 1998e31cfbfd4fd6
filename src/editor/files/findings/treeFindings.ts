import type { Node } from 'jsonc-parser';
import type { L10n } from '../../basics/localise.ts';
import { entriesOf, nodeAt, textAt, type ParsedFile } from '../../folders/parsedFile.ts';
import { change, finding, meantAmong, type FileFinding } from './finding.ts';

export function treeFindings(file: ParsedFile, l10n: L10n): FileFinding[] {
  const steps = treeSteps(file);
  const first = new Map<string, Node>();
  const again: FileFinding[] = [];
  for (const step of steps) {
    const id = textAt(step, 'stepId');
    const place = nodeAt(step, ['stepId']);
    if (id === undefined || !place) continue;
    if (first.has(id))
      again.push(
        finding(
          'warning',
          'duplicate-step',
          place,
          l10n.t('Another step also has the ID "{0}". Links to this ID lead to the first step that has it.', id),
        ),
      );
    else first.set(id, step);
  }
  const meant = meantAmong([...first.keys()]);
  const lost = steps.flatMap((step): FileFinding[] => {
    const target = textAt(step, 'linksTo');
    const place = nodeAt(step, ['linksTo']);
    if (!place || target === undefined || first.has(target)) return [];
    const near = meant(target);
    const message =
      near === undefined
        ? l10n.t('The step "{0}" doesn\'t exist.', target)
        : l10n.t('The step "{0}" doesn\'t exist. Did you mean "{1}"?', target, near);
    const remedies = near === undefined ? {} : { remedies: () => [change(place, near, l10n)] };
    return [finding('warning', 'missing-step', place, message, remedies)];
  });
  return [...again, ...lost];
}

/** Returns the steps from the root, each before its children. */
function treeSteps({ root }: ParsedFile): Node[] {
  const tree = nodeAt(root, ['tree']);
  const steps: Node[] = [];
  const open = tree ? [tree] : [];
  for (let step = open.pop(); step; step = open.pop()) {
    steps.push(step);
    for (const child of entriesOf(nodeAt(step, ['children'])).toReversed()) open.push(child);
  }
  return steps;
}
