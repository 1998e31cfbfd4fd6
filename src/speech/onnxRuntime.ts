import { pathToFileURL } from 'node:url';
import type * as Ort from 'onnxruntime-web';
import type { AssetFiles } from './assetFiles.ts';

export type OnnxRuntime = typeof Ort;

/** Version 1.22 of onnxruntime-node returns its first outputs, whichever are requested. */
const oldestNativeMinor = 30;

/**
 * Opens models on one thread: with `onnxruntime-node` if it is installed beside Dialtree, which is two to three times
 * faster, otherwise with onnxruntime-web from the assets.
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

  /** Once per thread, because the runtime's state is global. */
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
}

async function nativeRuntime(): Promise<OnnxRuntime | undefined> {
  const name = 'onnxruntime-node';
  try {
    const module = (await import(name)) as OnnxRuntime & { readonly default?: OnnxRuntime };
    const runtime = module.default ?? module;
    const [major = 0, minor = 0] = (runtime.env.versions.node ?? '').split('.').map(Number);
    return major > 1 || minor >= oldestNativeMinor ? runtime : undefined;
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
