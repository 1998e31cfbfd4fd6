import { deserialize, serialize } from 'node:v8';
import { Listeners } from '../../src/base/listeners.ts';
import type { Letter, LoadMail } from '../../src/service/load/loadMail.ts';

/** The mail between the processes of a load test, in memory. */
export class MemoryMail implements LoadMail {
  /** Letters that haven't been read. */
  letters: Letter[] = [];
  /** Everything that was ever stored. */
  readonly stored: Letter[] = [];
  /** If false, notices are lost. */
  announces = true;
  /** Called after each letter was stored; if it throws, the sender doesn't know that. */
  afterStoring: () => void = () => undefined;
  readonly invitations: string[] = [];
  readonly #watchers = new Listeners<[receiver: string]>();
  readonly #invited = new Listeners<[loadTestId: string, leader: string]>();

  async send(letters: readonly Letter[]): Promise<void> {
    await Promise.resolve();
    for (const letter of letters) {
      const copy = deserialize(serialize(letter)) as Letter;
      this.letters.push(copy);
      this.stored.push(copy);
    }
    this.afterStoring();
    if (this.announces) for (const { receiver } of letters) this.#watchers.tell(receiver);
  }

  async collect(receiver: string): Promise<readonly Letter[]> {
    await Promise.resolve();
    const found = this.letters.filter((letter) => letter.receiver === receiver);
    this.letters = this.letters.filter((letter) => letter.receiver !== receiver);
    return found.sort((one, other) => one.number - other.number);
  }

  async discard(mailbox: string): Promise<void> {
    await Promise.resolve();
    this.letters = this.letters.filter(({ sender, receiver }) => sender !== mailbox && receiver !== mailbox);
  }

  discardOld(): Promise<void> {
    return Promise.resolve();
  }

  watch(receiver: string, onMail: () => void): () => void {
    return this.#watchers.add((announced) => {
      if (announced === receiver) onMail();
    });
  }

  invite(loadTestId: string, leader: string): void {
    this.invitations.push(loadTestId);
    this.#invited.tell(loadTestId, leader);
  }

  onInvitation(listener: (loadTestId: string, leader: string) => void): () => void {
    return this.#invited.add(listener);
  }
}
