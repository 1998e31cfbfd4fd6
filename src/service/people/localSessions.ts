import { serverLimits } from '../../contract/limits.ts';
import { randomToken, sha256 } from '../workspaces/keyForm.ts';
import { localWorkspaceId } from '../workspaces/localKey.ts';
import type { Session } from './sessions.ts';

const { linkSeconds, sessionSeconds } = serverLimits.localAccount;

/** In place of a person's id. The local workspace belongs to the user of this machine, who has no account. */
const localPersonId = '00000000-0000-4000-8000-000000000002';

/**
 * Sessions of browsers in the local workspace. A link, which only the holder of the service's own key gets, opens one.
 * The tokens are only in memory, as hashes, so both end with the process.
 */
export class LocalSessions {
  readonly #now: () => Date;
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, number>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  createLink(): { readonly token: string; readonly expiresAt: string } {
    const token = this.#create(this.#links, linkSeconds);
    return { token, expiresAt: new Date(this.#now().getTime() + linkSeconds * 1000).toISOString() };
  }

  /** Uses the link up. Returns the token of a new session, or undefined if the link isn't valid. */
  enter(link: string): string | undefined {
    const isValid = this.#isValid(this.#links, link);
    this.#links.delete(sha256(link));
    return isValid ? this.#create(this.#sessions, sessionSeconds) : undefined;
  }

  find(token: string): Session | undefined {
    return this.#isValid(this.#sessions, token)
      ? {
          token,
          personId: localPersonId,
          email: 'the user of this machine',
          workspaceId: localWorkspaceId,
          tier: 'enterprise',
        }
      : undefined;
  }

  close(token: string): void {
    this.#sessions.delete(sha256(token));
  }

  #create(tokens: Map<string, number>, seconds: number): string {
    const now = this.#now().getTime();
    for (const [hash, ends] of tokens) if (ends <= now) tokens.delete(hash);
    const token = randomToken();
    tokens.set(sha256(token), now + seconds * 1000);
    return token;
  }

  #isValid(tokens: ReadonlyMap<string, number>, token: string): boolean {
    return (tokens.get(sha256(token)) ?? 0) > this.#now().getTime();
  }
}
