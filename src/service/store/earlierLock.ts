import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';

/**
 * The lock of earlier versions. Dialtree checks and holds it in addition to its own, because a window that wasn't
 * reloaded after an update still runs such a version, which would open the same store. Any user of the machine can hold
 * this lock, so its responses are ignored.
 */
interface EarlierLock {
  release(): Promise<void>;
}

const tries = 10;
const tryAgainMs = 200;

/**
 * Rejects with HumanError `earlier_version` if it is held, after a short wait: a killed process frees it a little later
 * than its other sockets.
 */
export async function holdEarlierLock(path: string, clock: Clock): Promise<EarlierLock> {
  const names = earlierNames(path);
  for (let left = tries; (await Promise.all(names.map(isHeld))).includes(true); left -= 1) {
    if (left === 1) {
      throw new HumanError(
        `An earlier version of Dialtree is using the data folder ${path}. Close that version (in the editor, reload all windows), then start Dialtree again. If you aren't running an earlier version, another user of this machine is blocking the folder. In that case, choose another folder with --data.`,
        { status: 503, code: 'earlier_version' },
      );
    }
    await sleep(clock, tryAgainMs);
  }
  // A socket file would outlive the process, so if the lock is a file, it isn't held.
  const locks = names[0]?.startsWith('/') === true ? [] : await Promise.all(names.map(hold));
  return {
    release: async () => {
      await Promise.all(locks.map((one) => one.release()));
    },
  };
}

/** `sun_path` of Linux. Node 20 pads the name of an abstract socket to this length; later versions don't. */
const abstractBytes = 108;

function earlierNames(path: string): string[] {
  const id = createHash('sha256')
    .update(`${String(process.getuid?.() ?? '')}\0${realpathSync(path)}`)
    .digest('hex')
    .slice(0, 32);
  if (process.platform === 'win32') return [`\\\\.\\pipe\\dialtree-${id}`];
  if (process.platform !== 'linux') return [join(tmpdir(), `dialtree-${id}.sock`)];
  const name = `\0dialtree-${id}`;
  return [name, name.padEnd(abstractBytes, '\0')];
}

function isHeld(name: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = createConnection(name);
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

/** Doesn't respond to connections, which earlier versions wait for. */
async function hold(name: string): Promise<EarlierLock> {
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      waiting.delete(socket);
    });
  });
  await new Promise<void>((settle) => {
    // In Node 20, both names are the same.
    server.once('error', () => {
      settle();
    });
    server.listen(name, settle);
  });
  server.unref();
  return {
    async release() {
      for (const socket of waiting) socket.destroy();
      await new Promise<void>((settle) => {
        server.close(() => {
          settle();
        });
      });
    },
  };
}
