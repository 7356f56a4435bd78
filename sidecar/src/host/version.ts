declare const DEVDB_VERSION: string | undefined;

/** The package's version, inserted by the bundler. */
export const VERSION: string = typeof DEVDB_VERSION === 'undefined' ? '0.0.0-source' : DEVDB_VERSION;
