'use strict';
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');
const { errorLine } = require('./errorLine.ts');

/** How long the process may go on after the last test: longer than the timers of SIP. */
const graceMs = 60_000;

/**
 * The spec reporter, which also leaves its figures, and what failed, in the file that DIALTREE_TEST_FIGURES names.
 * Ends a process that does not end by itself when its tests have, which is a failure: mocha would wait for it for ever.
 */
module.exports = class FiguresReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const wrong = [];
    runner.on('fail', (test, error) => {
      wrong.push(`${test.fullTitle()}: ${errorLine(error)}`);
    });
    runner.once('end', () => {
      const file = process.env.DIALTREE_TEST_FIGURES;
      const { passes, failures, pending } = this.stats;
      const leave = (more) => {
        if (file)
          writeFileSync(
            file,
            JSON.stringify({ passed: passes, failed: failures + more.length, pending, wrong: [...wrong, ...more] }),
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
