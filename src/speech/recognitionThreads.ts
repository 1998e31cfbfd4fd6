import { availableParallelism } from 'node:os';

/** Each takes about 600 MB once its models are loaded. */
export const recognitionThreads = (): number => (availableParallelism() >= 6 ? 2 : 1);
