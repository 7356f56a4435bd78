import { sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { type EditorText, editorText, forEditor } from '../editor-text.ts';
import { BACK, type Back, type Place } from './steps.ts';

const TITLE = editorText`DevDB: Add connection`;

export interface TextQuestion {
  readonly prompt: EditorText;
  readonly value?: string | undefined;
  readonly placeholder?: string;
  readonly isPassword?: boolean;
  /** The problem with a text, in a sentence. */
  readonly problemOf?: (text: string) => string | undefined | Promise<string | undefined>;
  /** Another way to answer, as a button in the title. */
  readonly other?: {
    readonly icon: string;
    readonly tooltip: string;
    readonly choose: () => Promise<string | undefined>;
  };
}

/** Asks for a text. Stays open when the person switches to another program. */
export function askText(
  question: TextQuestion,
  place: Place,
  signal: AbortSignal,
  title = TITLE,
): Promise<string | Back | undefined> {
  const input = vscode.window.createInputBox();
  Object.assign(input, { title, ignoreFocusOut: true, ...shownPlace(place) });
  input.prompt = question.prompt;
  input.value = question.value ?? '';
  input.placeholder = question.placeholder;
  input.password = question.isPassword ?? false;
  const { other } = question;
  const otherButton = other && { iconPath: new vscode.ThemeIcon(other.icon), tooltip: other.tooltip };
  input.buttons = [...backButton(place), ...(otherButton === undefined ? [] : [otherButton])];
  // Another dialog takes its place for a while.
  let isAway = false;
  const listen: Listen<string> = (resolve) => [
    input.onDidChangeValue(() => {
      input.validationMessage = undefined;
    }),
    input.onDidAccept(async () => {
      const text = input.value;
      input.busy = true;
      const problem = await problemIn(question, text);
      input.busy = false;
      // The text may have changed meanwhile.
      if (input.value !== text) return;
      if (problem === undefined) resolve(text);
      else input.validationMessage = forEditor(sentenceText(problem));
    }),
    input.onDidTriggerButton(async (button) => {
      if (button === vscode.QuickInputButtons.Back) return resolve(BACK);
      isAway = true;
      input.value = (await other?.choose()) ?? input.value;
      isAway = false;
      input.show();
    }),
  ];
  return shown(input, signal, listen, () => isAway);
}

/** A check that fails is shown like a problem with the text. */
async function problemIn({ problemOf }: TextQuestion, text: string): Promise<string | undefined> {
  try {
    return await problemOf?.(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export interface Choice<Value> {
  readonly label: EditorText;
  readonly description?: EditorText;
  readonly detail?: EditorText;
  readonly value: Value;
}

/** Lets the person choose one of several. */
export function askChoice<Value>(
  prompt: EditorText,
  choices: readonly Choice<Value>[],
  place: Place,
  signal: AbortSignal,
  title = TITLE,
): Promise<Value | Back | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & Choice<Value>>();
  Object.assign(pick, { title, ignoreFocusOut: true, ...shownPlace(place) });
  pick.placeholder = prompt;
  pick.items = [...choices];
  pick.matchOnDescription = true;
  pick.buttons = backButton(place);
  return shown(pick, signal, (resolve) => [
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) resolve(chosen.value);
    }),
    pick.onDidTriggerButton(() => resolve(BACK)),
  ]);
}

/** Shows that something is being done, where the questions were. Hiding it cancels the work and goes back. */
export async function whileBusy<Value>(
  what: EditorText,
  work: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<Value | Back> {
  const stop = new AbortController();
  const pick = vscode.window.createQuickPick();
  Object.assign(pick, { title: TITLE, ignoreFocusOut: true, busy: true, placeholder: what });
  pick.items = [{ label: `$(loading~spin) ${what}`, detail: 'Press Escape to cancel.', alwaysShow: true }];
  // Not by Enter: pressing it once too often in the previous step must not cancel.
  pick.buttons = [{ iconPath: new vscode.ThemeIcon('close'), tooltip: 'Cancel' }];
  const ends = [pick.onDidHide(() => stop.abort()), pick.onDidTriggerButton(() => stop.abort())];
  pick.show();
  try {
    return await work(AbortSignal.any([stop.signal, signal]));
  } catch (error) {
    if (stop.signal.aborted) return BACK;
    throw error;
  } finally {
    for (const end of ends) end.dispose();
    pick.dispose();
  }
}

function shownPlace({ step, totalSteps }: Place) {
  return totalSteps > 1 ? { step, totalSteps } : {};
}

function backButton({ canGoBack }: Place): vscode.QuickInputButton[] {
  return canGoBack ? [vscode.QuickInputButtons.Back] : [];
}

type Listen<Value> = (resolve: (value: Value | Back | undefined) => void) => vscode.Disposable[];

/** Shows an input until it is answered, the person hides it, or the extension ends. */
async function shown<Value>(
  input: vscode.QuickInput,
  signal: AbortSignal,
  listen: Listen<Value>,
  isAway = () => false,
): Promise<Value | Back | undefined> {
  const { promise, resolve } = Promise.withResolvers<Value | Back | undefined>();
  const onAbort = () => resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  const onHide = () => {
    if (!isAway()) resolve(undefined);
  };
  const listening = [...listen(resolve), input.onDidHide(onHide)];
  try {
    input.show();
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const one of listening) one.dispose();
    input.dispose();
  }
}
