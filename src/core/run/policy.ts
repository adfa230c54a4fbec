/** A policy from its snapshot, on a small wasm engine of its own; and the same policy as a model for other programs. */
import { fail } from '#contract/kit/errors.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { upgrade } from '#contract/run/versions.ts';
import type { LayersModel, OnnxFile } from '#contract/session/onnx.ts';
import type { Policy } from '../algos/api/types.ts';
import type { Param } from '../engine/types.ts';
import { createWasmEngine } from '../engine/wasm/engine.ts';
import { lifetimeOf } from '../envs/api/lifetime.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import type { AgentNetwork } from '../nets/agent-network.ts';
import { networkToLayers } from '../nets/layers-model.ts';
import { networkToOnnx } from '../nets/onnx.ts';
import type { Registry } from './registry.ts';

export interface BuiltPolicy {
  readonly policy: Policy;
  readonly meta: EnvMeta;
  /** The current value of a parameter of its network, a copy. Throws LabError('incompatible') for policies of several engines, or none. */
  read(param: Param): Float32Array;
  /** Frees the policy, its engine and the environments it made. */
  free(): void;
}

/** Throws LabError for unknown ids, and for configs or parameters that do not fit them. */
export async function buildPolicy({ algo, env, saved }: PolicySnapshot, registry: Registry): Promise<BuiltPolicy> {
  const lifetime = lifetimeOf(registry.env(env.id));
  const envEntry = lifetime.entry;
  await envEntry.prepare?.();
  const envConfig = envEntry.parse(upgrade(envEntry, env.version, env.config, 'env.version').config);
  const entry = registry.algo(algo.id);
  const engines: Awaited<ReturnType<typeof createWasmEngine>>[] = [];
  const context = {
    config: entry.parse(upgrade(entry, algo.version, algo.config, 'algo.version').config),
    meta: envEntry.meta(envConfig),
    envEntry,
    envConfig,
    async makeEngine() {
      const engine = await createWasmEngine();
      engines.push(engine);
      return engine;
    },
  };
  const policy = await entry.policy(context, saved);
  return {
    policy,
    meta: context.meta,
    read(param) {
      const [engine, ...others] = engines;
      if (engine === undefined || others.length > 0) throw notOneNetwork(algo.id);
      return engine.read(param);
    },
    free() {
      policy.dispose();
      for (const engine of engines) engine.dispose();
      lifetime.dispose();
    },
  };
}

const notOneNetwork = (algo: string) =>
  fail('incompatible', `A policy of ${algo} is not one network: it has no ONNX form.`, 'Save it as a policy file instead.');

/** What `write` makes of the network of one agent. */
async function ofNetwork<T>(
  snapshot: PolicySnapshot,
  agent: number,
  registry: Registry,
  write: (network: AgentNetwork, built: BuiltPolicy) => T,
): Promise<T> {
  const built = await buildPolicy(snapshot, registry);
  const { policy, meta, free } = built;
  try {
    if (!Number.isInteger(agent) || agent < 0 || agent >= meta.agentCount)
      throw fail('incompatible', `There is no agent ${agent} here.`, `Choose one of 0 to ${meta.agentCount - 1}.`);
    const network = policy.network?.(agent);
    if (network === undefined) throw notOneNetwork(snapshot.algo.id);
    return write(network, built);
  } finally {
    free();
  }
}

/**
 * The policy of one agent as an ONNX model: see nets/onnx.ts. Throws LabError('incompatible') for tables, planners and other policies that
 * are more than one network, and for an agent that is not there; and what buildPolicy throws.
 */
export const policyToOnnx = (snapshot: PolicySnapshot, agent: number, registry: Registry): Promise<OnnxFile> =>
  ofNetwork(snapshot, agent, registry, (network, { meta, read }) => {
    const { algo, env, seed, step } = snapshot;
    const metadata = {
      env: env.id,
      env_config: JSON.stringify(env.config),
      algo: algo.id,
      seed: `${seed}`,
      step: `${step}`,
      agent: `${agent}`,
    };
    const agents = meta.agents.flatMap(({ names, count }) => names.slice(0, count));
    return { ...networkToOnnx(network, { name: `${algo.id} ${env.id}`, metadata, read }), agents };
  });

/** The policy as a TensorFlow.js layers model, for stacks of dense layers: see nets/layers-model.ts. Throws the same. */
export const policyToLayers = (snapshot: PolicySnapshot, agent: number, registry: Registry): Promise<LayersModel> =>
  ofNetwork(snapshot, agent, registry, (network, { read }) => networkToLayers(network, read));
