import { posix } from 'node:path';
import type { Compose } from './compose.ts';
import type { ComposeService } from './compose-service.ts';
import type { Finding, Skipped } from './detector.ts';

/** Names that always mean this machine. */
const HERE = /^(localhost|127\.[\d.]+|\[?::1\]?|\/.*|)$/i;

/**
 * The finding as this machine can reach it: a host name inside the compose network becomes the port that the service
 * publishes. Without such a port, the reason why it is left out.
 */
export function inReach(finding: Finding, compose: Compose): { found: Finding } | { skipped: Skipped } {
  if ('file' in finding.target || HERE.test(finding.target.host)) return { found: finding };
  const { host, port } = finding.target;
  const service = compose.named(host, posix.dirname(finding.source.file).replace(/^\.$/, ''));
  if (service === undefined) return { found: finding };
  const published = service.ports.find(({ container }) => container === port);
  if (published) {
    return { found: { ...finding, target: { ...finding.target, host: published.host, port: published.port } } };
  }
  const { file, line } = finding.source;
  return {
    skipped: { unread: true, file, line, reason: `${finding.id}: the host ${host} ${withoutPort(service, port)}` },
  };
}

/** Why a service cannot be reached from here, and what to do. */
export function withoutPort({ name, file, line, floating }: ComposeService, port: number): string {
  const which = `is the compose service ${name} (${file} line ${line})`;
  return floating.includes(port)
    ? `${which}, which gets a free port only when it runs: publish a fixed one, e.g. "127.0.0.1:${port}:${port}"`
    : `${which}, which publishes no port ${port}: add one under ports, e.g. "127.0.0.1:${port}:${port}"`;
}
