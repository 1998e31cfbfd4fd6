import manifest from '../../../package.json' with { type: 'json' };

/** The version of the service, which is that of the extension. */
export const serverVersion: string = manifest.version;
