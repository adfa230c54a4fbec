/**
 * The two returns of a run and what they are called everywhere: in the table, the legend, the charts and in words. The greedy test is the
 * headline: what was learned, always the best action, on fixed seeds. The other is what was scored while exploring.
 */
export const GREEDY_TEST = 'greedy test return';
export const EXPLORING = 'return while exploring';
