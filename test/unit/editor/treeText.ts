import type { RowModel } from '../../../src/editor/views/rowModel.ts';
import {
  jobElements,
  menuElements,
  rootElements,
  mappingRowOf,
  runElements,
} from '../../../src/editor/views/mappingRows.ts';
import type { TreeElement } from '../../../src/editor/views/treeElement.ts';
import type { JobSnapshot } from '../../../src/editor/store/snapshot.ts';
import { english } from './fakes.ts';

export function childrenOf(jobs: readonly JobSnapshot[], element: TreeElement | undefined): TreeElement[] {
  if (!element) return jobElements(jobs);
  const snapshot = jobs.find(({ job }) => job.id === element.jobId);
  if (!snapshot) return [];
  switch (element.kind) {
    case 'job':
      return runElements(snapshot, english);
    case 'run':
      return rootElements(snapshot, element.runNumber, english);
    case 'menu':
      return menuElements(snapshot, element);
    case 'note':
      return [];
  }
}

export function rows(jobs: readonly JobSnapshot[], element?: TreeElement): { element: TreeElement; row: RowModel }[] {
  return childrenOf(jobs, element).flatMap((child) => {
    const row = mappingRowOf(
      jobs.find(({ job }) => job.id === child.jobId),
      child,
      english,
    );
    return row ? [{ element: child, row }, ...rows(jobs, child)] : [];
  });
}

/** Returns the fully opened view as a person sees it: icon, label, description. */
export function treeText(jobs: readonly JobSnapshot[], element?: TreeElement, depth = 0): string {
  return childrenOf(jobs, element)
    .map((child) => {
      const row = mappingRowOf(
        jobs.find(({ job }) => job.id === child.jobId),
        child,
        english,
      );
      if (!row) return '';
      const icon = row.icon === undefined ? '' : `(${row.icon.id}) `;
      const line = `${'  '.repeat(depth)}${icon}${[row.label, row.description].filter((text) => text !== undefined && text !== '').join(' — ')}\n`;
      return line + treeText(jobs, child, depth + 1);
    })
    .join('');
}
