import type { Config } from 'jest';

const transform: Config['transform'] = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
  ],
};

type Project = NonNullable<Config['projects']>[number];

function project(displayName: string, testMatch: string[], setupFilesAfterEnv: string[] = []): Project {
  return {
    displayName,
    testMatch,
    runner: '<rootDir>/fixtures/labs/claiming-runner.ts',
    setupFilesAfterEnv,
    transform,
    testEnvironment: 'node',
    extensionsToTreatAsEsm: [],
    // It contains a whole editor, and packages with the same names as this project's.
    modulePathIgnorePatterns: ['<rootDir>/.cache/'],
  };
}

// Unit tests are beside their source; `contract` and `process` suites run real processes against the built bundle.
const config: Config = {
  // A test waits for events, never for time; this only ends one that hangs, even on a busy machine.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/fixtures/labs/running-suites.ts'],
  projects: [
    project('shared', ['<rootDir>/shared/src/**/*.test.ts']),
    project('sidecar', ['<rootDir>/sidecar/src/**/*.test.ts']),
    project('extension', ['<rootDir>/extension/src/**/*.test.ts']),
    project('editor', ['<rootDir>/extension/test/**/*.test.ts'], ['<rootDir>/extension/test/helpers/long-waits.ts']),
    project('process', ['<rootDir>/sidecar/test/**/*.test.ts', '<rootDir>/fixtures/**/*.test.ts']),
  ],
};

export default config;
