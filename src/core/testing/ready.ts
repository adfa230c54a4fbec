/** Every environment, with what it loads before it can be made: for suites and golden files, which make them all without waiting. */
import { envs } from '../envs/all.ts';

await Promise.all(envs.map((entry) => entry.prepare?.()));

export { envs };
