'use strict';
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');
const { errorLine } = require('./errorLine.ts');

/** The spec reporter, which also leaves its figures, and what failed, in the file that DIALTREE_TEST_FIGURES names. */
module.exports = class FiguresReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const wrong = [];
    runner.on('fail', (test, error) => { wrong.push(`${test.fullTitle()}: ${errorLine(error)}`); });
    runner.once('end', () => {
      const file = process.env.DIALTREE_TEST_FIGURES;
      const { passes, failures, pending } = this.stats;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, pending, wrong }));
    });
  }
};
