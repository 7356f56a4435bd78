import type { ToolDefinition } from '@devdb/shared/tools';
import { NO_PROJECT_TOOLS, readProjectTools } from '../custom-tools/read-custom-tools.ts';
import type { Editor } from '../dispatch/editor.ts';
import type { Gate } from '../dispatch/gate.ts';
import { openHttp } from '../doors/http/http-server.ts';
import { openEngine } from '../engines/index.ts';
import { VERSION } from '../host/version.ts';
import { claimPort } from '../registry/claim-port.ts';
import { mayLeave, probeFor, type SidecarKind } from '../registry/probe.ts';
import { register } from '../registry/registration.ts';
import type { Installation } from './installation.ts';
import { type Changeable, type Connections, Project } from './project.ts';

/** The part of an open project's options that may change while it is open. */
export type ProjectChoices = Pick<Changeable, 'settings' | 'isOn'>;

export interface OpenProjectOptions extends ProjectChoices {
  /** Canonical: real path. */
  readonly root: string;
  readonly kind: SidecarKind;
  readonly fixedPort: number | undefined;
  readonly editor: Editor | undefined;
  readonly connections: Connections;
}

/** A project that listens and stands in the registry. */
export interface OpenedProject {
  readonly root: string;
  readonly port: number;
  readonly gate: Gate;
  /** Reads the project's own tools again; calls that run are not disturbed. */
  applySettings(choices: ProjectChoices): Promise<void>;
  /** Closes the listener, removes the entry, ends every statement. Safe to call twice. */
  end(): Promise<void>;
}

/** Binds a port, enters the project in the registry, and serves it until the end. */
export async function openProject(
  installation: Installation,
  options: OpenProjectOptions,
  signal: AbortSignal,
): Promise<OpenedProject> {
  const { home, registry, token, log, bundleDir, held, answers } = installation;
  const { root, kind, fixedPort, settings, editor, connections, isOn } = options;
  const changeable = async (choices: ProjectChoices): Promise<Changeable> => {
    const projectTools = choices.settings.trusted ? await readProjectTools(root, signal) : NO_PROJECT_TOOLS;
    for (const problem of projectTools.problems) log('warn', 'project-tool-skipped', { root, ...problem });
    return { ...choices, projectTools };
  };
  const first = await changeable({ settings, isOn });
  const project = new Project({ ...first, root, connections, openEngine, bundleDir, held, answers, editor, log });
  const doors = openHttp({
    gate: project.gate,
    token,
    version: VERSION,
    kind,
    answers,
    log: (event, facts) => log('error', event, facts),
  });
  const probe = probeFor(root, token);
  try {
    const { port } = await claimPort({
      registry,
      projectRoot: root,
      fixedPort,
      onFixedPortTaken: (taken) => log('warn', 'fixed-port-taken', { port: taken, projectRoot: root }),
      listen: (wanted) => doors.listen(wanted),
      mayLeave: (held, waitedMs, probing) => mayLeave(kind, probe, { port: held, waitedMs }, probing),
      signal,
    });
    const closeListener = () => doors.close();
    const registration = await register({ home, registry, projectRoot: root, port, kind, probe, closeListener, log });
    return {
      root,
      port,
      gate: project.gate,
      applySettings: async (choices) => {
        const before = project.gate.tools;
        project.applySettings(await changeable(choices));
        if (!isSameList(before, project.gate.tools)) doors.toolsChanged();
      },
      end: async () => {
        await registration.end();
        await project.end();
      },
    };
  } catch (error) {
    await doors.close();
    await project.end();
    throw error;
  }
}

/** Definitions of a project's own tools are made anew whenever they are read. */
function isSameList(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  const text = (tools: readonly ToolDefinition[]) =>
    JSON.stringify(tools.map(({ name, description }) => [name, description]));
  return text(one) === text(other);
}
