/** Titles of environments and methods, as the page writes them, and of own ones; the id itself where there is none. */
import { algos } from '#core/algos/all.ts';
import { envs } from '#core/envs/all.ts';
import { nameOf } from './own-titles.ts';

export const envTitle = (id: string): string => envs.find((entry) => entry.id === id)?.title ?? nameOf(id);
export const algoTitle = (id: string): string => algos.find((entry) => entry.id === id)?.title ?? nameOf(id);

/** Of a curve; several methods may report it. */
export const metricTitle = (id: string): string => algos.flatMap(({ metrics }) => metrics).find((metric) => metric.id === id)?.title ?? id;
