import { button, element } from '../../page/elements.ts';
import type { LeftStatement, ShownResult } from '../page-messages.ts';
import { Host, type News } from './host.ts';
import { ResultView } from './result-view.ts';

/** The results of one run: a tab for each statement where there are several. */
class Page {
  readonly #main = document.getElementById('results') ?? document.body;
  readonly #tabs = element('div', { role: 'tablist', 'aria-label': 'Statements', class: 'tabs' });
  readonly #place = element('div', { class: 'results' });
  readonly #gone = element('div', { role: 'alert', class: 'gone' });
  readonly #host = new Host((news) => this.#hear(news));
  readonly #views = new Map<string, ResultView>();
  #results: readonly ShownResult[] = [];
  #active = '';

  constructor() {
    this.#main.append(this.#gone, this.#tabs, this.#place);
    this.#host.tell({ kind: 'ready' });
  }

  #hear(news: News): void {
    if (news.kind === 'gone') this.#tellGone();
    else if (news.kind === 'keep') this.#host.keep(news.tab);
    else if (news.kind === 'left') this.#tellLeft(news.statements);
    else if (news.kind === 'first-rows') this.#views.get(news.result)?.begin(news.rows);
    else if (news.kind === 'restore') this.#views.get(news.result)?.restore(news.changes);
    else this.#show(news.results);
  }

  #show(results: readonly ShownResult[]): void {
    if (results.length === 0) return;
    this.#gone.replaceChildren();
    const isNew = !results.some(({ id }) => this.#views.has(id));
    const before = this.#results;
    this.#results = results;
    for (const result of results) this.#viewOf(result);
    for (const [id, view] of this.#views) {
      if (results.some((one) => one.id === id)) continue;
      view.end();
      this.#views.delete(id);
    }
    for (const result of results) this.#viewOf(result).show(result);
    // While several statements run, the one that runs is on show; one that has been on show already stays where it is.
    // A result that was asked for later is on show, however soon it is there.
    const stateBefore = new Map(before.map(({ id, state }) => [id, state]));
    const begun = results.find(
      ({ id, state }) => (state === 'running' || state === 'failed') && stateBefore.get(id) !== state,
    );
    const added = before.length === 0 ? undefined : results.find(({ id }) => !stateBefore.has(id));
    const news = begun ?? added;
    if (isNew || news !== undefined) this.#activate(news?.id ?? results[0]?.id ?? '');
    this.#drawTabs();
  }

  #viewOf(result: ShownResult): ResultView {
    const known = this.#views.get(result.id);
    if (known !== undefined) return known;
    const replaced = result.replaces === undefined ? undefined : this.#views.get(result.replaces);
    const view = new ResultView(this.#host, result, replaced);
    this.#views.set(result.id, view);
    return view;
  }

  #activate(id: string): void {
    if (this.#active === id) return;
    this.#active = id;
    const view = this.#views.get(id);
    this.#place.replaceChildren(...(view === undefined ? [] : [view.view]));
    view?.mounted();
    this.#drawTabs();
  }

  #drawTabs(): void {
    this.#tabs.hidden = this.#results.length < 2;
    const state = JSON.stringify([this.#active, this.#results.map(({ id, state: how }) => [id, how])]);
    if (this.#tabs.dataset['state'] === state) return;
    this.#tabs.dataset['state'] = state;
    const hadFocus = this.#tabs.contains(document.activeElement);
    const tabs = this.#results.map((result, at) => this.#tab(result, at));
    this.#tabs.replaceChildren(...tabs);
    if (hadFocus) tabs.find((tab) => tab.getAttribute('aria-selected') === 'true')?.focus();
  }

  #tab({ id, statement, state }: ShownResult, at: number): HTMLButtonElement {
    const isActive = id === this.#active;
    const start = statement.replace(/\s+/g, ' ').slice(0, 40);
    const mark = { waiting: '', running: ' …', done: '', failed: ' ✗', cancelled: ' (ended)' }[state];
    const tab = button(`${at + 1}: ${start}${mark}`, () => this.#activate(id), {
      role: 'tab',
      'aria-selected': String(isActive),
      tabindex: isActive ? 0 : -1,
      title: statement.slice(0, 500),
    });
    tab.addEventListener('keydown', ({ key }) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1 }[key];
      const next = to === undefined ? undefined : this.#results[to];
      if (next !== undefined) this.#activate(next.id);
    });
    return tab;
  }

  #tellGone(): void {
    this.#gone.replaceChildren('DevDB’s process has ended, and the rows with it. ', this.#againButton());
  }

  /** What the tab had before its window was reloaded. */
  #tellLeft(statements: readonly LeftStatement[]): void {
    const shown = statements.map(({ query, database, connection }) =>
      element(
        'figure',
        { class: 'left' },
        element('figcaption', {}, database ?? connection ?? 'The default database'),
        element('pre', { tabindex: 0, 'aria-label': 'Statement' }, query),
      ),
    );
    this.#gone.replaceChildren('The window was reloaded, and the rows are gone. ', this.#againButton());
    this.#place.replaceChildren(...shown);
    this.#tabs.hidden = true;
  }

  #againButton(): HTMLButtonElement {
    return button('Run again', () => this.#host.tell({ kind: 'run-again' }));
  }
}

new Page();
