/** Every bound and default of the interface, in one place. */
export const limits = {
  name: { min: 1, max: 200 },
  description: { max: 2000 },
  tags: { max: 20, pattern: /^[a-z0-9-]{1,40}$/ },
  list: { min: 1, max: 100, default: 50 },
  maxDepth: { min: 1, max: 12, default: 5 },
  maxCalls: { min: 1, max: 1000, default: 60 },
  concurrency: { min: 1, max: 20, default: 4 },
  audioUrlSeconds: 3600,
  /** A request body larger than this is refused with 413. */
  bodyBytes: 1_048_576,
} as const;

export const defaultMappingMode = 'hybrid';
export const defaultProbeMode = 'off';
