import { MOST_DIAGRAM_TABLES } from '@devdb/shared/limits';
import { type SchemaGraph, schemaGraphSchema } from '@devdb/shared/protocol/schema-graph';
import { connection } from '@devdb/shared/tools/database/fields';
import { defineTool, READ_ONLY } from '@devdb/shared/tools/define-tool';
import * as z from 'zod';
import type { ToolContext } from './tool-context.ts';

/** What a person sees as a diagram: a tool like the agents' for the gate, which no agent can call. */
export const personDiagram = defineTool({
  name: 'diagram-for-person',
  title: 'Read a schema for a diagram',
  description: 'Reads tables and the keys between them, for a person who looks at them as a diagram.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({
    /** The tables that the diagram is about; the others are taken as far as there is room. */
    tables: z.array(z.string().min(1)).min(1).max(MOST_DIAGRAM_TABLES).optional(),
    /** No others. */
    only: z.boolean().optional(),
    connection,
  }),
  output: schemaGraphSchema(),
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL'],
  timeoutMs: 20_000,
  text: { as: 'json' },
  words: { effect: 'reads the schema' },
  examples: [],
});

/** Reads the schema as a graph. */
export async function diagramForPerson(raw: unknown, context: ToolContext): Promise<SchemaGraph> {
  const { tables, only = false, connection: id } = personDiagram.input.parse(raw);
  const { session } = await context.open(id);
  const graph = await session.graph(tables, context.signal);
  return only && tables !== undefined ? within(graph, new Set(tables)) : graph;
}

function within({ tables, left }: SchemaGraph, names: ReadonlySet<string>): SchemaGraph {
  const wanted = tables.filter(({ name }) => names.has(name));
  const told = wanted.map((table) => ({ ...table, keys: table.keys.filter(({ parent }) => names.has(parent)) }));
  return { tables: told, left: left === 0 ? 0 : names.size - wanted.length };
}
