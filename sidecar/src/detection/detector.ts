import type { EngineKind, Target } from '../engines/engine.ts';
import type { Secret } from '../host/secret.ts';
import type { ProjectView } from './project-view.ts';

/** Where a finding is, as a person would look it up. */
export interface Source {
  /** Relative to the project's root, with forward slashes. */
  readonly file: string;
  readonly line?: number | undefined;
  /** The detector's name. */
  readonly by: string;
}

/** A field that refers to environment variables. Its text may be a password, so it is kept secret. */
export interface UnresolvedField {
  readonly field: string;
  readonly variables: readonly string[];
  readonly text: Secret;
  /** Those of them that are set but may never go into this field: their names suggest secrets. */
  readonly refused?: readonly string[] | undefined;
}

/** A variable of the process whose value was put into a field. */
export interface ProcessVariable {
  readonly field: string;
  readonly variable: string;
}

/** A command that prints a password. Run only after approval. */
export interface PasswordCommand {
  readonly argv: readonly string[];
  /** A digest of the project's own files it names, so that an approval does not cover later changes to them. */
  readonly digest: string | undefined;
}

/** One database named in the project's files. */
export interface Finding {
  /** Short, readable, and the same on every run. */
  readonly id: string;
  readonly name: string;
  readonly kind: EngineKind;
  /** A file's path is absolute; links in it are resolved later, in one place for all detectors. */
  readonly target: Target;
  readonly source: Source;
  /** The settings name no database, so it is called like the user, unless the server's own container makes another. */
  readonly usersDatabase?: true | undefined;
  /** Nothing names a database of this server's container, so it is the one that every such server has. */
  readonly unnamed?: true | undefined;
  /** Smaller comes first; see PRIORITY. */
  readonly priority: number;
  /** The environment's name when the source is not for development, e.g. production. */
  readonly environment?: string | undefined;
  readonly passwordCommand?: PasswordCommand | undefined;
  readonly unresolved?: readonly UnresolvedField[] | undefined;
  /**
   * Why it is never the default: it is for test runs, it was only found because the application's own is unread, or
   * running code decides whether the application uses it, or the application's own is copied from it, or it belongs to
   * a program that runs beside the application.
   */
  readonly neverDefault?: 'tests' | 'unread' | 'undecided' | 'template' | 'beside' | undefined;
  /** Needs approval: a repository's file names the variables, and their values are the user's. */
  readonly processVariables?: readonly ProcessVariable[] | undefined;
  /** The user entered it on this machine rather than in a file, so it needs no further approval. */
  readonly typedIn?: true | undefined;
}

/** Something that was found and left out. The reason never quotes a value from the file. */
export interface Skipped {
  readonly file: string;
  readonly line?: number | undefined;
  readonly reason: string;
  /** The user made a mistake, which doctor asks them to correct. */
  readonly mistake?: true;
  /**
   * Settings that name a database which could not be read or reached, or whose engine DevDB does not have, or a server
   * of the application's own that publishes no port.
   */
  readonly unread?: 'settings' | 'engine' | 'server';
  /** What is known of the database that was left out. */
  readonly suggests?: Suggested | undefined;
}

/** A database that was only half understood: what a person has to add or correct in `.devdbrc`. Holds no password. */
export interface Suggested {
  readonly kind: EngineKind;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  readonly database?: string | undefined;
}

/** The default a user has chosen, by its id. */
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

/** Finds databases by reading files of one kind. It only reads, through the view, which enforces the limits. */
export interface Detector {
  readonly name: string;
  /** File patterns for people: what doctor lists as looked for. */
  readonly looksFor: readonly string[];
  detect(project: ProjectView, signal: AbortSignal): Promise<Detection>;
}

/**
 * The order of defaults, as numbers: what the user configured for DevDB, then what the application uses, then files
 * that no settings mention.
 */
export const PRIORITY = {
  devdbrc: 0,
  editor: 5_000,
  environment: 10_000,
  framework: 12_000,
  /** Variables that a rule recognizes, without knowing what reads them. */
  variables: 14_000,
  compose: 16_000,
  /** Containers that a script starts. */
  script: 18_000,
  file: 20_000,
  testEnvironment: 30_000,
  otherEnvironment: 40_000,
} as const;
