/**
 * Multi-step forms and written documents, loaded on demand. In the product this is a separate bundle, so that
 * activation reads less.
 */
export { askForLoad, askLoadSize } from './commands/tests/loadForm.ts';
export { pickRunsFilter } from './commands/tests/pickRunsFilter.ts';
export { verifyPhone } from './commands/workspace/verifyPhone.ts';
export { collectIssueFacts } from './issue/issueFacts.ts';
export { writeIssue } from './issue/issueReport.ts';
export { writeGuide } from './panels/documents/guidePage.ts';
export { writeUsage } from './panels/documents/usagePage.ts';
export { askLine } from './lines/lineForm.ts';
export { askProfile } from './profiles/profileForm.ts';
