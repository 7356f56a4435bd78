import type { ToolDefinition } from '@devdb/shared/tools/define-tool';
import { diagramForPerson, personDiagram } from './diagram-for-person.ts';
import { changeForPerson, personChange, personTable, tableForPerson } from './edit-for-person.ts';
import { explainForPerson, personPlan } from './explain-for-person.ts';
import { exportForPerson, personExport } from './export-for-person.ts';
import { type PersonSink, personQuery, runForPerson } from './run-for-person.ts';
import type { ToolContext } from './tool-context.ts';

/** The person's own tools: listed nowhere, and found by no other caller. */
export const personTools: readonly ToolDefinition[] = [
  personQuery,
  personPlan,
  personDiagram,
  personTable,
  personChange,
  personExport,
];

/** Runs one of them; `sinkOf` finds a result by its name. */
export async function runPersonTool(
  tool: ToolDefinition,
  raw: Record<string, unknown>,
  sinkOf: (result: string) => PersonSink,
  context: ToolContext,
): Promise<unknown> {
  switch (tool) {
    case personQuery: {
      const input = personQuery.input.parse(raw);
      return runForPerson(input, sinkOf(input.result), context);
    }
    case personPlan:
      return explainForPerson(raw, context);
    case personDiagram:
      return diagramForPerson(raw, context);
    case personTable:
      return tableForPerson(sinkOf(personTable.input.parse(raw).result).edits, context);
    case personChange: {
      const { result, changes } = personChange.input.parse(raw);
      return changeForPerson(changes, sinkOf(result).edits, context);
    }
    case personExport: {
      const input = personExport.input.parse(raw);
      return exportForPerson(input, sinkOf(input.result), context);
    }
    default:
      throw new Error(`${tool.name} is no tool of a person's.`);
  }
}
