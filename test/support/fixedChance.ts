import fc from 'fast-check';

// For mocha's --require: property tests try the same examples each time, so that a run fails for what changed and not
// by chance. DIALTREE_TEST_SEED=N tries others.
fc.configureGlobal({ seed: Number(process.env['DIALTREE_TEST_SEED'] ?? 20_261_123) });
