import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import type { AssetFiles } from './assetFiles.ts';
import { downsample } from './resample.ts';
import { readWav } from './wav.ts';

/** The voices compiled into the synthesiser. `rms` is the clearest on a telephone. */
export const fliteVoices: readonly string[] = ['rms', 'awb', 'kal', 'kal16', 'slt'];

/**
 * Replaces what the synthesiser would drop or misspell with words: keypad signs, typographic quotes, letters with
 * accents. The result is printable ASCII on one line, because flite reads bytes.
 */
function speakableText(text: string): string {
  return text
    .replace(/#/g, ' pound ')
    .replace(/\*/g, ' star ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, ', ')
    .replace(/…/g, '. ')
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]+/g, (run) => (/^\p{M}+$/u.test(run) ? '' : ' '))
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * flite (CMU), compiled to WASI. It writes to a file in memory, and can't access real files. Each text uses a new
 * instance, because the program runs only once.
 */
export class Flite {
  readonly #module: WebAssembly.Module;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  static async load(assets: AssetFiles): Promise<Flite> {
    return new Flite(await WebAssembly.compile(await assets.read('flite/flite.wasm')));
  }

  /**
   * 8 kHz, 16 bit. Sentences are spoken one by one, which leaves a natural pause of about 0.3 s between them. Text
   * without anything to say returns no samples.
   */
  speak(text: string, voice: string): Int16Array {
    const sentences = speakableText(text)
      .split(/(?<=[^.]{3}[.!?]) (?=[A-Z])/)
      .filter((sentence) => /[a-z0-9]/i.test(sentence));
    const pieces = sentences.map((sentence) => this.#say(sentence, voice));
    const joined = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }

  #say(sentence: string, voice: string): Int16Array {
    const file = new File([]);
    let errorOutput = '';
    const output = new ConsoleStdout((chunk) => {
      errorOutput += new TextDecoder().decode(chunk);
    });
    const host = new WASI(
      ['flite', '-voice', voice, '-t', sentence, '-o', 'out.wav'],
      [],
      [new OpenFile(new File([])), output, output, new PreopenDirectory('.', new Map([['out.wav', file]]))],
      // Without this, the library writes a log to standard output.
      { debug: false },
    );
    const instance = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: host.wasiImport });
    const exitCode = host.start(instance as Parameters<WASI['start']>[0]);
    if (exitCode !== 0 || file.size === 0n) throw new Error(`flite ended with ${exitCode}: ${errorOutput}`);
    const wav = readWav(file.data);
    const pcm = wav.channels[0] ?? new Int16Array(0);
    return wav.sampleRate === 16000 ? downsample(pcm) : pcm;
  }
}
