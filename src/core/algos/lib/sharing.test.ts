import { describe, expect, it } from 'vitest';
import { createGraph } from '../../engine/graph.ts';
import { getEnv } from '../../envs/all.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { roles, team } from '../../testing/probes.ts';
import { encodeRows, gatherAgents, gatherMasks, gatherObs, scatterActions, shareNetworks } from './sharing.ts';

const [teamMeta, rolesMeta] = [team.meta({}), roles.meta({})];
const tag = getEnv('mpe-simple-tag').meta({});

describe('who shares', () => {
  it('by role, by space, or nobody', () => {
    const members = (kind: 'grouped' | 'shared' | 'independent', meta = teamMeta) =>
      shareNetworks(meta, kind).networks.map((network) => network.agents);
    expect(members('grouped')).toEqual([[0, 1, 2]]);
    expect(members('shared')).toEqual([[0, 1, 2]]);
    expect(members('independent')).toEqual([[0], [1], [2]]);
    expect(members('grouped', tag)).toEqual([[0, 1, 2], [3]]);
    expect(members('shared', rolesMeta)).toEqual([[0], [1]]);
    const twoRoles = { ...teamMeta, agents: [1, 2].map((count) => ({ ...teamMeta.agents[0]!, count, names: ['a', 'b'] })) };
    expect(members('grouped', twoRoles)).toEqual([[0], [1, 2]]);
    expect(members('shared', twoRoles)).toEqual([[0, 1, 2]]);
    const { agentToNetwork, agentSlot } = shareNetworks(tag, 'grouped');
    expect([...agentToNetwork, ...agentSlot]).toEqual([0, 0, 0, 1, 0, 1, 2, 0]);
  });

  it('each network has the widths of its own agents', () => {
    const [first, second] = shareNetworks(rolesMeta, 'grouped', true).networks;
    expect([first!.obsWidth, first!.choices, first!.inputs]).toEqual([2, 3, 2]);
    expect([second!.obsWidth, second!.choices, second!.ids]).toEqual([1, 2, 0]); // alone, it needs no number
  });
});

describe('rows of a network', () => {
  it('takes observations without the padding and appends numbers', () => {
    const [, second] = shareNetworks(rolesMeta, 'grouped').networks;
    const out = new Float32Array(2);
    gatherObs(second!, Float32Array.of(1, 2, 3, 0, 5, 6, 7, 0), rolesMeta, out);
    expect([...out]).toEqual([3, 7]);
    const masks = new Float32Array(4);
    gatherMasks(second!, Uint8Array.of(1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0), rolesMeta, masks);
    expect([...masks]).toEqual([0, 1, 1, 1]);

    const numbered = shareNetworks(teamMeta, 'shared', true).networks[0]!;
    const rows = new Float32Array(13);
    gatherObs(numbered, Float32Array.of(7, 8, 9), teamMeta, rows, 1);
    expect([...rows]).toEqual([0, 7, 1, 0, 0, 8, 0, 1, 0, 9, 0, 0, 1]);
    const g = createGraph();
    const y = encodeRows(g, g.input('rows', [3, 4]), numbered);
    expect([...interpret([y], { inputs: { rows: [...rows.subarray(1)] } }).get(y)!]).toEqual([...rows.subarray(1)]);
  });

  it('shared rows are the rows of the environment', () => {
    const network = shareNetworks(teamMeta, 'shared').networks[0]!;
    const out = new Float32Array(6);
    gatherObs(network, Float32Array.of(1, 2, 3, 4, 5, 6), teamMeta, out);
    expect([...out]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('single numbers and actions find their agents', () => {
    const [, prey] = shareNetworks(tag, 'grouped').networks;
    const out = new Float32Array(2);
    gatherAgents(prey!, [1, 2, 3, 4, 5, 6, 7, 8], 4, out);
    expect([...out]).toEqual([4, 8]);
    const actions = new Int32Array(8);
    scatterActions(prey!, Int32Array.of(2, 3), tag, actions);
    expect([...actions]).toEqual([0, 0, 0, 2, 0, 0, 0, 3]);
  });

  it('continuous actions are clipped to each agent’s bounds', () => {
    const meta = getEnv('mpe-simple-spread').meta({ continuousActions: true });
    const network = shareNetworks(meta, 'shared').networks[0]!;
    const out = new Float32Array(meta.agentCount * meta.actionSize);
    scatterActions(network, new Float32Array(out.length).fill(9), meta, out);
    expect(out.every((v) => v === 1)).toBe(true);
    scatterActions(network, new Float32Array(out.length).fill(-9), meta, out);
    expect(out.every((v) => v === 0)).toBe(true);
  });
});
