import { parentPort, workerData } from 'node:worker_threads';
import { type LayOutRequest, layOut } from './lay-out.ts';

const request: LayOutRequest = workerData;
// A failure ends the thread, which its starter hears of.
parentPort?.postMessage(layOut(request));
