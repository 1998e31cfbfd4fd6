/** A mobile number that the service accepts for verification, although it is reserved for fictional use. */
export const mobileExample = '+12025550123';

/** All limits and defaults of the interface. */
export const limits = {
  name: { min: 1, max: 200 },
  description: { max: 2000 },
  /** Mission, and acceptance criterion. */
  missionText: { min: 1, max: 8000 },
  /** Limits of a mission's call. The maximums are also the defaults. */
  missionTurns: { min: 1, max: 30 },
  missionSeconds: { min: 10, max: 600 },
  /** How often the judge is asked. */
  judgeVotes: { min: 1, max: 9 },
  sector: { pattern: /^[a-z0-9-]{1,60}$/ },
  tags: { max: 20, pattern: /^[a-z0-9-]{1,40}$/ },
  list: { min: 1, max: 100, default: 50 },
  maxDepth: { min: 1, max: 12, default: 5 },
  maxCalls: { min: 1, max: 1000, default: 60 },
  /** The longest call of a mapping, from its answer. */
  maxCallSeconds: { min: 30, max: 3600, default: 600 },
  /** How long a call of a mapping may ring. */
  ringSeconds: { min: 5, max: 300, default: 60 },
  concurrency: { min: 1, max: 20, default: 4 },
  /** Labels of a mapping; `characters` is per label. */
  allowedLabels: { max: 50, characters: 100 },
  /** `names`: `{name}` in the texts of one step, each as often as it occurs. */
  steps: { min: 1, max: 200, names: 100 },
  rows: { min: 1, max: 1000, columns: 100 },
  /** A tree that is imported. A run's own trees are smaller. */
  tree: { steps: 20_000, depth: 100 },
  /** Problems that one message or file lists in full; then it says how many more there are. */
  problems: { message: 5, details: 20, file: 100 },
  /**
   * `callsPerSecond.max` is also the default. `digits` is per press; `keys` is presses per call; `stages` is further
   * stages; `seconds` is all ramps and holds together.
   */
  loadTest: {
    /** One process places them all; about 1,000 keep a core busy. */
    calls: { min: 1, max: 2000 },
    rampSeconds: { min: 0, max: 600 },
    holdSeconds: { min: 1, max: 28_800 },
    /** Also of a further stage's hold, which can be a spike. */
    callSeconds: { min: 0, max: 28_800 },
    callsPerSecond: { min: 0.1, max: 50 },
    tickLatenessMs: { min: 1, max: 60_000 },
    stages: { min: 1, max: 20 },
    seconds: { max: 43_200 },
    keys: 50,
    digits: 64,
    /** A test that the calls carry out has no more rows. */
    rows: 10,
  },
  anchors: { max: 3, codeDigits: 6, codeSeconds: 300, codesAnHour: 5, codesEver: 50, wrongTries: 5 },
  /** Numbers and addresses that a key is limited to. */
  keyNumbers: { max: 100 },
  recordingDays: { min: 1, max: 3650 },
  /** Limits that a workspace can set for itself. */
  budgets: {
    seconds: { min: 0, max: 1e9 },
    calls: { min: 0, max: 1e9 },
    cost: { min: 0, max: 1e9 },
    tokens: { min: 0, max: 1e9 },
  },
  forbiddenKeys: { max: 12 },
  /** For a route of the dial plan, and for a line. */
  costPerMinute: { min: 0, max: 1000 },
  /** Lines of a service. `name` is in characters; `numbers` is numbers and prefixes per line. */
  lines: {
    most: 50,
    name: 40,
    numbers: 200,
    callerIds: 200,
    callsPerSecond: { min: 0.1, max: 50 },
    concurrentCalls: { min: 1, max: 2000 },
  },
  /**
   * Profiles of a workspace in addition to its default one. Receivers accept tones and gaps of 40 ms (ITU-T Q.24).
   * `concurrency`: simultaneous calls of one run.
   */
  profiles: {
    most: 50,
    keyToneMs: { min: 40, max: 2000, default: 100 },
    keyGapMs: { min: 40, max: 2000, default: 100 },
    patienceSeconds: { min: 1, max: 60 },
    concurrency: { min: 1, max: 2000 },
  },
} as const;

