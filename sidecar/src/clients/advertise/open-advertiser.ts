import { homedir } from 'node:os';
import { sentenceText } from '@devdb/shared/plain-text';
import type { Editor } from '../../dispatch/editor.ts';
import type { Installation } from '../../project/installation.ts';
import type { Machine } from '../setup/clients.ts';
import type { RunningNode } from '../setup/fit-node.ts';
import { Advertiser } from './advertiser.ts';

export interface OpenAdvertiserParts {
  readonly installation: Installation | Promise<Installation>;
  /** Shows problems to the user; without an editor they go to the log. */
  readonly editor?: Editor;
  readonly env: Machine['env'];
  readonly signal: AbortSignal;
}

/** The advertiser of this process, on this machine. */
export function openAdvertiser({ installation, editor, env, signal }: OpenAdvertiserParts): Advertiser {
  return new Advertiser({
    installation,
    machine: { platform: process.platform, userHome: homedir(), env },
    running: runningNode(),
    report: ({ key, message }) => editor?.notify({ level: 'error', message: sentenceText(message), once: key }),
    signal,
  });
}

/** The Node that runs this process. */
export function runningNode(): RunningNode {
  return { execPath: process.execPath, isElectron: process.versions['electron'] !== undefined };
}
