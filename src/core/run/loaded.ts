/** by-id.ts with every environment and method loaded: for commands, benches and tests. */
import '../algos/all.ts';
import '../envs/all.ts';

export * from './by-id.ts';
