import type { HOSTILE } from './own-cases.mjs';

export const ENDLESS: typeof HOSTILE;
