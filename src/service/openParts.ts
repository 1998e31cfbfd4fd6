import { randomUUID } from 'node:crypto';
import type { LanguageModel } from '../language/model/languageModel.ts';
import type { Clock } from '../base/clock.ts';
import { isLoopback } from '../base/loopback.ts';
import type { EventBus } from './store/events.ts';
import type { Logger } from './basics/log.ts';
import { createHandlers, type AccountLink } from './handlers.ts';
import type { OperationHandlers } from './http/operationHandlers.ts';
import { echoKind, LineCalls } from './testing/lineCalls.ts';
import type { AskedEchoes } from './testing/lineCalls.ts';
import type { AudioAddress } from './mapping/tree.ts';
import { RunLifecycle } from './runs/lifecycle.ts';
import { RunQueue } from './runs/runQueue.ts';
import { endRunsOfKey } from './runs/keyRuns.ts';
import { mappingKind, MappingRuns } from './mapping/mappingRuns.ts';
import type { MappingKindOptions } from './mapping/mappingRuns.ts';
import { Retention } from './runs/retention.ts';
import { Signer } from './basics/signing.ts';
import type { Store } from './store/store.ts';
import { loadKind, LoadRuns } from './load/loadRuns.ts';
import type { LoadKindOptions } from './load/loadRuns.ts';
import { HeldSecrets } from './testing/launchSecrets.ts';
import { testKind } from './testing/testKind.ts';
import type { TestKindOptions } from './testing/testKind.ts';
import { TestLaunches } from './testing/testLaunches.ts';
import { Anchors } from './people/anchors.ts';
import type { AnchorOptions } from './people/anchors.ts';
import { Claims } from './people/claims.ts';
import { Keys } from './workspaces/keys.ts';
import type { LocalKey } from './workspaces/localKey.ts';
import { ModelMeter } from './workspaces/modelMeter.ts';
import { LocalSessions } from './people/localSessions.ts';
import { Sessions } from './people/sessions.ts';
import { SignUps } from './people/signUps.ts';
import type { SignUpOptions } from './people/signUps.ts';

/** The parts that exist once the store is open. */
interface OpenParts {
  readonly store: Store;
  readonly signer: Signer;
  /** Runs that this process performs. */
  readonly activeRuns: () => number;
  readonly handlers: OperationHandlers;
  readonly keys: Keys;
  readonly anchors: Anchors;
  readonly claims: Claims;
  readonly signUps: SignUps;
  readonly sessions: Sessions;
  readonly localSessions: LocalSessions;
  /** `isLate`: see `Store.close`. */
  close(isLate?: () => boolean): Promise<void>;
}

interface OpenPartsOptions extends Omit<
  MappingKindOptions & TestKindOptions & LoadKindOptions,
  'store' | 'queue' | 'models' | 'sendsCodes' | 'subjects' | 'secrets'
> {
  readonly openStore: () => Promise<Store>;
  /** The key of the local workspace. A shared store has no such workspace. */
  readonly key: LocalKey | undefined;
  /** Whether this process performs runs. */
  readonly works: boolean;
  readonly events: EventBus;
  /** Notifications of other processes may have been missed. */
  readonly onGap: () => void;
  /** Listeners with this key must not receive anything more. */
  readonly onKeyRevoked: (keyId: string) => void;
  readonly audioUrl: (signer: Signer) => AudioAddress;
  /** The address of a page, such as `claim/TOKEN`. */
  readonly pageUrl: (path: string) => string;
  readonly sms: AnchorOptions['sms'];
  readonly mail: SignUpOptions['mail'];
  readonly mediaDir: string;
  readonly model: LanguageModel | undefined;
}

