/**
 * Forms of several steps, loaded when one is opened: in the product a bundle of its own, so that activation reads less.
 */
export { pickRunsFilter } from './commands/tests/pickRunsFilter.ts';
export { verifyPhone } from './commands/workspace/verifyPhone.ts';
export { askLine } from './lines/lineForm.ts';
export { askProfile } from './profiles/profileForm.ts';