/** Limits that only the service itself enforces. */
export const serverLimits = {
  keys: { max: 50 },
  /** A guided run: how long its call waits for the next step, and how long it lasts at most. */
  guided: { idleSeconds: 120, seconds: 600 },
  /** How long a compliance probe waits for an incoming call. */
  receive: { waitSeconds: 300 },
  /** `waitSeconds`: the longest wait, and the requests that may wait at the same time in one process. */
  waits: { seconds: 45, perKey: 250, perWorkspace: 500 },
  /** Live sound: how far behind the call a slow listener can be, and the listeners of one process. */
  sound: { behindMs: 300, perRun: 5, perWorkspace: 20 },
  aggregateGroups: 100,
  audioUrlSeconds: 3600,
  claimLinkSeconds: 3600,
  localAccount: { linkSeconds: 60, sessionSeconds: 3600 },
  /** How long a repeated request with the same Idempotency-Key gets the first response. */
  idempotencySeconds: 86_400,
  /** Codes by text message, for all workspaces together: per number, per network (IPv6 by /64), and per server. */
  textMessages: { numberAnHour: 5, numberADay: 10, networkAnHour: 10, serverADay: 500 },
  /** New workspaces: per network (IPv6 by /64), and per server. */
  registrations: { networkAnHour: 3, networkADay: 10, serverADay: 500 },
  /**
   * An IPv6 /48 may ask for as many registrations and codes as this many /64 networks. The owner of a /48 has 65,536 of
   * them.
   */
  networksOfSite: 4,
  /**
   * Codes by mail for people who sign up: per hour to one address and for one network (IPv6 by /64), and per day from
   * one server. The resulting workspaces count as registrations.
   */
  signUp: { codeDigits: 8, codeSeconds: 900, wrongTries: 5, codesAnHour: 5, codesAnHourPerNetwork: 10, codesADay: 500 },
  /**
   * Items that are no longer in use, or belong to one person. The newest are kept, older ones are deleted. Per
   * workspace; sessions per person.
   */
  kept: { revokedKeys: 100, claimLinks: 50, sessions: 20 },
  /** Messages of a JSON-RPC batch, which MCP allowed up to protocol 2025-03-26. Each counts as a request. */
  batch: { min: 1, max: 10 },
  /** Requests without a valid key, including pages, per network address (IPv6 by /64). */
  visitsPerMinute: 120,
  /** How long these requests may block the event loop, in milliseconds. */
  visitLoopMsPerMinute: 8000,
  /** Plans of all runs of one launch. A param test has one per row. */
  launchBytes: 33_554_432,
  /** A larger request body is refused with 413. */
  bodyBytes: 1_048_576,
  /** Levels of objects and arrays in the JSON of a request. The deepest request has fewer than 20. */
  bodyDepth: 100,
  /** Values in the JSON of a request. The largest valid request has fewer: all rows with all their columns. */
  bodyValues: 120_000,
  /**
   * One connection. Too large or too many headers are refused with 431. Headers, or a whole request, that arrive too
   * slowly are refused with 408. An idle connection is kept a little longer than proxies keep theirs, so that they
   * don't send into a closing one. Excess connections are closed immediately. Responses can take any time.
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

/**
 * What a workspace can store. `testBytes`: steps and rows of scripted tests. `answers`: responses of one day, kept for
 * an Idempotency-Key.
 */
export const quotas = [
  'mappings',
  'mappingRuns',
  'missionTests',
  'tests',
  'testBytes',
  'testRuns',
  'loadTests',
  'recordingBytes',
  'consents',
  'answers',
  'answerBytes',
] as const;
export type Quota = (typeof quotas)[number];

/**
 * For the tier free; `scale` multiplies it for other tiers. Scripted tests have a separate limit, because one response
 * lists them all with their steps and rows.
 */
const keeps = (
  scale: number,
  { tests, testBytes }: Pick<Record<Quota, number>, 'tests' | 'testBytes'>,
): Readonly<Record<Quota, number>> => ({
  mappings: 100 * scale,
  mappingRuns: 500 * scale,
  missionTests: 100 * scale,
  tests,
  testBytes,
  testRuns: 2000 * scale,
  loadTests: 100 * scale,
  recordingBytes: 1e9 * scale,
  consents: 100 * scale,
  answers: 500 * scale,
  answerBytes: 5e6 * scale,
});

interface TierBounds {
  readonly requestsPerMinute: number;
  /** How long requests may block the event loop of each process, in milliseconds. */
  readonly loopMsPerMinute: number;
  /** Simultaneous mapping, mission, scripted and compliance runs. */
  readonly runs: number;
  /** Tokens that the service's language model may use per UTC day, input and output together. */
  readonly modelTokensPerDay: number;
  /** Simultaneous event streams per process. */
  readonly streams: number;
  readonly stored: Readonly<Record<Quota, number>>;
}

export const tiers: Readonly<Record<Tier, TierBounds>> = {
  free: {
    requestsPerMinute: 30,
    loopMsPerMinute: 8000,
    runs: 2,
    modelTokensPerDay: 500_000,
    streams: 10,
    stored: keeps(1, { tests: 100, testBytes: 4e6 }),
  },
  starter: {
    requestsPerMinute: 60,
    loopMsPerMinute: 12_000,
    runs: 5,
    modelTokensPerDay: 2_000_000,
    streams: 20,
    stored: keeps(5, { tests: 200, testBytes: 8e6 }),
  },
  team: {
    requestsPerMinute: 300,
    loopMsPerMinute: 20_000,
    runs: 20,
    modelTokensPerDay: 10_000_000,
    streams: 60,
    stored: keeps(50, { tests: 500, testBytes: 16e6 }),
  },
  enterprise: {
    requestsPerMinute: 1000,
    loopMsPerMinute: 40_000,
    runs: 100,
    modelTokensPerDay: 50_000_000,
    streams: 300,
    stored: keeps(500, { tests: 2000, testBytes: 32e6 }),
  },
};

/** What a verified person gets once: call minutes by pool, and enrichment tokens. */
export const freeGrant = {
  minutes: { testing: 30, loadTesting: 10, mapping: 60, s2s: 10, s2stest: 10 },
  enrichmentTokens: 200,
} as const;
