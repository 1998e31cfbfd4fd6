/**
 * What tells versions of a test apart, loaded when tests are run: in the product a bundle of its own, so that
 * activation reads less.
 */
export { configChanges } from '../../../model/tests/configDiff.ts';
