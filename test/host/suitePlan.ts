/** One run of the bundled suites, the same for each kind of host. All paths are absolute. */
export interface SuitePlan {
  /** The folder of the extension under test, with its package.json. */
  extension: string;
  /** The module that exports `run()`. */
  entry: string;
  /** The editor opens a copy of this folder. */
  workspace: string;
  /** Where the suites write their SuiteReport. */
  reportFile: string;
  /** For the extension host. */
  env: Record<string, string>;
}
