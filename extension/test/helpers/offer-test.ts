import type { SampleEditor } from './sample-window.ts';

/** Offers the editor the test of the sample project, as a test extension does: it is debugged by running its file. */
export function offerTest({ window, root }: Pick<SampleEditor, 'window' | 'root'>): Promise<void> {
  return window.run((vscode, program) => {
    const controller = vscode.tests.createTestController('lab', 'Lab');
    const item = controller.createTestItem('adds', 'adds', vscode.Uri.file(program));
    item.range = new vscode.Range(3, 0, 4, 7);
    controller.items.add(item);
    const debug = async (request: unknown) => {
      const run = controller.createTestRun(Object(request));
      run.started(item);
      const ended = new Promise<void>((resolve) => {
        const listening = vscode.debug.onDidTerminateDebugSession((session) => {
          if (session.parentSession !== undefined) return;
          listening.dispose();
          resolve();
        });
      });
      const config = { type: 'node', name: 'adds', request: 'launch', program, console: 'internalConsole' };
      await vscode.debug.startDebugging(undefined, config, { testRun: run });
      await ended;
      run.passed(item);
      run.end();
    };
    controller.createRunProfile('Debug', vscode.TestRunProfileKind.Debug, debug, true);
  }, `${root}/src/greeting.spec.js`);
}
