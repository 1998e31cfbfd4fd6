import { pathToFileURL } from 'node:url';
import type * as Ort from 'onnxruntime-web';
import type { AssetFiles } from './assetFiles.ts';

export type OnnxRuntime = typeof Ort;

/**
 * Opens models on one thread: with `onnxruntime-node` if it is installed beside Dialtree, which is two to three times
 * faster, and otherwise with onnxruntime-web from the assets.
 */
export class OnnxModels {
  readonly ort: OnnxRuntime;
  readonly #assets: AssetFiles;
  readonly #native: boolean;

  private constructor(ort: OnnxRuntime, assets: AssetFiles, native: boolean) {
    this.ort = ort;
    this.#assets = assets;
    this.#native = native;
  }

  /** Once a thread: the runtime's state is global. */
  static async load(assets: AssetFiles): Promise<OnnxModels> {
    const native = await nativeRuntime();
    return new OnnxModels(native ?? (await webRuntime(assets)), assets, native !== undefined);
  }

  async open(name: string): Promise<Ort.InferenceSession> {
    return this.ort.InferenceSession.create(
      await this.#assets.read(name),
      this.#native
        ? { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' }
        : { executionProviders: ['wasm'] },
    );
  }

  /** Runs a model. Outputs that aren't `wanted` may be left out, which saves copying them. */
  async run(
    session: Ort.InferenceSession,
    feeds: Readonly<Record<string, Ort.Tensor>>,
    wanted: readonly string[],
  ): Promise<Ort.InferenceSession.OnnxValueMapType> {
    // onnxruntime-node returns its first outputs, whichever are named.
    return this.#native ? session.run(feeds) : session.run(feeds, wanted);
  }
}

async function nativeRuntime(): Promise<OnnxRuntime | undefined> {
  const name = 'onnxruntime-node';
  try {
    const module = (await import(name)) as OnnxRuntime & { readonly default?: OnnxRuntime };
    return module.default ?? module;
  } catch {
    // Not installed, or not built for this machine.
    return undefined;
  }
}

async function webRuntime(assets: AssetFiles): Promise<OnnxRuntime> {
  const wasmBinary = await assets.read('onnxruntime/ort-wasm-simd-threaded.wasm');
  await assets.verify('onnxruntime');
  const ort = (await import(pathToFileURL(assets.path('onnxruntime/ort.wasm.min.mjs')).href)) as OnnxRuntime;
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = wasmBinary.slice().buffer;
  ort.env.wasm.wasmPaths = { mjs: pathToFileURL(assets.path('onnxruntime/ort-wasm-simd-threaded.mjs')).href };
  ort.env.logLevel = 'error';
  return ort;
}
