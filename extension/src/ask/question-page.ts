import type { Question, SessionScope } from '@devdb/shared/protocol';
import { escapeHtml, ON_REQUEST, type ShownText, shownText, visibleHtml } from './shown-text.ts';

/** The buttons' labels. */
export const LABELS = {
  change: { once: 'Run once', session: 'Run for this session', no: 'No' },
  connect: { once: 'Connect', session: undefined, no: 'No' },
  call: { once: 'Run', session: undefined, no: 'No' },
} as const;

const SESSION_NOTES = {
  kind: 'For this session: later changes of the same kind by this client run without asking.',
  tool: 'For this session: later calls of this tool by this client run without asking.',
  file: 'For this session: later calls of this tool for this file by this client run without asking.',
  same: 'For this session: exactly the same, asked for by this client again, runs without asking.',
} as const satisfies Record<SessionScope, string>;
const SILENCE_NOTES = {
  change: 'Escape means No. Without an answer nothing is run.',
  connect: 'Escape means No. Without an answer nothing is connected.',
  call: 'Escape means No. Without an answer nothing is run.',
} as const;

/** A click meant for what was there before must not count as an answer. */
const BUTTONS_REST_MS = 500;

const STYLE = `
  body { margin: 0; padding: 0; height: 100vh; color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
  main { box-sizing: border-box; height: 100%; max-width: 62em; margin: 0 auto; padding: 1.5em 2em 1em; display: flex; flex-direction: column; gap: 1em; }
  main:focus { outline: none; }
  h1 { font-size: 1.4em; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
  #statement { flex: 0 1 auto; min-height: 4em; overflow: auto; background: var(--vscode-textCodeBlock-background); border: 1px solid var(--vscode-contrastBorder, transparent); border-radius: 4px; padding: 0.75em 1em; }
  #statement:focus-visible, button:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 1px; }
  pre { margin: 0; direction: ltr; unicode-bidi: isolate; font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); white-space: break-spaces; overflow-wrap: anywhere; tab-size: 4; }
  .cut { display: block; margin: 0.6em 0; padding-left: 0.6em; border-left: 3px solid var(--vscode-editorWarning-foreground); font-family: var(--vscode-font-family); }
  .unseen { color: var(--vscode-editorWarning-foreground); border: 1px solid currentColor; border-radius: 2px; font-size: 0.85em; padding: 0 0.2em; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.35em 1.2em; margin: 0; overflow: auto; flex: none; max-height: 30vh; }
  dt { color: var(--vscode-descriptionForeground); }
  dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
  footer { flex: none; }
  .answers { display: flex; flex-wrap: wrap; gap: 0.6em; }
  button { font: inherit; padding: 0.45em 1.1em; border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); border-radius: 2px; cursor: pointer; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
  button:hover:enabled { background: var(--vscode-button-secondaryHoverBackground); }
  button.yes { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
  button.yes:hover:enabled { background: var(--vscode-button-hoverBackground); }
  button:disabled { opacity: 0.55; cursor: default; }
  .vscode-high-contrast button:disabled, .vscode-high-contrast-light button:disabled { opacity: 1; color: var(--vscode-disabledForeground); border-style: dashed; }
  .note { color: var(--vscode-descriptionForeground); margin: 0.7em 0 0; }
`;

/** The page's script. The yes buttons stay disabled until the end of the statement has been visible. */
const SCRIPT = `
  const editor = acquireVsCodeApi();
  const by = (id) => document.getElementById(id);
  const main = document.querySelector('main');
  const answer = (said) => editor.postMessage({ answer: said });
  const buttons = [...document.querySelectorAll('button[data-answer]')];
  let rested = false;
  let seen = by('end') === null;
  const update = () => {
    for (const button of buttons) button.disabled = !rested || (!seen && button.dataset.answer !== 'no');
    by('unread').hidden = seen;
  };
  for (const button of buttons) button.addEventListener('click', () => answer(button.dataset.answer));
  addEventListener('keydown', (event) => { if (event.key === 'Escape') answer('no'); });
  by('show')?.addEventListener('click', () => {
    by('short').hidden = true;
    by('whole').hidden = false;
    by('statement').focus();
  });
  if (!seen) {
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen = true;
      observer.disconnect();
      update();
    }, { root: by('statement') }).observe(by('end'));
  }
  setTimeout(() => { rested = true; update(); }, ${BUTTONS_REST_MS});
  update();
  main.focus();
  editor.postMessage({ ready: true });
`;

/** The page of a question: everything a person needs to decide, for mouse, keyboard and screen reader, in any theme. */
export function questionPage(
  { title, message, kind = 'change', session: scope = 'kind', parts }: Question,
  nonce: string,
): string {
  const { ask, statement, facts } = parts ?? { ask: title, statement: message, facts: [] };
  const labels = LABELS[kind];
  const session = labels.session === undefined ? '' : button('session', labels.session, '');
  const notes = [...(labels.session === undefined ? [] : [SESSION_NOTES[scope]]), SILENCE_NOTES[kind]];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main role="alertdialog" aria-labelledby="ask" aria-describedby="facts" tabindex="-1">
<h1 id="ask">${escapeHtml(ask)}</h1>
${statement === undefined ? '' : statementBox(statement)}
<dl id="facts">${facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`).join('')}</dl>
<footer>
<div class="answers">${button('once', labels.once, 'yes')}${session}${button('no', labels.no, '')}</div>
<p class="note" id="unread" role="status" hidden>Scroll to the end of the statement first.</p>
<p class="note">${notes.map(escapeHtml).join('<br>')}</p>
</footer>
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>`;
}

function button(answer: string, label: string, style: string): string {
  return `<button type="button" data-answer="${answer}" class="${style}" disabled>${label}</button>`;
}

function statementBox(statement: string): string {
  const { head, tail, hidden } = shownText(statement);
  const more = shownText(statement, ON_REQUEST);
  const show = more.hidden === undefined ? 'Show the whole statement' : 'Show more of the statement';
  const button = ` <button type="button" id="show">${show}</button>`;
  const short = `${visibleHtml(head)}${gap(hidden, button)}${visibleHtml(tail)}`;
  const long =
    more.hidden === undefined
      ? visibleHtml(statement)
      : `${visibleHtml(more.head)}${gap(more.hidden)}${visibleHtml(more.tail)}`;
  const whole = hidden === undefined ? '' : `<pre id="whole" hidden>${long}</pre>`;
  return `<div id="statement" role="region" aria-label="Statement" tabindex="0"><pre id="short">${short}</pre>${whole}<span id="end"></span></div>`;
}

function gap(hidden: ShownText['hidden'], button = ''): string {
  if (hidden === undefined) return '';
  const { lines, chars } = hidden;
  const what = lines > 0 ? `${lines} lines (${chars} characters)` : `${chars} characters`;
  return `<span class="cut">${what} are not shown.${button}</span>`;
}
