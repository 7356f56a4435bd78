import type { ProjectSettings, TokenlessPolicy } from '@devdb/shared/protocol/handshake';
import { allTools, type ToolDefinition } from '@devdb/shared/tools';
import { NO_PROJECT_TOOLS, readProjectTools } from '../custom-tools/read-custom-tools.ts';
import type { Activity } from '../dispatch/activity/activity.ts';
import type { Editor } from '../dispatch/editor.ts';
import type { Gate } from '../dispatch/gate.ts';
import { type HttpOptions, openHttp } from '../doors/http/http-server.ts';
import { openEngine } from '../engines/index.ts';
import { VERSION } from '../host/version.ts';
import { claimPort } from '../registry/claim-port.ts';
import { mayLeave, probeFor, type SidecarKind } from '../registry/probe.ts';
import { register } from '../registry/registration.ts';
import type { Installation } from './installation.ts';
import { type Changeable, type Connections, Project, type ProjectParts } from './project.ts';
import { portsOf, TokenlessListener } from './tokenless-listener.ts';

/** The options that may change while a project is open. */
export interface ProjectChoices extends Pick<Changeable, 'settings' | 'isOn'> {
  /** What may be called without the token; nothing when left out, and in a workspace that is not trusted. */
  readonly tokenless?: TokenlessPolicy | undefined;
  /** Where that is; the usual ports of bridges when left out. */
  readonly tokenlessPorts?: ProjectSettings['tokenlessPorts'];
}

export interface OpenProjectOptions extends ProjectChoices {
  /** Canonical: real path. */
  readonly root: string;
  readonly kind: SidecarKind;
  readonly fixedPort: number | undefined;
  readonly editor: Editor | undefined;
  readonly connections: Connections;
  /** Takes the rows of what a person runs. */
  readonly personSink?: ProjectParts['personSink'];
  /** Records the calls, where a person can look at them. */
  readonly activity?: Activity | undefined;
}

/** A project that listens and is in the registry. */
export interface OpenedProject {
  readonly root: string;
  readonly port: number;
  /** Where it listens without a token, while it does. */
  readonly tokenlessPort: number | undefined;
  readonly gate: Gate;
  /** Also reads the custom tools again; running calls are not disturbed. */
  applySettings(choices: ProjectChoices): Promise<void>;
  /** Closes the listener, removes the registry entry, ends every statement. Safe to call twice. */
  end(): Promise<void>;
}

/** Binds a port, adds the project to the registry, and serves it until its end. */
export async function openProject(
  installation: Installation,
  options: OpenProjectOptions,
  signal: AbortSignal,
): Promise<OpenedProject> {
  const { home, registry, token, firstPort, log, bundleDir, held, answers } = installation;
  const { root, kind, fixedPort, settings, editor, connections, isOn, activity } = options;
  const { personSink } = options;
  const changeable = async (choices: ProjectChoices): Promise<Changeable> => {
    const projectTools = choices.settings.trusted ? await readProjectTools(root, signal) : NO_PROJECT_TOOLS;
    for (const problem of projectTools.problems) log('warn', 'project-tool-skipped', { root, ...problem });
    const { settings, isOn } = choices;
    return { settings, isOn, projectTools };
  };
  const first = await changeable({ settings, isOn });
  const project = new Project({
    ...first,
    root,
    connections,
    openEngine,
    bundleDir,
    held,
    answers,
    personSink,
    activity,
    editor,
    log,
  });
  const http: HttpOptions = {
    gate: project.gate,
    token,
    version: VERSION,
    kind,
    answers,
    look: (looking) => editor?.look(root, looking) ?? Promise.resolve({ activeFile: '', openFiles: [] }),
    log: (event, facts) => log('error', event, facts),
  };
  const doors = openHttp(http);
  const open = new TokenlessListener(http);
  const probe = probeFor(root, token);
  try {
    const { port } = await claimPort({
      registry,
      projectRoot: root,
      firstPort,
      fixedPort,
      onFixedPortTaken: (taken) => log('warn', 'fixed-port-taken', { port: taken, projectRoot: root }),
      listen: (wanted) => doors.listen(wanted),
      mayLeave: (held, waitedMs, probing) => mayLeave(kind, probe, { port: held, waitedMs }, probing),
      signal,
    });
    const closeListener = () => doors.close();
    await setTokenless(open, options);
    const registration = await register({ home, registry, projectRoot: root, port, kind, probe, closeListener, log });
    return {
      root,
      port,
      get tokenlessPort() {
        return open.port;
      },
      gate: project.gate,
      applySettings: async (choices) => {
        const before = project.gate.tools;
        project.applySettings(await changeable(choices));
        await setTokenless(open, choices);
        if (!isSameList(before, project.gate.tools)) doors.toolsChanged();
      },
      end: async () => {
        await open.end();
        await registration.end();
        await project.end();
      },
    };
  } catch (error) {
    await open.end();
    await doors.close();
    await project.end();
    throw error;
  }
}

async function setTokenless(open: TokenlessListener, choices: ProjectChoices): Promise<void> {
  const { tokenlessPorts: range } = choices;
  await open.set(allowed(choices), range && portsOf(range));
}

/** What a window may open without a token. Nothing where the toolset is off: a listener that serves nothing is not opened. */
function allowed({ settings, isOn, tokenless = 'off' }: ProjectChoices): TokenlessPolicy {
  const serves = allTools.some((tool) => tool.toolset === 'ide' && isOn(tool));
  return settings.trusted && serves ? tokenless : 'off';
}

/** Custom tools get new definitions each time they are read. */
function isSameList(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  const text = (tools: readonly ToolDefinition[]) =>
    JSON.stringify(tools.map(({ name, description }) => [name, description]));
  return text(one) === text(other);
}
