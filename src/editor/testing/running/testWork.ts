/**
 * Compares versions of a test, loaded when tests are run. In the product this is a separate bundle, so that activation
 * reads less.
 */
export { configChanges } from '../../../model/tests/configDiff.ts';
