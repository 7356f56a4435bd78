import type { FileTarget, ServerTarget } from '../../engines/engine.ts';
import { Secret } from '../../host/secret.ts';
import type { ContainerDaemon } from '../container-daemon.ts';
import type { DetectionPart, DetectionResult, Found } from '../detect.ts';
import type { Detection, Finding, UnresolvedField } from '../detector.ts';
import type { ProcessEnv } from '../project-view.ts';

// The messages between the child and the process that started it. Secrets are sent in clear: only these two share the
// pipe.

type Sent<T extends Pick<Finding, 'target' | 'unresolved'>> = Omit<T, 'target' | 'unresolved'> & {
  readonly target: FileTarget | (Omit<ServerTarget, 'password'> & { readonly password: string | undefined });
  readonly unresolved?: readonly (Omit<UnresolvedField, 'text'> & { readonly text: string })[] | undefined;
};

/** The child's first message. */
export interface ChildTask {
  readonly projectRoot: string;
  readonly env: ProcessEnv;
  readonly insideContainer: boolean;
  readonly containers: ContainerDaemon | undefined;
  readonly given: Omit<Detection, 'found'> & { readonly found: readonly Sent<Finding>[] };
}

/** The child's messages, in order. */
export type ChildMessage =
  | { readonly kind: 'at'; readonly detector: string; readonly file: string | undefined }
  | { readonly kind: 'log'; readonly event: string; readonly facts: Readonly<Record<string, unknown>> }
  | { readonly kind: 'part'; readonly part: Omit<DetectionPart, 'found'> & { readonly found: readonly Sent<Found>[] } }
  | {
      readonly kind: 'done';
      readonly result: Omit<DetectionResult, 'found'> & { readonly found: readonly Sent<Found>[] };
    };

export function send<T extends Pick<Finding, 'target' | 'unresolved'>>(finding: T): Sent<T> {
  const { target, unresolved, ...rest } = finding;
  return {
    ...rest,
    target: 'file' in target ? target : { ...target, password: target.password?.open() },
    unresolved: unresolved?.map(({ text, ...field }) => ({ ...field, text: text.open() })),
  };
}

export function receive<T extends Pick<Finding, 'target' | 'unresolved'>>(sent: Sent<T>) {
  const { target, unresolved, ...rest } = sent;
  return {
    ...rest,
    target: 'file' in target ? target : { ...target, password: secretOf(target.password) },
    unresolved: unresolved?.map(({ text, ...field }) => ({ ...field, text: new Secret(text) })),
  };
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}
