import * as z from 'zod';
import { SERVER_TYPES } from '../engines.ts';
import { once } from '../once.ts';
import { method } from './method.ts';

const name = once(() => z.string().trim().min(1));

/** A SQLite file that a person chose; a relative path is relative to the project's root. */
const fileConnectionSchema = once(() =>
  z.strictObject({ type: z.literal('sqlite'), name: name(), path: z.string().min(1) }),
);

/** A database on a server that a person entered. The password travels beside it, never inside. */
const serverConnectionSchema = once(() =>
  z.strictObject({
    type: z.enum(SERVER_TYPES),
    name: name(),
    host: z.string().min(1),
    port: z.int().min(1).max(65_535),
    username: z.string(),
    database: z.string().min(1),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
);
export type ServerConnection = z.infer<ReturnType<typeof serverConnectionSchema>>;

/** A database that a person entered. */
const connectionSchema = once(() => z.discriminatedUnion('type', [fileConnectionSchema(), serverConnectionSchema()]));
export type TypedConnection = z.infer<ReturnType<typeof connectionSchema>>;

/**
 * The login a stored password belongs to. No other login gets it: a file of the repository may later name another host.
 */
const loginSchema = once(() =>
  serverConnectionSchema().pick({
    type: true,
    host: true,
    port: true,
    username: true,
    database: true,
  }),
);
export type Login = z.infer<ReturnType<typeof loginSchema>>;

/** What the editor stores for one project: databases on this machine only, and passwords for entries of `.devdbrc`. */
export const keptConnectionsSchema = once(() =>
  z.strictObject({
    connections: z.array(connectionSchema()),
    passwords: z.array(z.strictObject({ login: loginSchema(), password: z.string() })),
  }),
);
export type KeptDatabases = z.infer<ReturnType<typeof keptConnectionsSchema>>;

/** What the editor stores for a project has changed: every tool call after the answer sees it. */
export const keptConnectionsChanged = method(
  'sidecar/keptConnectionsChanged',
  () => z.strictObject({ root: z.string() }),
  () => z.object({}),
);

/** Connects once and reports which server answered; E_NO_CONNECTION carries the engine's own message. */
export const testConnection = method(
  'sidecar/testConnection',
  () => z.strictObject({ root: z.string(), connection: connectionSchema(), password: z.string().optional() }),
  () => z.object({ product: z.string(), version: z.string() }),
);

/** The parts of a database URL; a refusal never quotes the URL, since it may hold a password. */
export const readDatabaseUrl = method(
  'sidecar/readDatabaseUrl',
  () => z.strictObject({ url: z.string() }),
  () =>
    z.union([
      z.strictObject({ ok: z.literal(true), type: z.literal('sqlite'), path: z.string() }),
      z.strictObject({
        ok: z.literal(true),
        type: z.enum(SERVER_TYPES),
        host: z.string(),
        port: z.int(),
        username: z.string(),
        password: z.string().optional(),
        database: z.string(),
        options: z.record(z.string(), z.unknown()),
      }),
      z.strictObject({ ok: z.literal(false), reason: z.string() }),
    ]),
);

/**
 * Writes a connection into the project's `.devdbrc`; a person entered it, so it needs no further approval on this
 * machine.
 */
export const writeConnection = method(
  'sidecar/writeConnection',
  () => z.strictObject({ root: z.string(), connection: connectionSchema() }),
  () => z.object({ id: z.string(), file: z.string() }),
);

/** A connection the user can change: one from `.devdbrc`, or one the editor stores. */
const ownConnectionSchema = once(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    /** The target for people. */
    shown: z.string(),
    from: z.enum(['devdbrc', 'editor']),
    line: z.int().optional(),
    /** Where a password can be kept for it. */
    login: loginSchema().optional(),
  }),
);
export type OwnConnection = z.infer<ReturnType<typeof ownConnectionSchema>>;

/** The connections of a project that the user can change. */
export const ownConnections = method(
  'sidecar/ownConnections',
  () => z.strictObject({ root: z.string() }),
  () => z.object({ connections: z.array(ownConnectionSchema()) }),
);

/** Removes a connection from the project's `.devdbrc`. */
export const eraseConnection = method(
  'sidecar/eraseConnection',
  () => z.strictObject({ root: z.string(), id: z.string() }),
  () => z.object({ file: z.string() }),
);
