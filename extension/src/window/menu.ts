import { type EditorText, editorText } from '../editor-text.ts';
import type { WindowState } from './window-state.ts';

/** A row of the status bar item's menu: its text and its command. */
export interface MenuRow {
  readonly label: EditorText;
  readonly command: string;
}

const COPY_URL = { label: editorText`$(copy) Copy server URL`, command: 'devdb.copyServerUrl' };
const COPY_SETUP = { label: editorText`$(clippy) Copy set-up for a client...`, command: 'devdb.copySetup' };
const DOCTOR = { label: editorText`$(pulse) Doctor report`, command: 'devdb.doctor' };
const ADD = { label: editorText`$(add) Add connection...`, command: 'devdb.addConnection' };
const RESTART = { label: editorText`$(refresh) Restart`, command: 'devdb.restart' };
const STOP = { label: editorText`$(debug-stop) Stop`, command: 'devdb.stop' };
const START = { label: editorText`$(play) Start`, command: 'devdb.start' };
const SETTINGS = { label: editorText`$(gear) Settings`, command: 'devdb.openSettings' };
const LOG = { label: editorText`$(output) View log`, command: 'devdb.showLog' };

/** The possible actions in this state, the likeliest first. */
export function menuRows({ sidecar }: WindowState): readonly MenuRow[] {
  switch (sidecar.kind) {
    case 'running':
      return [COPY_URL, COPY_SETUP, DOCTOR, ADD, RESTART, STOP, SETTINGS, LOG];
    case 'starting':
      return [LOG, RESTART, STOP, SETTINGS];
    case 'failed':
      return [LOG, RESTART, SETTINGS];
    case 'stopped':
      return [START, LOG, SETTINGS];
    case 'off':
      return [SETTINGS, LOG];
  }
}
