import { recordingOfCall, recordingOfReference, type LoadTest } from '../../../contract/loadTests.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { followedLoad } from '../../../client/follow.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';
import { FollowedPage, type FollowedPageParts, type PageHandlers, type Shown } from '../webview/followedPage.ts';
import type { WebviewHost } from '../webview/webviewHost.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import { nameReader } from './nameReader.ts';
import { RecordingReader } from './recordingReader.ts';
import type { SeenProgress } from './seenProgress.ts';

export interface LoadPanelParts extends FollowedPageParts, Pick<Basics, 'clock'> {
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  readonly client: Pick<ServiceClient, 'call' | 'fetchAudioPart'>;
  readonly seen: SeenProgress;
  readonly cancel: (loadTestId: string) => Promise<unknown>;
  /** Places the same calls again, and shows the new test. */
  readonly runAgain: (test: LoadTest) => Promise<unknown>;
  readonly copy: (text: string) => Promise<void>;
}

export class LoadPanel extends FollowedPage<'load', LoadTest> {
  readonly #id: string;
  readonly #parts: LoadPanelParts;
  readonly #recordings: RecordingReader;
  readonly #nameOf: ReturnType<typeof nameReader>;

  constructor(host: WebviewHost<'load'>, id: string, parts: LoadPanelParts) {
    super(host, { id, gone: parts.l10n.t('This load test no longer exists.') }, parts);
    this.#id = id;
    this.#parts = parts;
    this.#nameOf = nameReader(parts.client, id);
    this.#recordings = new RecordingReader(parts, async (recording) =>
      addressOf(await parts.client.call('getLoadTest', { id }), recording),
    );
  }

  protected override readonly handlers: PageHandlers<'load'> = {
    requestAudio: async ({ recording, from }) =>
      this.post({ type: 'audio', recording, ...(await this.#recordings.read(recording, from)) }),
    cancel: () => this.#parts.cancel(this.#id),
    runAgain: () => this.lastSnapshot && this.#parts.runAgain(this.lastSnapshot.test),
    copy: ({ text }) => this.#parts.copy(text),
  };

  protected override follow(onRead: (test: LoadTest) => void, signal: AbortSignal): Promise<unknown> {
    return this.#parts.feed.follow(followedLoad(this.#parts.client, this.#id), onRead, signal);
  }

  protected override async show(test: LoadTest): Promise<Shown<'load'>> {
    const { seen, clock, l10n } = this.#parts;
    const points = seen.add(test, clock.now());
    const name = await this.#nameOf(test);
    return {
      title: l10n.t('Load: {0}', name),
      snapshot: { type: 'snapshot', name, test, ...(test.status === 'running' && { seen: [...points] }) },
    };
  }
}

function addressOf({ stats }: LoadTest, name: string): string | undefined {
  const { failures = [], references = [] } = stats?.tested ?? {};
  return (
    failures.find(({ call }) => recordingOfCall(call) === name)?.recording ??
    references.find(({ row }) => recordingOfReference(row) === name)
  )?.audioUrl;
}
