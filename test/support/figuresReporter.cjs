'use strict';
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');
const { errorLine } = require('./errorLine.ts');

/** How long the process may run after the last test: longer than SIP's timers. */
const graceMs = 60_000;

/**
 * The spec reporter, which also writes its figures and failures to the file named by DIALTREE_TEST_FIGURES. Ends a
 * process that is still running some time after its tests, as a failure: mocha would wait for it forever.
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
