'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { reporters } = require('mocha');
const { errorLine } = require('./errorLine.ts');

/** How long the process may run after the last test: longer than SIP's timers. */
const graceMs = 60_000;

/** How much of a service's log explains a failure. */
const logLines = 20;

/** Returns the last lines that this process's services have logged. */
function endOfLog() {
  try {
    const log = readFileSync(join(process.env.DIALTREE_SERVICE_LOGS ?? '', `${process.pid}.log`), 'utf8');
    return log.trimEnd().split('\n').slice(-logLines);
  } catch {
    return [];
  }
}

/**
 * The spec reporter, which also writes its figures and failures to the file named by DIALTREE_TEST_FIGURES. Ends a
 * process that is still running some time after its tests, as a failure: mocha would wait for it forever.
 */
module.exports = class FiguresReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const wrong = [];
    const tests = [];
    runner.on('test end', (test) => {
      if (test.duration !== undefined)
        tests.push({ title: test.fullTitle(), file: relative(process.cwd(), test.file ?? ''), ms: test.duration });
    });
    // Preparation isn't part of a test's duration, and is often most of a file's time.
    const hooks = { ms: 0 };
    runner.on('hook end', (hook) => {
      hooks.ms += hook.duration ?? 0;
    });
    runner.on('fail', (test, error) => {
      wrong.push(`${test.fullTitle()}: ${errorLine(error)}`);
      const log = endOfLog();
      if (log.length > 0) console.log(`\nThe end of the log when this failed:\n${log.join('\n')}\n`);
    });
    runner.once('end', () => {
      const file = process.env.DIALTREE_TEST_FIGURES;
      const { passes, failures, pending } = this.stats;
      const leave = (more) => {
        if (file)
          writeFileSync(
            file,
            JSON.stringify({
              passed: passes,
              failed: failures + more.length,
              pending,
              wrong: [...wrong, ...more],
              hooksMs: hooks.ms,
              tests,
            }),
          );
      };
      leave([]);
      setTimeout(() => {
        const held = `The tests are over, but the process is held by ${[...new Set(process.getActiveResourcesInfo())].join(', ')}.`;
        console.error(held);
        leave([held]);
        process.exit(1);
      }, graceMs).unref();
    });
  }
};
