import { deserialize, serialize } from 'node:v8';
import type { Notices } from '../store/notices.ts';
import type { Store } from '../store/store.ts';

/** Messages from one mailbox to another. */
export interface Letter {
  readonly loadTestId: string;
  readonly sender: string;
  readonly receiver: string;
  /** Counts the letters of the sender, in order. A letter that is sent twice has the same number. */
  readonly number: number;
  /** Plain data. */
  readonly messages: readonly unknown[];
}

/** Carries letters between the processes that place the calls of a load test. */
export interface LoadMail {
  send(letters: readonly Letter[]): Promise<void>;
  /** Returns the letters to a mailbox, those of each sender in order. Each is returned once. */
  collect(receiver: string): Promise<readonly Letter[]>;
  /** Discards the letters from and to one mailbox. */
  discard(mailbox: string): Promise<void>;
  /** Discards what crashed processes left: the letters of load tests that have ended. */
  discardOld(): Promise<void>;
  /** `onMail` is called if there may be a letter; it can be missing, so the reader also looks from time to time. */
  watch(receiver: string, onMail: () => void): () => void;
  /** Asks the other processes for help with the calls of a load test. */
  invite(loadTestId: string, leader: string): void;
  onInvitation(listener: (loadTestId: string, leader: string) => void): () => void;
}

/** Letters in a table of the database, announced by notices. */
export function storedMail({ db }: Pick<Store, 'db'>, notices: Notices): LoadMail {
  return {
    async send(letters) {
      await db
        .insertInto('load_mail')
        .values(
          letters.map(({ loadTestId, sender, receiver, number, messages }) => ({
            load_test_id: loadTestId,
            sender,
            receiver,
            number,
            body: serialize(messages),
          })),
        )
        .onConflict((conflict) => conflict.columns(['receiver', 'sender', 'number']).doNothing())
        .execute();
      for (const receiver of new Set(letters.map((letter) => letter.receiver)))
        notices.send({ type: 'loadMail', receiver });
    },
    async collect(receiver) {
      const rows = await db
        .with('taken', (query) => query.deleteFrom('load_mail').where('receiver', '=', receiver).returningAll())
        .selectFrom('taken')
        .selectAll()
        .orderBy('sender')
        .orderBy('number')
        .execute();
      return rows.map(({ load_test_id: loadTestId, sender, number, body }) => ({
        loadTestId,
        sender,
        receiver,
        number,
        messages: deserialize(body) as unknown[],
      }));
    },
    async discard(mailbox) {
      await db
        .deleteFrom('load_mail')
        .where((is) => is.or([is('sender', '=', mailbox), is('receiver', '=', mailbox)]))
        .execute();
    },
    async discardOld() {
      await db
        .deleteFrom('load_mail')
        .where('load_test_id', 'in', (query) =>
          query.selectFrom('load_tests').select('id').where('status', '!=', 'running'),
        )
        .execute();
    },
    watch: (receiver, onMail) =>
      notices.listen({
        onNotice: (notice) => {
          if (notice.type === 'loadMail' && notice.receiver === receiver) onMail();
        },
        onGap: onMail,
      }),
    invite(loadTestId, leader) {
      notices.send({ type: 'loadCalls', loadTestId, leader });
    },
    onInvitation: (listener) =>
      notices.listen({
        onNotice: (notice) => {
          if (notice.type === 'loadCalls') listener(notice.loadTestId, notice.leader);
        },
      }),
  };
}
