// @vitest-environment happy-dom
/// <reference path="../../env.d.ts" />
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { FeatureAttribution, FeatureQuestion } from '#contract/explain/explain.ts';
import type { Replay } from '#contract/run/events.ts';
import { explainStore } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { Mattered } from './Mattered.tsx';

/** Questions that wait for their answer. */
const { asked } = vi.hoisted(() => ({
  asked: [] as {
    readonly question: Partial<FeatureQuestion>;
    readonly answer: (found: unknown) => void;
    readonly fail: (why: Error) => void;
  }[],
}));
vi.mock('#client/explain/service.ts', () => ({
  explain: {
    ask: (_: unknown, question: Partial<FeatureQuestion>) =>
      new Promise((answer, fail) => {
        asked.push({ question, answer, fail });
      }),
    cancel: () => {},
  },
}));

const action = { kind: 'discrete', n: 2, labels: ['left', 'right'] } as const;
const frame = { kind: 'grid', width: 2, height: 1, agents: 2, headings: false, looks: [], colours: [], view: 0 } as const;
const env = { id: 'e', agents: 2, groups: [], roster: [], obs: { kind: 'discrete', n: 2 }, action, frame } as unknown as EnvCard;
const episode = (): Replay => ({ env: { id: 'e' }, actions: new Float32Array(200), reward: new Float32Array(200) }) as unknown as Replay;

const found = (draws: number): { readonly detail: FeatureAttribution } => ({
  detail: {
    ...{ action: 0, features: [{ name: 'wall', cell: null }], view: null, value: [0.5], halfWidth: [0.1], occlusion: null, gradient: null },
    ...{ level: [1], actionReturns: null, base: 0.25, output: 0.75, efficiencyGap: 0, draws, background: 10 },
    question: { agent: 0, about: 'behaviour', action: 0, method: 'orders', draws },
  } as unknown as FeatureAttribution,
});

let root: Root;
let home: HTMLElement;
const draw = (agent: number): Promise<void> => act(async () => root.render(<Mattered env={env} agent={agent} />));
const text = (): string => home.textContent ?? '';
const change = (work: () => void): Promise<void> => act(async () => work());
const answer = (i: number): Promise<void> => change(() => asked[i]?.answer(found(asked[i]?.question.draws ?? 0)));

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  asked.length = 0;
  explainStore.setState(explainStore.getInitialState(), true);
  stageStore.setState({ ...stageStore.getInitialState(), mode: 'replay', replay: episode(), length: 101, t: 40 }, true);
  home = document.createElement('div');
  root = createRoot(home);
  await draw(0);
  await change(() => home.querySelector('button')?.click());
  expect(asked).toHaveLength(1);
});
afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

test('a frame is explained roughly, then closer', async () => {
  await answer(0);
  expect(text()).toContain('Frame 40:');
  expect(explainStore.getState().matters).toMatchObject({ t: 40, of: { draws: 30 } });
  await answer(1);
  expect(explainStore.getState().matters).toMatchObject({ t: 40, of: { draws: 300 } });
  expect(asked).toHaveLength(2);
});

test('another frame is not asked about in its place: the rough answer stays, as one of the frame it was asked of', async () => {
  await change(() => stageStore.getState().seek(41));
  await answer(0);
  expect(asked).toHaveLength(1);
  expect(text()).toContain('Frame 40 (another is shown now)');
});

test('an answer that comes after another agent was chosen, or another episode was shown, is dropped', async () => {
  await answer(0);
  await change(() => explainStore.setState({ agent: 1 }));
  await draw(1);
  expect(text()).not.toContain('Frame 40');
  await answer(1);
  expect(text()).not.toContain('Frame 40');
  expect(explainStore.getState().matters).toMatchObject({ of: { draws: 30 } });
  await change(() => home.querySelector('button')?.click());
  await change(() => stageStore.setState({ replay: episode() }));
  await answer(2);
  expect(text()).not.toContain('Frame 40');
  expect(asked).toHaveLength(3);
});

test('nor does its failure stand there', async () => {
  await change(() => stageStore.setState({ replay: episode() }));
  await change(() => asked[0]?.fail(new Error('let go')));
  expect(home.querySelector('[role=alert]')).toBeNull();
});
