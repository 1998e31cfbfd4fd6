/** Multi-step forms and the report of an issue, loaded on demand. In the product this is a separate bundle, so that activation reads less. */
export { askForLoad, askLoadSize } from './commands/tests/loadForm.ts';
export { pickRunsFilter } from './commands/tests/pickRunsFilter.ts';
export { verifyPhone } from './commands/workspace/verifyPhone.ts';
export { collectIssueFacts } from './issue/issueFacts.ts';
export { writeIssue } from './issue/issueReport.ts';
export { askLine } from './lines/lineForm.ts';
export { askProfile } from './profiles/profileForm.ts';
