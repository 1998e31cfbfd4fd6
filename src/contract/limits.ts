/** Every bound and default of the interface, in one place. */
export const limits = {
  name: { min: 1, max: 200 },
  description: { max: 2000 },
  /** Mission, and acceptance. */
  missionText: { min: 1, max: 8000 },
  /** Of a mission's call; the greatest of both are also what a mission without bounds has. */
  missionTurns: { min: 1, max: 30 },
  missionSeconds: { min: 10, max: 600 },
  /** How often the judge is asked. */
  judgeVotes: { min: 1, max: 9 },
  sector: { pattern: /^[a-z0-9-]{1,60}$/ },
  tags: { max: 20, pattern: /^[a-z0-9-]{1,40}$/ },
  list: { min: 1, max: 100, default: 50 },
  maxDepth: { min: 1, max: 12, default: 5 },
  maxCalls: { min: 1, max: 1000, default: 60 },
  concurrency: { min: 1, max: 20, default: 4 },
  steps: { min: 1, max: 200 },
  /** Rows of a param test. */
  rows: { min: 1, max: 1000 },
  /** `callsPerSecond.max` is the default too. `digits` and `keys`: of one press, and presses of a call. */
  loadTest: {
    calls: { min: 1, max: 2000 },
    rampSeconds: { min: 0, max: 600 },
    holdSeconds: { min: 0, max: 3600 },
    callsPerSecond: { min: 0.1, max: 50 },
    tickLatenessMs: { min: 1, max: 60_000 },
    keys: 50,
    digits: 64,
  },
  /** So long a compliance probe waits for their call. */
  receive: { waitSeconds: 300 },
  aggregateGroups: 100,
  audioUrlSeconds: 3600,
  claimLinkSeconds: 3600,
  /** So long a request that is sent again under its Idempotency-Key gets the first answer. */
  idempotencySeconds: 86_400,
  anchors: { max: 3, codeDigits: 6, codeSeconds: 300, codesAnHour: 5, codesEver: 50, wrongTries: 5 },
  /** Per network address; IPv6 by /64. */
  registrationsAnHour: 3,
  keys: { max: 50 },
  /** Numbers and addresses that a key is limited to. */
  keyNumbers: { max: 100 },
  recordingDays: { min: 1, max: 3650 },
  /** What a workspace may set as its own bounds. */
  budgets: { seconds: { min: 0, max: 1e9 }, calls: { min: 0, max: 1e9 }, cost: { min: 0, max: 1e9 } },
  forbiddenKeys: { max: 12 },
  /** Of a route of the dial plan, and of a line. */
  costPerMinute: { min: 0, max: 1000 },
  /** Lines of a service; `name` in characters; `numbers`: numbers and prefixes that one serves. */
  lines: {
    most: 50,
    name: 40,
    numbers: 200,
    callsPerSecond: { min: 0.1, max: 50 },
    concurrentCalls: { min: 1, max: 2000 },
  },
  /** A request body larger than this is refused with 413. */
  bodyBytes: 1_048_576,
  /**
   * One connection. Headers beyond their size or count are refused with 431; headers, or a whole request, that take longer to come are with 408.
   * An idle connection is kept a little longer than proxies keep theirs, so that none sends into one that is just being closed.
   * Connections beyond their number are closed at once. Answers may take any time.
   */
  connection: {
    headerBytes: 16_384,
    headers: 100,
    headersSeconds: 15,
    requestSeconds: 60,
    idleSeconds: 65,
    connections: 2000,
  },
} as const;

export const defaultMappingMode = 'hybrid';
export const defaultProbeMode = 'off';

export type Tier = 'free' | 'starter' | 'team' | 'enterprise';

/** `runs`: mapping, mission, scripted and compliance runs in flight at once. */
export const tiers: Readonly<Record<Tier, { readonly requestsPerMinute: number; readonly runs: number }>> = {
  free: { requestsPerMinute: 30, runs: 2 },
  starter: { requestsPerMinute: 60, runs: 5 },
  team: { requestsPerMinute: 300, runs: 20 },
  enterprise: { requestsPerMinute: 1000, runs: 100 },
};

/** What a verified human gets once: minutes of calls by pool, and enrichment tokens. */
export const freeGrant = {
  minutes: { testing: 30, loadTesting: 10, mapping: 60, s2s: 10, s2stest: 10 },
  enrichmentTokens: 200,
} as const;
