import { parentPort, workerData } from 'node:worker_threads';
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import type { Placed, PlaceRequest, Point } from './page-messages.ts';

/** From left to right, with lines that turn at right angles. */
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.aspectRatio': '1.6',
  'elk.layered.nodePlacement.strategy': 'SIMPLE',
  'elk.layered.layering.strategy': 'COFFMAN_GRAHAM',
  'elk.layered.spacing.nodeNodeBetweenLayers': '60',
  'elk.spacing.nodeNode': '30',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.componentComponent': '40',
};

const LEAST_COLUMN = 6;

/**
 * How many tables stand below each other: as many as make the whole about as wide as it is high. Without a bound, all
 * tables that point to the same one make a single column.
 */
function columnOf(tables: number): number {
  return Math.max(LEAST_COLUMN, Math.ceil(1.6 * Math.sqrt(tables)));
}

/** A table stands right of those that it points to. */
async function placed({ tables, keys }: PlaceRequest): Promise<Placed> {
  const asked: ElkNode = {
    id: 'diagram',
    layoutOptions: {
      ...OPTIONS,
      'elk.layered.layering.coffmanGraham.layerBound': String(columnOf(tables.length)),
    },
    children: tables.map((size, at) => ({ id: `t${at}`, ...size })),
    edges: keys.map(({ from, to }, at) => ({ id: `k${at}`, sources: [`t${to}`], targets: [`t${from}`] })),
  };
  const { children = [], edges = [], width = 1, height = 1 } = await new ELK().layout(asked);
  return { tables: children.map(placeOf), keys: edges.map(cornersOf), width, height };
}

function placeOf({ x = 0, y = 0 }: ElkNode): Point {
  return { x, y };
}

/** From the table that has the key to the one that it points to. */
function cornersOf({ sections = [] }: ElkExtendedEdge): Point[] {
  return sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => ({ x, y }))
    .reverse();
}

const request: PlaceRequest = workerData;
// A failure ends the thread, which its starter hears of.
void placed(request).then((answer) => parentPort?.postMessage(answer));
