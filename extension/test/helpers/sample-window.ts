import { join } from 'node:path';
import { makeSampleProject } from '../../../fixtures/labs/sample-project.ts';
import { DevdbHome } from './devdb-home.ts';
import { type Editor, type EditorOptions, startEditor, type Window } from './editor-lab.ts';

/** A window of the sample project, and the project's root. */
export interface SampleWindow {
  readonly root: string;
  readonly window: Window;
}

/** An editor, its DevDB home, and its open window. */
export interface SampleEditor extends SampleWindow {
  readonly editor: Editor;
  readonly devdb: DevdbHome;
}

/** Opens a sample project of this name; `prepare` may first add to its folder. Resolves when it is served. */
export async function openSample(
  editor: Editor,
  name: string,
  prepare: (root: string) => void = () => undefined,
): Promise<SampleWindow> {
  const root = makeSampleProject(join(editor.projects, name));
  prepare(root);
  const window = await editor.open(root);
  await new DevdbHome(editor.home).serving(root);
  return { root, window };
}

/**
 * Starts an editor with the sample project open. The caller stops the editor; if starting fails, it is stopped here.
 */
export async function startOnSample(
  options: EditorOptions = {},
  prepare?: (root: string) => void,
): Promise<SampleEditor> {
  const editor = await startEditor(options);
  try {
    return { editor, devdb: new DevdbHome(editor.home), ...(await openSample(editor, 'shop', prepare)) };
  } catch (error) {
    await editor.stop();
    throw error;
  }
}
