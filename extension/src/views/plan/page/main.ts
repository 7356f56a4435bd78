import type { ShownPlan } from '@devdb/shared/plans';
import { button, element } from '../../page/elements.ts';
import type { FromPlanPage, ShownExplain, ToPlanPage } from '../page-messages.ts';
import { flagList } from './flag-list.ts';
import { PlanTree } from './plan-tree.ts';
import { statusOf } from './words.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromPlanPage): void; setState(state: unknown): void };

const editor = acquireVsCodeApi();
const say = (message: FromPlanPage) => editor.postMessage(message);

/** The plan of one statement. */
class Page {
  readonly #status = element('p', { role: 'status', class: 'status' });
  readonly #cancel = button('Cancel', () => say({ kind: 'cancel' }));
  readonly #again = button('Explain again', () => say({ kind: 'explain', measure: false }));
  readonly #measure = button('Run and measure', () => say({ kind: 'explain', measure: true }), {
    'aria-describedby': 'measuring',
  });
  readonly #measuring = element(
    'span',
    { class: 'note', id: 'measuring' },
    'Measuring runs the statement, as a read that cannot change anything.',
  );
  readonly #statement = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'Statement', class: 'statement' });
  readonly #flags = element('div');
  readonly #tree = new PlanTree();
  readonly #source = element('pre', {
    tabindex: 0,
    role: 'region',
    'aria-label': 'The plan as the database writes it',
  });
  readonly #sourceNote = element('p', { class: 'note' }, 'Only the beginning is shown.');
  readonly #found = element('div', { class: 'found' });
  #plan: ShownPlan | undefined;

  constructor() {
    const tools = { class: 'tools', role: 'toolbar', 'aria-label': 'Plan' };
    this.#found.append(
      this.#flags,
      this.#tree.view,
      element(
        'details',
        {},
        element('summary', {}, 'As the database writes it'),
        button('Copy', () => say({ kind: 'copy-source' }), { 'aria-label': 'Copy the plan as the database writes it' }),
        this.#sourceNote,
        this.#source,
      ),
    );
    const main = document.getElementById('plan') ?? document.body;
    main.append(
      element('div', tools, this.#cancel, this.#again, this.#measure, this.#measuring),
      this.#status,
      this.#statement,
      this.#found,
    );
    addEventListener('message', ({ data }: MessageEvent<ToPlanPage>) => {
      editor.setState(data.kept);
      this.#show(data.shown);
    });
    say({ kind: 'ready' });
  }

  #show(shown: ShownExplain): void {
    const isRunning = shown.state === 'running';
    document.body.dataset['state'] = shown.state;
    this.#status.textContent = statusOf(shown);
    this.#statement.textContent = shown.statement;
    const hadFocus = document.activeElement === this.#cancel;
    this.#cancel.hidden = !isRunning;
    for (const one of [this.#again, this.#measure]) one.disabled = isRunning;
    if (hadFocus && !isRunning) this.#again.focus();
    const canMeasure = shown.plan?.isRead === true;
    this.#measure.hidden = !canMeasure;
    this.#measuring.hidden = !canMeasure;
    this.#found.hidden = shown.plan === undefined;
    if (shown.plan !== undefined && shown.state === 'done') this.#showPlan(shown.plan);
    if (shown.plan === undefined) this.#plan = undefined;
  }

  /** A plan that is on show already keeps what its reader has closed. */
  #showPlan(plan: ShownPlan): void {
    if (JSON.stringify(plan) === JSON.stringify(this.#plan)) return;
    this.#plan = plan;
    this.#flags.replaceChildren(flagList(plan.flags, say));
    this.#tree.show(plan.plan);
    this.#source.textContent = plan.source;
    this.#sourceNote.hidden = !plan.isSourceCut;
  }
}

new Page();
