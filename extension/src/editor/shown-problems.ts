import * as vscode from 'vscode';
import type { Problem } from './collected-problems.ts';

const SEVERITIES = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
} as const satisfies Record<vscode.DiagnosticSeverity, string>;

/** A problem as answers have it; line and column count from 1. */
export function shownProblem({ file, diagnostic: { range, message, severity, code, source } }: Problem) {
  const text = typeof code === 'object' ? code.value : code;
  return {
    file,
    line: range.start.line + 1,
    column: range.start.character + 1,
    message,
    severity: SEVERITIES[severity],
    ...(text === undefined ? {} : { code: String(text) }),
    ...(source === undefined ? {} : { source }),
  };
}
