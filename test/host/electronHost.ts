import { runTests, TestRunFailedError } from '@vscode/test-electron';
import type { Cleanup } from './cleanup.ts';
import { createProfile, removeProfile } from './profile.ts';
import type { SuitePlan } from './suitePlan.ts';

/**
 * Runs the suites in the desktop VS Code, which `@vscode/test-electron` downloads, or which DIALTREE_TEST_ELECTRON_PATH
 * names. On Linux without a display, run it under `xvfb-run`.
 */
export async function runInElectron(plan: SuitePlan, cleanup: Cleanup): Promise<number> {
  const profile = await createProfile({ workspace: plan.workspace });
  cleanup.add(() => removeProfile(profile));
  const executable = process.env['DIALTREE_TEST_ELECTRON_PATH'];
  try {
    return await runTests({
      ...(executable === undefined ? { version: 'stable' } : { vscodeExecutablePath: executable }),
      extensionDevelopmentPath: plan.extension,
      extensionTestsPath: plan.entry,
      extensionTestsEnv: plan.env,
      launchArgs: [
        profile.workspace,
        '--user-data-dir',
        profile.userData,
        '--extensions-dir',
        profile.extensions,
        '--disable-workspace-trust',
        '--skip-welcome',
        '--skip-release-notes',
        '--disable-updates',
      ],
    });
  } catch (error) {
    if (error instanceof TestRunFailedError) {
      return error.code ?? 1;
    }
    throw new Error(
      'The desktop VS Code could not run. Where it cannot be downloaded, Linux has another host: run this without DIALTREE_TEST_ELECTRON.',
      { cause: error },
    );
  }
}