/** Opens the store and starts its pending work, interrupted runs first. */
export async function openParts(options: OpenPartsOptions): Promise<OpenParts> {
  const { key, events, recordings, clock, now, log } = options;
  const store = await options.openStore();
  try {
    if (store.notices) events.connect(store.notices, options.onGap);
    await key?.enrol(store, randomUUID(), now());
    const signer = new Signer(store.secret);
    const queue = new RunQueue({ store, log });
    const models = options.model && new ModelMeter(store, options.model, now);
    const running = {
      ...options,
      store,
      queue,
      models,
      sendsCodes: options.sms !== undefined,
      secrets: new HeldSecrets(options.events),
    };
    const asked: AskedEchoes = new Map();
    const life = new RunLifecycle(running, {
      mapping: mappingKind(running),
      tests: testKind(running),
      load: loadKind(running),
      echo: echoKind(running, asked),
    });
    const runs = new MappingRuns(running, life);
    const launches = new TestLaunches(running, life);
    const loads = new LoadRuns(running, life);
    const lineCalls = new LineCalls(running, asked, life);
    if (options.works) {
      await life.recover();
      queue.work(async (kind, id) => {
        await life.carryOut(kind, id);
      });
    }
    const retention = new Retention({ store, recordings, events, clock, now, log });
    if (options.works) retention.start();
    const activeRuns = (): number => life.activeCount;
    const keys = new Keys(store, now, key?.id, async (workspaceId, keyId) => {
      options.onKeyRevoked(keyId);
      store.notices?.send({ type: 'revoked', keyId });
      await endRunsOfKey({ store, life, log }, workspaceId, keyId);
    });
    store.notices?.listen({
      onNotice: (notice) => {
        if (notice.type === 'revoked') options.onKeyRevoked(notice.keyId);
      },
    });
    const claims = new Claims(store, now, (token) => options.pageUrl(`claim/${token}`));
    const anchors = new Anchors({ store, signer, clock, now, sms: options.sms, log });
    const signUps = new SignUps({
      store,
      signer,
      now,
      mail: options.mail,
      claims,
      signInUrl: () => options.pageUrl('signin'),
    });
    const localSessions = new LocalSessions(now);
    const stopExports = exportHourly(store, activeRuns, clock, log);
    return {
      store,
      signer,
      activeRuns,
      keys,
      anchors,
      claims,
      signUps,
      sessions: new Sessions(store, signer, now),
      localSessions,
      handlers: createHandlers({
        ...running,
        audioUrl: options.audioUrl(signer),
        signer,
        lineCalls,
        runs,
        launches,
        loads,
        keys,
        anchors,
        claims,
        accountLink: accountLinkOf(options, localSessions),
      }),
      async close(isLate) {
        stopExports();
        queue.takeNoMore();
        // Whatever fails here, the store is closed. Otherwise, the next start would treat it as a crash.
        for (const stopped of await Promise.allSettled([life.stop(), retention.stop()])) {
          if (stopped.status === 'rejected') log.error({ err: stopped.reason }, 'something did not stop cleanly');
        }
        await queue.close().catch((error: unknown) => log.error({ err: error }, 'the queue did not stop cleanly'));
        await store.close(isLate);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The plain address, or for the service's own key on this machine a link that signs in. */
const accountLinkOf =
  ({ key, pageUrl }: Pick<OpenPartsOptions, 'key' | 'pageUrl'>, sessions: LocalSessions): AccountLink =>
  ({ principal, address }) => {
    const url = pageUrl('account');
    const isHere = isLoopback(address) && isLoopback(new URL(url).hostname);
    if (!isHere || key === undefined || principal.keyId !== key.id) return { url };
    const { token, expiresAt } = sessions.createLink();
    return { url: `${url}/open/${token}`, expiresAt };
  };

const exportEveryMs = 3_600_000;

/** Only while no call is active, because exporting the store takes almost a second in which no audio would be sent. */
function exportHourly(store: Store, activeRuns: () => number, clock: Clock, log: Logger): () => void {
  const tick = (): void => {
    timer = clock.setTimeout(tick, exportEveryMs);
    if (activeRuns() === 0)
      store.export().catch((error: unknown) => log.error({ err: error }, 'the hourly export was not written'));
  };
  let timer = clock.setTimeout(tick, exportEveryMs);
  return () => clock.clearTimeout(timer);
}
