import type { PlainText } from '@devdb/shared/plain-text';
import type { ToolOutput } from '@devdb/shared/tools';
import type { ToolDefinition } from '@devdb/shared/tools/define-tool';
import type { ReadTools } from '../custom-tools/custom-tool.ts';
import { CustomTools } from '../custom-tools/custom-tools.ts';
import type { GuardOf } from '../databases/entry.ts';
import { type Lease, type Openable, type OpenEngine, OpenSessions } from '../databases/open-sessions.ts';
import type { Activity } from '../dispatch/activity/activity.ts';
import { AlwaysAsked } from '../dispatch/always-asked.ts';
import type { AnswerRoom } from '../dispatch/answer-room.ts';
import { Approvals, type Ask } from '../dispatch/approvals.ts';
import { type Call, Dispatch, type DispatchParts, type Offer, type Run } from '../dispatch/dispatch.ts';
import { type Editor, notAttached } from '../dispatch/editor.ts';
import { Policy, type PolicySettings, untrusted } from '../dispatch/policy.ts';
import { editorRunner } from '../dispatch/runners/editor-runner.ts';
import { type Asked, TrustQuestions } from '../dispatch/trust-questions.ts';
import type { EngineContext } from '../engines/engine.ts';
import type { HeldBytes } from '../engines/held-bytes.ts';
import { handlers } from '../tools/index.ts';
import { personTools, runPersonTool } from '../tools/person-tools.ts';
import type { PersonSink } from '../tools/run-for-person.ts';
import { runCustomTool, timeoutOfCustomTool } from '../tools/run-project-tool.ts';
import type { ToolContext, WritesPolicy } from '../tools/tool-context.ts';

/** The databases of a project. */
export interface Connections {
  /** `guardOf` knows the guard of open databases. */
  list(signal: AbortSignal, guardOf: GuardOf): Promise<ToolOutput<'list-connections'>>;
  /** The one with this id, or the default; E_NO_CONNECTION reports what was looked for. */
  find(
    id: string | undefined,
    signal: AbortSignal,
    askApproval?: (asked: Asked) => Promise<boolean>,
  ): Promise<Openable & { readonly name: PlainText }>;
}

export interface ProjectSettings extends PolicySettings {
  readonly writes: WritesPolicy;
  /** Clients whose every call is asked about, by name; none when left out. */
  readonly alwaysAsk?: readonly string[] | undefined;
}

/** What may change while a project is open. */
export interface Changeable {
  readonly settings: ProjectSettings;
  readonly isOn: (tool: ToolDefinition) => boolean;
  /** The project's custom tools as read; none in an untrusted workspace. */
  readonly projectTools: ReadTools;
}

export interface ProjectParts extends Changeable {
  readonly root: string;
  readonly connections: Connections;
  readonly openEngine: OpenEngine;
  readonly bundleDir: string;
  readonly held: HeldBytes;
  readonly answers: AnswerRoom;
  /** Takes the rows of what a person runs, by the name of their result; undefined for a headless project. */
  readonly personSink?: ((result: string) => PersonSink) | undefined;
  /** Records the calls, where a person can look at them. */
  readonly activity?: Activity | undefined;
  /** The window's editor, attached or not; undefined for a headless project. */
  readonly editor: Editor | undefined;
  readonly log: DispatchParts['log'];
}

/** Everything that belongs to one project root: its databases, its settings, its gate. */
export class Project {
  readonly root: string;
  readonly gate: Dispatch;
  readonly #parts: ProjectParts;
  readonly #pool: OpenSessions;
  readonly #alwaysAsked = new AlwaysAsked();
  readonly #approvals = new Approvals({ alwaysAsked: this.#alwaysAsked });
  readonly #trustQuestions = new TrustQuestions(this.#approvals);
  readonly #policy = new Policy(this.#approvals);
  readonly #inEditor: (tool: ToolDefinition) => Run;
  #own: CustomTools;
  #settings: ProjectSettings;

