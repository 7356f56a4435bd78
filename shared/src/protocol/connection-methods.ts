import * as z from 'zod';
import { SERVER_TYPES } from '../engines.ts';
import { once } from '../once.ts';
import { method } from './method.ts';

const name = once(() => z.string().trim().min(1));

/** A SQLite file that a person named; a relative path counts from the project's root. */
const fileConnectionSchema = once(() =>
  z.strictObject({ type: z.literal('sqlite'), name: name(), path: z.string().min(1) }),
);

/** A database on a server that a person typed in. The password travels beside it, never in it. */
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

/** A database that a person typed in. */
const connectionSchema = once(() => z.discriminatedUnion('type', [fileConnectionSchema(), serverConnectionSchema()]));
export type TypedConnection = z.infer<ReturnType<typeof connectionSchema>>;

/** Which login a kept password is for. It is given to no other: a file of the repository may come to name another host. */
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

/** What the editor keeps for one project: databases on this machine only, and passwords for entries of `.devdbrc`. */
export const keptConnectionsSchema = once(() =>
  z.strictObject({
    connections: z.array(connectionSchema()),
    passwords: z.array(z.strictObject({ login: loginSchema(), password: z.string() })),
  }),
);
export type KeptDatabases = z.infer<ReturnType<typeof keptConnectionsSchema>>;

/** The sidecar asks the editor for what it keeps; passwords cross the pipe and are written nowhere. */
export const keptDatabases = method(
  'editor/keptDatabases',
  () => z.strictObject({ root: z.string() }),
  keptConnectionsSchema,
);

/** What the editor keeps for a project has changed: every call of a tool that comes after the answer sees it. */
export const keptConnectionsChanged = method(
  'sidecar/keptConnectionsChanged',
  () => z.strictObject({ root: z.string() }),
  () => z.object({}),
);

/** Connects once and says what answered; E_NO_CONNECTION carries the engine's own sentence. */
export const testConnection = method(
  'sidecar/testConnection',
  () => z.strictObject({ root: z.string(), connection: connectionSchema(), password: z.string().optional() }),
  () => z.object({ product: z.string(), version: z.string() }),
);

/** What a database URL says; the reason never quotes it, since it may hold a password. */
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

/** Writes a connection into the project's `.devdbrc`; typed in by a person, it needs no further approval here. */
export const writeConnection = method(
  'sidecar/writeConnection',
  () => z.strictObject({ root: z.string(), connection: connectionSchema() }),
  () => z.object({ id: z.string(), file: z.string() }),
);

/** A connection that a person can change: one of `.devdbrc`, or one that the editor keeps. */
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

/** The connections of a project that a person can change. */
export const ownConnections = method(
  'sidecar/ownConnections',
  () => z.strictObject({ root: z.string() }),
  () => z.object({ connections: z.array(ownConnectionSchema()) }),
);

/** Takes a connection out of the project's `.devdbrc`. */
export const eraseConnection = method(
  'sidecar/eraseConnection',
  () => z.strictObject({ root: z.string(), id: z.string() }),
  () => z.object({ file: z.string() }),
);
