import { statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { SERVER_TYPES, SERVERS, type ServerType } from '@devdb/shared/engines';
import { nameText, pathText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { type EditorText, editorText, forEditor } from '../editor-text.ts';
import {
  type Beginning,
  type Draft,
  hostProblem,
  type Keep,
  nameProblem,
  pathProblem,
  portProblem,
  suggestedName,
  textProblem,
  typeOf,
  usualPort,
} from './draft.ts';
import { askChoice, askText, type Choice, type TextQuestion } from './inputs.ts';
import { BACK, type Step } from './steps.ts';

/** Reads a URL's parts; the sidecar does it. */
export type ReadUrl = (url: string) => Promise<{ readonly draft: Partial<Draft> } | { readonly problem: string }>;

export interface WizardParts {
  readonly roots: readonly string[];
  /** Names already taken in a project. */
  readonly takenNames: (root: string) => Promise<readonly string[]>;
  readonly readUrl: ReadUrl;
  readonly testStep: Step<Draft>;
  /** Project and engine are known from elsewhere. */
  readonly isBegun: boolean;
  readonly signal: AbortSignal;
}

const BEGINNINGS: readonly Choice<Beginning>[] = [
  { label: editorText`$(database) SQLite`, description: editorText`a file`, value: 'sqlite' },
  ...SERVER_TYPES.map((type) => ({ label: editorText`$(server) ${SERVERS[type].title}`, value: type })),
  {
    label: editorText`$(link) Paste a URL`,
    description: editorText`e.g. postgres://user@localhost/shop`,
    value: 'url',
  },
];

const IN_FILE: Choice<Keep> = {
  label: editorText`$(file-code) In .devdbrc`,
  description: editorText`shared with the project`,
  value: 'devdbrc',
};
const WITHOUT_PASSWORD = editorText`The password is kept in this editor's secret storage.`;
const HERE: Choice<Keep> = {
  label: editorText`$(device-desktop) Only on this machine`,
  description: editorText`in this editor's secret storage`,
  value: 'editor',
};

/** The wizard's steps for the answers so far. */
export function wizardSteps(parts: WizardParts): (draft: Draft) => readonly Step<Draft>[] {
  return (draft) => {
    const folder = parts.roots.length > 1 ? [folderStep(parts)] : [];
    const beginning = parts.isBegun ? [] : [...folder, beginningStep(parts)];
    const type = typeOf(draft);
    const url = draft.beginning === 'url' ? [urlStep(parts)] : [];
    const target =
      type === undefined ? [] : type === 'sqlite' ? fileSteps(parts, draft) : serverSteps(parts, draft, type);
    return [...beginning, ...url, ...target, nameStep(parts), parts.testStep, keepStep(parts, draft)];
  };
}

function folderStep({ roots, signal }: WizardParts): Step<Draft> {
  const choices = roots.map((root) => ({
    label: editorText`$(folder) ${nameText(root.split(/[\\/]/).at(-1) ?? root)}`,
    description: forEditor(pathText(root)),
    value: root,
  }));
  return choiceStep(editorText`For which project?`, choices, 'root', signal);
}

function beginningStep({ signal }: WizardParts): Step<Draft> {
  return {
    run: async (draft, place) => {
      const beginning = await askChoice(editorText`What kind of database is it?`, BEGINNINGS, place, signal);
      if (beginning === undefined || beginning === BACK) return beginning;
      if (beginning === draft.beginning) return draft;
      // A port, a path and options depend on the engine.
      const {
        port: _port,
        path: _path,
        url: _url,
        urlType: _type,
        urlSays: _says,
        options: _options,
        ...stays
      } = draft;
      return { ...stays, beginning };
    },
  };
}

function urlStep({ readUrl, signal }: WizardParts): Step<Draft> {
  return {
    run: async (draft, place) => {
      let read: Partial<Draft> = {};
      const question: TextQuestion = {
        prompt: editorText`The database's URL. A password in it is kept only in this editor's secret storage.`,
        placeholder: 'postgres://user:password@localhost:5432/shop',
        value: draft.url,
        problemOf: async (text) => {
          const outcome = await readUrl(text.trim());
          if ('problem' in outcome) return `The URL ${outcome.problem}.`;
          read = outcome.draft;
          return undefined;
        },
      };
      const url = await askText(question, place, signal);
      if (url === undefined || url === BACK) return url;
      // Nothing of an earlier URL is kept.
      return { root: draft.root, beginning: 'url', url, ...read };
    },
  };
}

function fileSteps({ signal }: WizardParts, { root, beginning }: Draft): readonly Step<Draft>[] {
  // The URL already contains it.
  if (beginning === 'url') return [];
  const problemOf = (text: string) => pathProblem(text) ?? missing(root, text.trim());
  const choose = async () => {
    const chosen = await vscode.window.showOpenDialog({ defaultUri: vscode.Uri.file(root), title: 'SQLite database' });
    return chosen?.[0] && shortened(root, chosen[0].fsPath);
  };
  const other = { icon: 'folder-opened', tooltip: 'Browse', choose };
  const question = {
    prompt: editorText`The database file: a path from the project's folder, or an absolute path.`,
    problemOf,
    other,
  };
  return [textStep({ ...question, placeholder: 'data/app.db' }, 'path', signal)];
}

function missing(root: string, path: string): string | undefined {
  const stats = statSync(isAbsolute(path) ? path : join(root, path), { throwIfNoEntry: false });
  return stats?.isFile() ? undefined : 'There is no such file.';
}

function shortened(root: string, path: string): string {
  const inside = relative(root, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside.replaceAll('\\', '/');
}

function serverSteps({ signal }: WizardParts, draft: Draft, type: ServerType): readonly Step<Draft>[] {
  const database = textStep(
    { prompt: editorText`The name of the database.`, problemOf: textProblem('A name') },
    'database',
    signal,
  );
  const password = textStep(
    {
      prompt: editorText`The password; leave it empty where none is needed. It is kept in this editor's secret storage.`,
      isPassword: true,
    },
    'password',
    signal,
  );
  if (draft.beginning === 'url') {
    const { urlSays = [] } = draft;
    return [...(urlSays.includes('database') ? [] : [database]), ...(urlSays.includes('password') ? [] : [password])];
  }
  return [
    textStep(
      { prompt: editorText`The host, or the path of its socket.`, value: 'localhost', problemOf: hostProblem },
      'host',
      signal,
    ),
    textStep({ prompt: editorText`The port.`, value: String(usualPort(type)), problemOf: portProblem }, 'port', signal),
    database,
    textStep({ prompt: editorText`The user to log in as.` }, 'username', signal),
    password,
  ];
}

function nameStep({ takenNames, signal }: WizardParts): Step<Draft> {
  return {
    run: async (draft, place) => {
      const problemOf = nameProblem(await takenNames(draft.root));
      const question = { prompt: editorText`What to call it; agents see this name.`, problemOf };
      return textStep({ ...question, value: suggestedName(draft) }, 'name', signal).run(draft, place);
    },
  };
}

function keepStep({ signal }: WizardParts, { password = '' }: Draft): Step<Draft> {
  const inFile = password === '' ? IN_FILE : { ...IN_FILE, detail: WITHOUT_PASSWORD };
  return choiceStep(editorText`Where is it kept?`, [inFile, HERE], 'keep', signal);
}

type TextField = 'path' | 'host' | 'port' | 'database' | 'username' | 'password' | 'name';

function textStep(question: TextQuestion, field: TextField, signal: AbortSignal): Step<Draft> {
  return {
    run: async (draft, place) => {
      const said = await askText({ ...question, value: draft[field] ?? question.value }, place, signal);
      if (said === undefined || said === BACK) return said;
      // Spaces around a password may belong to it.
      return { ...draft, [field]: field === 'password' ? said : said.trim() };
    },
  };
}

function choiceStep<Value extends string>(
  prompt: EditorText,
  choices: readonly Choice<Value>[],
  field: 'root' | 'keep',
  signal: AbortSignal,
): Step<Draft> {
  return {
    run: async (draft, place) => {
      const chosen = await askChoice(prompt, choices, place, signal);
      if (chosen === undefined || chosen === BACK) return chosen;
      return { ...draft, [field]: chosen };
    },
  };
}
