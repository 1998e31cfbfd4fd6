import { fromLoadSchema, type FromLoad, type LoadSnapshot, type ToLoad } from '../../../contract/loadPanel.ts';
import { recordingOfCall, recordingOfReference, type LoadTest } from '../../../contract/loadTests.ts';
import { runName } from '../../../model/calls/targetName.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { isStatus, shownMessage } from '../../basics/errors.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { followedLoad } from '../../../client/follow.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';
import type { WebviewHost } from '../webview/webviewHost.ts';
import type { CancelRequests } from '../../host/connection.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import { FollowedPage } from './followedPage.ts';
import { RecordingReader } from './recordingReader.ts';
import type { SeenProgress } from './seenProgress.ts';

export interface LoadPanelParts extends Pick<Basics, 'clock' | 'l10n' | 'log'> {
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  readonly connection: CancelRequests;
  readonly client: Pick<ServiceClient, 'call' | 'fetchAudioPart'>;
  readonly seen: SeenProgress;
  readonly cancel: (loadTestId: string) => Promise<unknown>;
  /** Places the same calls again, and shows the new test. */
  readonly runAgain: (test: LoadTest) => Promise<unknown>;
  readonly copy: (text: string) => Promise<void>;
}

export class LoadPanel {
  readonly #page: FollowedPage<LoadTest, ToLoad, LoadSnapshot, FromLoad>;

  constructor(host: WebviewHost<ToLoad>, loadTestId: string, parts: LoadPanelParts) {
    const { client, seen, clock, log, l10n } = parts;
    const recordings = new RecordingReader(parts, async (recording) =>
      addressOf(await client.call('getLoadTest', { id: loadTestId }), recording),
    );
    this.#page = new FollowedPage(host, {
      schema: fromLoadSchema,
      id: loadTestId,
      cancels: parts.connection,
      log,
      handlers: {
        requestAudio: async ({ recording, from }) =>
          this.#page.post({ type: 'audio', recording, ...(await recordings.read(recording, from)) }),
        cancel: () => parts.cancel(loadTestId),
        runAgain: () => this.#page.last && parts.runAgain(this.#page.last.test),
        copy: ({ text }) => parts.copy(text),
      },
      follow: (onRead, signal) => parts.feed.follow(followedLoad(client, loadTestId), onRead, signal),
      show: async (test) => {
        const points = seen.add(test, clock.now());
        const name = runName(await client.call('getRun', { id: loadTestId }));
        const going = test.status === 'running';
        return {
          title: l10n.t('Load: {0}', name),
          snapshot: {
            type: 'snapshot',
            name,
            test,
            ...(going && { seen: [...points] }),
            canCancel: going,
            canRunAgain: !going,
          },
        };
      },
      fail: (error) => {
        log.error(`A load test's report was not read: ${describeCause(error)}`);
        const message = isStatus(error, 404) ? l10n.t('This load test no longer exists.') : shownMessage(error, l10n);
        this.#page.post({ type: 'notice', message, severity: 'error' });
      },
    });
  }

  get lastSnapshot(): LoadSnapshot | undefined {
    return this.#page.last;
  }

  dispose(): void {
    this.#page.dispose();
  }
}

function addressOf({ stats }: LoadTest, name: string): string | undefined {
  const { failures = [], references = [] } = stats?.tested ?? {};
  return (
    failures.find(({ call }) => recordingOfCall(call) === name)?.recording ??
    references.find(({ row }) => recordingOfReference(row) === name)
  )?.audioUrl;
}
