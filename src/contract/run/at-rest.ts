/**
 * Settings of every environment that a complete config leaves out where they change nothing (core/envs/api/observed.ts), so that configs
 * without them keep their hash: one frame, observations as they are.
 */
const AT_REST: readonly string[] = ['env.frameStack', 'env.normaliseObs'];

/** Whether a complete config may lack this setting although it is one. */
export const mayBeLeftOut = (path: string): boolean => AT_REST.includes(path);
