/**
 * The door of the package: training, evaluation, and what environments and algorithms of one's own are made with. It loads no
 * environment and no algorithm: those stand at rl-workbench/envs/ID and rl-workbench/algos/ID (docs/api.md).
 */
export type { Preset, Source } from '#contract/catalog/catalog.ts';
export { type Failure, type FailureId, LabError } from '#contract/kit/errors.ts';
export type { Json, JsonObject } from '#contract/kit/json.ts';
export type { CompleteConfig, ExecutorId, RunConfig } from '#contract/run/config.ts';
export type { PolicySnapshot, Replay, Saved, SeedResult, SessionEvent, SessionState } from '#contract/run/events.ts';
export { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
export { Rng } from '#math/rng.ts';
export { defineAlgo } from './algos/api/define.ts';
export type { Act, ActQuery, AlgoDef, AlgoEntry, AlgoSpec, Policy, Progress, Run } from './algos/api/types.ts';
export { createEngine } from './engine/index.ts';
export type { Engine } from './engine/types.ts';
export { createActions, createBuffers } from './envs/api/buffers.ts';
export { defineEnv } from './envs/api/define.ts';
export type { Actions, EnvDef, EnvEntry, Environment, EnvMeta, ScriptedPolicy, StepBuffers } from './envs/api/types.ts';
export type { VectorEnv } from './envs/api/vector-env.ts';
export { completeRun } from './run/complete.ts';
export { type Evaluation, evaluate } from './run/evaluate.ts';
export type { BuiltPolicy } from './run/policy.ts';
export { type Registry, registryOf } from './run/registry.ts';
export { playEpisode, playScripted, ReplayReader } from './run/replay.ts';
export { createSession, type Session, type SessionOptions } from './run/session.ts';
export { loadPolicy, makeEnv, type TrainOptions, type TrainProgress, train } from './run/train.ts';
