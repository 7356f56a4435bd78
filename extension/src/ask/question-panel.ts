import { randomBytes } from 'node:crypto';
import { ANSWERS, type Answer, type Question } from '@devdb/shared/protocol';
import * as vscode from 'vscode';
import * as z from 'zod';
import { LABELS, questionPage } from './question-page.ts';

/** The window's first panel says that it is there within this time, even on a busy machine, or panels cannot be shown. */
const FIRST_PANEL_READY_MS = 20_000;

/** Whether this window has shown a panel before. Then it can, however long the next one takes. */
let showsPanels = false;

const messageSchema = z.union([z.object({ ready: z.literal(true) }), z.object({ answer: z.enum(ANSWERS) })]);

/** Shows a question where it can be read whole, and closes it when its call ends. Closing the panel means no. */
export async function showInPanel(question: Question, signal: AbortSignal): Promise<Answer> {
  // An extension can close a panel, but not a modal message.
  const panel = vscode.window.createWebviewPanel('devdb.question', question.title, vscode.ViewColumn.Active, {
    enableScripts: true,
    enableFindWidget: true,
    localResourceRoots: [],
    // A person who looks at a table first comes back to the same question.
    retainContextWhenHidden: true,
  });
  const close = () => panel.dispose();
  signal.addEventListener('abort', close, { once: true });
  try {
    const answer = await answerOf(panel, question);
    if (answer !== 'cannot-be-shown') return answer;
    close();
    return signal.aborted ? 'no' : await showInMessage(question);
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

function answerOf(panel: vscode.WebviewPanel, question: Question): Promise<Answer | 'cannot-be-shown'> {
  return new Promise((resolve) => {
    // Browsers run no webviews where the editor is opened over plain HTTP from another machine.
    const timer = setTimeout(() => {
      if (!showsPanels) resolve('cannot-be-shown');
    }, FIRST_PANEL_READY_MS);
    panel.onDidDispose(() => {
      clearTimeout(timer);
      resolve('no');
    });
    panel.webview.onDidReceiveMessage((raw: unknown) => {
      const message = messageSchema.safeParse(raw);
      if (!message.success) return;
      if ('answer' in message.data) resolve(message.data.answer);
      else {
        showsPanels = true;
        clearTimeout(timer);
      }
    });
    panel.webview.html = questionPage(question, randomBytes(16).toString('hex'));
  });
}

async function showInMessage({ title, message, kind = 'change' }: Question): Promise<Answer> {
  const { once, session } = LABELS[kind];
  const yes = session === undefined ? [once] : [once, session];
  const choice = await vscode.window.showWarningMessage(title, { modal: true, detail: message }, ...yes);
  if (choice === undefined) return 'no';
  return choice === session ? 'session' : 'once';
}
