/** The door rl-workbench/env-kit: what docs/adding-an-environment.md writes an environment with. `defineEnv` stands at rl-workbench. */
export type { FieldSchema, HumanAxis, ReferenceReturn, RewardTerm } from '#contract/catalog/catalog.ts';
export type { BodiesLayout, FrameLayout, GridLayout, GridLook, NetworkLayout, PointsLayout, TableLayout } from '#contract/game/frames.ts';
export { frameSize } from '#contract/game/frames.ts';
export { type ActionSpace, actionSize, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
export { createActions, createBuffers } from '../envs/api/buffers.ts';
export { checkCell } from '../envs/api/checks.ts';
export { defineEnv } from '../envs/api/define.ts';
export { Draws, scriptedDraws } from '../envs/api/draws.ts';
export { assemble, type Core } from '../envs/api/environment.ts';
export { maxStepsField } from '../envs/api/limits.ts';
export { agentNames, type SoloMeta, soloMeta } from '../envs/api/meta.ts';
export { badConfig } from '../envs/api/parse.ts';
export { allocateRows, defineState, type StateRows } from '../envs/api/state.ts';
export { createTerms, weightField } from '../envs/api/terms.ts';
export type {
  Actions,
  AgentGroup,
  DrawSource,
  EnvDef,
  EnvEntry,
  Environment,
  EnvMeta,
  EnvSpec,
  ScriptedPolicy,
  StateField,
  StateSpec,
  StepBuffers,
} from '../envs/api/types.ts';
export { kind, variant } from '../envs/api/variant.ts';
export { createVectorEnv, type VectorEnv } from '../envs/api/vector-env.ts';
