/** The subject of a row in the mappings view; commands accept it as their argument. */
export type TreeElement =
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'run'; readonly jobId: string; readonly runNumber: number }
  | { readonly kind: 'menu'; readonly jobId: string; readonly runNumber: number; readonly stepId: string }
  /** A row that only contains text, such as why a run has no tree. */
  | { readonly kind: 'note'; readonly jobId: string; readonly runNumber: number | undefined; readonly text: string };

/** Stable for as long as the subject exists, so that the editor keeps expansion and selection. */
export function elementId(element: TreeElement): string {
  switch (element.kind) {
    case 'job':
      return element.jobId;
    case 'run':
      return `${element.jobId}/${String(element.runNumber)}`;
    case 'menu':
      return `${element.jobId}/${String(element.runNumber)}/${element.stepId}`;
    case 'note':
      return `${element.jobId}/${String(element.runNumber ?? '')}/note`;
  }
}
