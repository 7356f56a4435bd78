import type { EngineKind, Target } from '../engines/engine.ts';
import type { Secret } from '../host/secret.ts';
import type { ProjectView } from './project-view.ts';

/** Where a finding stands, as a person would look it up. */
export interface Source {
  /** Relative to the project's root, with forward slashes. */
  readonly file: string;
  readonly line?: number | undefined;
  /** The detector's name. */
  readonly by: string;
}

/** A field that refers to environment variables. Its text may be a password, so it travels closed. */
export interface UnresolvedField {
  readonly field: string;
  readonly variables: readonly string[];
  readonly text: Secret;
  /** Those of them that the process has and that this field never gets: what they are called may mean a secret. */
  readonly refused?: readonly string[] | undefined;
}

/** A variable of the process whose value stands in a field. */
export interface ProcessVariable {
  readonly field: string;
  readonly variable: string;
}

/** A command that prints a password. It is run only after an approval. */
export interface PasswordCommand {
  readonly argv: readonly string[];
  /** Of the project's own files that it names: an approval does not hold for what is written there later. */
  readonly digest: string | undefined;
}

/** One database that the project's files name. */
export interface Finding {
  /** Short, readable, the same on every run. */
  readonly id: string;
  readonly name: string;
  readonly kind: EngineKind;
  /** A file's path is absolute; links in it are resolved later, in one place, for every detector. */
  readonly target: Target;
  readonly source: Source;
  /** Smaller comes first; see PRIORITY. */
  readonly priority: number;
  /** Name of the environment when the source is not a development file, e.g. production. */
  readonly environment?: string | undefined;
  readonly passwordCommand?: PasswordCommand | undefined;
  readonly unresolved?: readonly UnresolvedField[] | undefined;
  /** Needs an approval: a repository's file names them, and their values are this user's. */
  readonly processVariables?: readonly ProcessVariable[] | undefined;
  /** A person typed it in at this machine; it comes from no file, so it needs no further approval. */
  readonly typedIn?: true | undefined;
}

/** Something that was looked at and left out. The reason never carries a value from the file. */
export interface Skipped {
  readonly file: string;
  readonly line?: number | undefined;
  readonly reason: string;
  /** Something a person wrote does not hold: doctor asks to correct it. */
  readonly mistake?: true;
}

/** The default that a person chose, by its id. */
export interface Pinned {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}

export interface Detection {
  readonly found: readonly Finding[];
  readonly skipped: readonly Skipped[];
  readonly pinned?: Pinned | undefined;
}

/** Finds databases by reading files of one kind. It only reads, through the view, which keeps the bounds. */
export interface Detector {
  readonly name: string;
  /** File patterns, for people: what doctor says was looked for. */
  readonly looksFor: readonly string[];
  detect(project: ProjectView, signal: AbortSignal): Promise<Detection>;
}

/** The rule for the default, as numbers: what a person wrote for DevDB, then what its application uses, then files that lie about. */
export const PRIORITY = {
  devdbrc: 0,
  editor: 5_000,
  environment: 10_000,
  framework: 12_000,
  compose: 16_000,
  file: 20_000,
  testEnvironment: 30_000,
  otherEnvironment: 40_000,
} as const;
