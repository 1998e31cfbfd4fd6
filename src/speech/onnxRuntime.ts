import { pathToFileURL } from 'node:url';
import type * as Ort from 'onnxruntime-web';
import type { AssetFiles } from './assetFiles.ts';

export type OnnxRuntime = typeof Ort;

/** Loads onnxruntime-web from the assets, WebAssembly on one thread. Once a thread: its state is global. */
export async function loadOnnxRuntime(assets: AssetFiles): Promise<OnnxRuntime> {
  const wasmBinary = await assets.read('onnxruntime/ort-wasm-simd-threaded.wasm');
  await assets.verify('onnxruntime');
  const ort = (await import(pathToFileURL(assets.path('onnxruntime/ort.wasm.min.mjs')).href)) as OnnxRuntime;
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = wasmBinary.slice().buffer;
  ort.env.wasm.wasmPaths = { mjs: pathToFileURL(assets.path('onnxruntime/ort-wasm-simd-threaded.mjs')).href };
  ort.env.logLevel = 'error';
  return ort;
}
