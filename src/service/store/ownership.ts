import { createHash, randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

/** Where the owner of a data folder serves it. The key is not part of it: it lies in the folder, where only its user can read it. */
export const ownerAddressSchema = z.object({ mcpUrl: z.url(), baseUrl: z.url(), pid: z.int() });
export type OwnerAddress = z.output<typeof ownerAddressSchema>;

export interface Ownership {
  /** Tells those who ask, now and later. */
  publish(address: OwnerAddress): void;
  release(): Promise<void>;
}

/**
 * Exactly one process owns a data folder: PGlite has no lock of its own, and two of them on one folder lose what was stored.
 * The lock is a listening socket (abstract on Linux, a named pipe on Windows), so the system frees it with the process, however that ends.
 * Later processes connect to it and wait there for the owner's address.
 */
export async function ownDataFolder(path: string): Promise<{ owner: Ownership } | { address: OwnerAddress }> {
  const name = socketName(path);
  for (;;) {
    const owner = await listen(name);
    if (owner) return { owner };
    const answer = await askOwner(name);
    if (typeof answer === 'object') return { address: answer };
    // The owner ended before it answered: its place is free again. A socket file outlives its process, so it is cleared first.
    if (answer === 'refused' && name.startsWith('/')) await clearStale(name);
  }
}

function socketName(path: string): string {
  const id = createHash('sha256')
    .update(`${String(process.getuid?.() ?? '')}\0${realpathSync(path)}`)
    .digest('hex')
    .slice(0, 32);
  if (process.platform === 'linux') return `\0dialtree-${id}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\dialtree-${id}` : join(tmpdir(), `dialtree-${id}.sock`);
}

async function listen(name: string): Promise<Ownership | undefined> {
  const waiting = new Set<Socket>();
  let line: string | undefined;
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    waiting.add(socket);
    socket.on('close', () => {
      waiting.delete(socket);
    });
    if (line !== undefined) socket.end(line);
  });
  const listening = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(name, () => {
      resolve(true);
    });
  });
  if (!listening) return undefined;
  server.unref();
  return {
    publish(address) {
      line = `${JSON.stringify(address)}\n`;
      for (const socket of waiting) socket.end(line);
    },
    async release() {
      for (const socket of waiting) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

function askOwner(name: string): Promise<OwnerAddress | 'gone' | 'refused'> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection(name);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'gone');
    });
    socket.on('close', () => {
      const address = text.endsWith('\n') ? ownerAddressSchema.safeParse(JSON.parse(text)) : undefined;
      resolve(address?.success ? address.data : 'gone');
    });
  });
}

/** Moves the file away before it is removed: were it a new owner's by now, it would answer, and is put back. */
async function clearStale(name: string): Promise<void> {
  const aside = `${name}.${randomUUID()}`;
  try {
    await rename(name, aside);
  } catch {
    return;
  }
  if ((await askOwner(aside)) === 'refused') await rm(aside, { force: true });
  else await rename(aside, name);
}
