/** The few parts of the WebAssembly API that are used here; the compiler declares them only with the DOM. */
declare namespace WebAssembly {
  type ModuleImports = Record<string, unknown>;
  interface Module {
    readonly [brand: symbol]: never;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>;
    constructor(module: Module, imports: Record<string, ModuleImports>);
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
}
