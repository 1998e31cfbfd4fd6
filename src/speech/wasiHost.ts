const errnoSuccess = 0;
const errnoBadFile = 8;
const errnoNotFound = 44;
const fileTypeDirectory = 3;
const fileTypeRegular = 4;
const openCreate = 1;
const openTruncate = 8;
const rootFd = 3;

class ProcessExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

class MemoryFile {
  #bytes = new Uint8Array(65536);
  length = 0;

  write(at: number, chunk: Uint8Array): void {
    const end = at + chunk.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, at);
    this.length = Math.max(this.length, end);
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

/**
 * The part of WASI preview 1 that a command-line program needs to write files: arguments, one in-memory folder,
 * standard output and error. No real file is accessible.
 */
export class WasiHost {
  readonly #args: readonly Uint8Array[];
  readonly #files = new Map<string, MemoryFile>();
  readonly #open = new Map<number, { file: MemoryFile; position: number }>();
  #memory: WebAssembly.Memory | undefined;
  errorOutput = '';

  constructor(args: readonly string[]) {
    this.#args = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  }

  /** Runs the program's `_start` and returns its exit code. */
  run(module: WebAssembly.Module): number {
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: this.#imports() });
    this.#memory = instance.exports['memory'] as WebAssembly.Memory;
    try {
      (instance.exports['_start'] as () => void)();
      return 0;
    } catch (error) {
      if (error instanceof ProcessExit) return error.code;
      throw error;
    }
  }

  file(name: string): Uint8Array | undefined {
    return this.#files.get(name)?.bytes;
  }

  get #view(): DataView {
    if (!this.#memory) throw new Error('not running');
    return new DataView(this.#memory.buffer);
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#view.buffer, at, length);
  }

  #vectors(at: number, count: number): Uint8Array[] {
    const view = this.#view;
    return Array.from({ length: count }, (_, index) =>
      this.#bytes(view.getUint32(at + index * 8, true), view.getUint32(at + index * 8 + 4, true)),
    );
  }

  #imports(): WebAssembly.ModuleImports {
    return {
      args_sizes_get: (countAt: number, sizeAt: number) => {
        this.#view.setUint32(countAt, this.#args.length, true);
        this.#view.setUint32(
          sizeAt,
          this.#args.reduce((sum, arg) => sum + arg.length, 0),
          true,
        );
        return errnoSuccess;
      },
      args_get: (pointersAt: number, bytesAt: number) => {
        let at = bytesAt;
        this.#args.forEach((arg, index) => {
          this.#view.setUint32(pointersAt + index * 4, at, true);
          this.#bytes(at, arg.length).set(arg);
          at += arg.length;
        });
        return errnoSuccess;
      },
      clock_time_get: (_id: number, _precision: bigint, at: number) => {
        this.#view.setBigUint64(at, 0n, true);
        return errnoSuccess;
      },
      fd_close: (fd: number) => (this.#open.delete(fd) || fd <= rootFd ? errnoSuccess : errnoBadFile),
      fd_fdstat_get: (fd: number, at: number) => {
        if (fd > rootFd && !this.#open.has(fd)) return errnoBadFile;
        this.#bytes(at, 24).fill(0);
        this.#view.setUint8(at, fd === rootFd ? fileTypeDirectory : fileTypeRegular);
        this.#bytes(at + 8, 16).fill(0xff);
        return errnoSuccess;
      },
      fd_fdstat_set_flags: () => errnoSuccess,
      fd_prestat_get: (fd: number, at: number) => {
        if (fd !== rootFd) return errnoBadFile;
        this.#view.setUint32(at, 0, true);
        this.#view.setUint32(at + 4, 1, true);
        return errnoSuccess;
      },
      fd_prestat_dir_name: (_fd: number, at: number) => {
        this.#view.setUint8(at, '.'.charCodeAt(0));
        return errnoSuccess;
      },
      fd_read: (_fd: number, _vectors: number, _count: number, readAt: number) => {
        this.#view.setUint32(readAt, 0, true);
        return errnoSuccess;
      },
      fd_seek: (fd: number, offset: bigint, whence: number, at: number) => {
        const open = this.#open.get(fd);
        if (!open) return errnoBadFile;
        const base = whence === 0 ? 0 : whence === 1 ? open.position : open.file.length;
        open.position = base + Number(offset);
        this.#view.setBigUint64(at, BigInt(open.position), true);
        return errnoSuccess;
      },
      fd_write: (fd: number, vectorsAt: number, count: number, writtenAt: number) => {
        let written = 0;
        const open = this.#open.get(fd);
        for (const chunk of this.#vectors(vectorsAt, count)) {
          if (open) {
            open.file.write(open.position, chunk);
            open.position += chunk.length;
          } else if (fd === 1 || fd === 2) {
            this.errorOutput += new TextDecoder().decode(chunk);
          } else {
            return errnoBadFile;
          }
          written += chunk.length;
        }
        this.#view.setUint32(writtenAt, written, true);
        return errnoSuccess;
      },
      path_open: (
        _dir: number,
        _lookup: number,
        nameAt: number,
        nameLength: number,
        flags: number,
        _rights: bigint,
        _inherited: bigint,
        _fdFlags: number,
        fdAt: number,
      ) => {
        const name = new TextDecoder().decode(this.#bytes(nameAt, nameLength)).replace(/^\.\//, '');
        let file = this.#files.get(name);
        if (!file && (flags & openCreate) === 0) return errnoNotFound;
        if (!file || (flags & openTruncate) !== 0) {
          file = new MemoryFile();
          this.#files.set(name, file);
        }
        const fd = rootFd + 1 + this.#open.size;
        this.#open.set(fd, { file, position: 0 });
        this.#view.setUint32(fdAt, fd, true);
        return errnoSuccess;
      },
      proc_exit: (code: number) => {
        throw new ProcessExit(code);
      },
    };
  }
}
