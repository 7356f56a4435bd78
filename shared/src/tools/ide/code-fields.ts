import * as z from 'zod';

/** Fields of the tools that look at code by 0-based positions. */
export const pathInProject = z.string().min(1).describe('Path from the project root');
export const zeroLine = z.int().min(0).describe('0-based line');
export const zeroCharacter = z.int().min(0).describe('0-based character');
