import fc from 'fast-check';

// For mocha's --require: property tests use the same examples every time, so that a run fails because of a change and
// not by chance. DIALTREE_TEST_SEED=N uses others.
fc.configureGlobal({ seed: Number(process.env['DIALTREE_TEST_SEED'] ?? 20_261_123) });