  constructor(parts: ProjectParts) {
    this.root = parts.root;
    this.#parts = parts;
    this.#settings = parts.settings;
    this.#alwaysAsked.set(parts.settings.alwaysAsk ?? []);
    const { log, bundleDir, held } = parts;
    const context: EngineContext = {
      projectRoot: parts.root,
      bundleDir,
      held,
      log: (event, facts) => log('info', event, facts),
    };
    this.#pool = new OpenSessions(parts.openEngine, context);
    this.#inEditor = editorRunner({
      root: parts.root,
      editor: parts.editor,
      approval: {
        isLeftToEditor: (tool, input, call) => this.#policy.isLeftToEditor(this.#settings, tool, input, call),
        ask: (tool, input, call) => this.#policy.ask(tool, input, call, this.#dialog()),
        askFinal: (change, tool, input, call) =>
          this.#policy.checkFinal(this.#settings, { tool, input, change }, call, this.#dialog()),
      },
    });
    this.#own = new CustomTools(parts.projectTools, parts.isOn);
    this.gate = new Dispatch({
      ...offerOf(this.#own, parts.isOn),
      projectRoot: parts.root,
      personTools: parts.personSink === undefined ? [] : personTools,
      timeoutOf: (tool, input, caller) => timeoutOfCustomTool(this.#own, tool, input, caller.defaultTimeoutMs),
      policy: (tool, input, call) => {
        // Checked before anybody is asked about a call that cannot run.
        if (tool.runsIn === 'editor' && !parts.editor?.attached) throw notAttached();
        return this.#policy.check(this.#settings, tool, input, call, this.#dialog());
      },
      runnerOf: (tool) => this.#runnerOf(tool),
      answers: parts.answers,
      activity: parts.activity,
      log,
    });
  }

  /** Takes effect with the next call; running calls continue, and no database is closed. */
  applySettings({ settings, isOn, projectTools }: Changeable): void {
    this.#settings = settings;
    this.#alwaysAsked.set(settings.alwaysAsk ?? []);
    this.#own = new CustomTools(projectTools, isOn);
    this.gate.offer(offerOf(this.#own, isOn));
  }

  /** Ends every statement and closes every session of the project. */
  end(): Promise<void> {
    return this.#pool.end();
  }

  #runnerOf(tool: ToolDefinition): Run {
    if (personTools.includes(tool))
      return (input, call) => this.#inCall(call, (context) => this.#runForPerson(tool, input, context));
    if (tool.runsIn === 'editor') return this.#inEditor(tool);
    const own = this.#own.behind(tool);
    if (own) return (input, call) => this.#inCall(call, (context) => runCustomTool(own, input, context));
    const runner = runners.get(tool.name);
    if (!runner) throw new Error(`No handler for ${tool.name}`);
    return (input, call) => this.#inCall(call, (context) => runner.run(input, context));
  }

  async #runForPerson(tool: ToolDefinition, input: Record<string, unknown>, context: ToolContext): Promise<unknown> {
    const { personSink } = this.#parts;
    if (personSink === undefined) throw new Error('A headless project takes no rows for a person.');
    return runPersonTool(tool, input, personSink, context);
  }

  async #inCall(call: Call, run: (context: ToolContext) => Promise<unknown>): Promise<unknown> {
    const lease = this.#pool.lease();
    try {
      return await run(this.#contextFor(call, lease));
    } finally {
      lease.release();
    }
  }

  /** Asks in the editor, where one is attached. */
  #dialog(): Ask | undefined {
    const { editor } = this.#parts;
    return editor?.attached ? editor.ask.bind(editor) : undefined;
  }

  #contextFor(call: Call, lease: Lease): ToolContext {
    const { caller, deadline, record } = call;
    const { connections, root, editor } = this.#parts;
    const dialog = this.#dialog();
    return {
      projectRoot: root,
      signal: deadline.signal,
      progress: caller.progress,
      writes: this.#settings.writes,
      editor: {
        attached: editor?.attached ?? false,
        name: editor?.name,
        goneAt: editor?.goneAt,
        linkOpener: editor?.linkOpener,
        answers: async (signal) => (await editor?.answers(signal)) ?? false,
      },
      open: async (id) => {
        if (!this.#settings.trusted) throw untrusted('No database is opened');
        const found = await connections.find(
          id,
          deadline.signal,
          dialog && ((asked) => this.#trustQuestions.agreed(asked, call, dialog)),
        );
        record?.uses({ id: found.id, name: found.name, kind: found.kind });
        return { id: found.id, name: found.name, session: await lease.session(found) };
      },
      connections: () => connections.list(deadline.signal, (one) => this.#pool.guardOf(one)),
      projectTools: () => {
        if (!this.#settings.trusted) throw untrusted("The project's own tools are not read");
        return this.#own;
      },
      confirm: (request) => this.#approvals.confirm(call, dialog, request),
      changes: () => record?.changes(),
    };
  }
}

function offerOf(own: CustomTools, isOn: Changeable['isOn']): Offer {
  return { isOn: (tool) => isOn(tool) && !own.isOff(tool), ownTools: own.definitions };
}

interface Runner {
  // A method, not a property: each handler takes its own tool's input, which the gate has parsed by then.
  run(input: Record<string, unknown>, context: ToolContext): Promise<unknown>;
}

const runners = new Map<string, Runner>(Object.entries(handlers).map(([name, run]) => [name, { run }]));
