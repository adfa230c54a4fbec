/**
 * Comparisons of our own about single agents, by theme. `npm run claims -- single-agent` runs them with the claims of experiments of that
 * suite, which need no rival; `npm run claims -- deep-sea` runs one.
 */
import type { JudgedCard } from '#contract/papers/papers.ts';
import { continuous } from './single-continuous.ts';
import { flight } from './single-drones.ts';
import { exploration } from './single-exploration.ts';
import { games } from './single-games.ts';
import { images } from './single-images.ts';
import { remembering } from './single-memory.ts';
import { values } from './single-values.ts';

export const single: readonly JudgedCard[] = [...exploration, ...remembering, ...values, ...images, ...flight, ...continuous, ...games];
