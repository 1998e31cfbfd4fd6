/** What a row of the mappings view stands for; commands take it as their argument. */
export type TreeElement =
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'run'; readonly jobId: string; readonly runNumber: number }
  | { readonly kind: 'menu'; readonly jobId: string; readonly runNumber: number; readonly stepId: string }
  /** A row that only says something, such as why a run has no tree. */
  | { readonly kind: 'note'; readonly jobId: string; readonly runNumber: number | undefined; readonly text: string };

/** Stable for as long as the thing exists, so that the editor keeps what is expanded and selected. */
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
