// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tokens } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AnswerGroup, SampleRequest } from '#contract/run/tokens.ts';
import { stageStore } from '#stores/stage.ts';
import type { StageState } from '#stores/types.ts';
import GroupStage from './GroupStage.tsx';

vi.mock('#client/stage/service.ts', () => ({ tokens: { sample: vi.fn() } }));
vi.mock('#client/compare/race.ts', () => ({ race: vi.fn() }));
vi.mock('#client/runs/service.ts', () => ({ runs: {} }));

const env = {
  id: 'w-stories',
  action: { kind: 'discrete', n: 4, labels: ['', 'begin', 'end', 'word'] },
  tokens: { begin: 1, end: 2, places: 8, words: true },
  measures: [
    { id: 'judge-grammar', title: 'grammar' },
    { id: 'judge-truth', title: 'truth' },
  ],
  schema: { properties: { taste: {} } },
} as unknown as EnvCard;

const answer = {
  tokens: [{ id: 3, written: true, logProb: -1 }],
  logProb: -1,
  reward: 1,
  terms: [],
  measures: { 'judge-grammar': 1, 'judge-truth': 0 },
  advantage: 0,
  dropped: false,
};

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.mocked(tokens.sample).mockImplementation(
    async ({ groups, size }: SampleRequest): Promise<readonly AnswerGroup[]> =>
      Array.from({ length: groups }, () => ({
        prompt: [1],
        asked: '',
        comparison: 'group',
        answers: Array.from({ length: size }, () => answer),
      })),
  );
  stageStore.setState({
    policy: { key: 'k', runId: 'r', seed: 0, step: 10 },
    replay: { env: { id: 'w-stories', config: {} } },
  } as Partial<StageState> as StageState);
});
afterEach(() => vi.unstubAllGlobals());

/** The stage as it is mounted anew when a learned policy plays again. */
async function mounted() {
  const home = document.createElement('div');
  const root = createRoot(home);
  await act(async () => root.render(<GroupStage env={env} />));
  const button = (name: string) => [...home.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  return {
    home,
    pressed: (name: string) => button(name)?.getAttribute('aria-pressed'),
    press: (name: string) => act(async () => button(name)?.click()),
    truth: () => home.querySelector('select'),
    leave: () => act(() => root.unmount()),
  };
}

test('the chosen view, its prompts and the chosen measure are there again when the stage is mounted anew', async () => {
  const first = await mounted();
  await first.press('Best of N');
  await first.press('Other prompts');
  const select = first.truth()!;
  await act(async () => {
    select.value = 'judge-truth';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(first.truth()?.value).toBe('judge-truth');
  first.leave();
  vi.mocked(tokens.sample).mockClear();
  const second = await mounted();
  expect(second.pressed('Best of N')).toBe('true');
  expect(second.truth()?.value).toBe('judge-truth');
  expect(vi.mocked(tokens.sample).mock.calls[0]?.[0]).toMatchObject({ seed: 2, groups: 8, size: 16 });
  second.leave();
});

test('until others are drawn, what was drawn last is shown again', async () => {
  const first = await mounted();
  expect(first.home.textContent).toContain('paid 1.00');
  first.leave();
  vi.mocked(tokens.sample).mockImplementation(() => new Promise(() => {}));
  const second = await mounted();
  expect(second.home.textContent).toContain('paid 1.00');
  second.leave();
});

test('answers that are marked stay when the stage is mounted anew, but not for the policy of another run', async () => {
  const first = await mounted();
  await first.press('Mark answers');
  first.leave();
  vi.mocked(tokens.sample).mockClear();
  const second = await mounted();
  expect(second.pressed('Mark answers')).toBe('true');
  expect(tokens.sample).not.toHaveBeenCalled();
  await act(async () => stageStore.setState({ policy: { key: 'other', runId: 's', seed: 0, step: 20 } }));
  expect(tokens.sample).toHaveBeenCalledOnce();
  second.leave();
});

test('answers that are held are held against the run that wrote them, not against another one', async () => {
  const stage = await mounted();
  if (stage.pressed('Mark answers') === 'true') await stage.press('Mark answers');
  await stage.press('Hold these answers');
  expect(stage.pressed('Hold these answers')).toBe('true');
  vi.mocked(tokens.sample).mockClear();
  await act(async () => stageStore.setState({ policy: { key: 'other', runId: 's', seed: 0, step: 20 } }));
  expect(stage.pressed('Hold these answers')).toBe('false');
  expect(vi.mocked(tokens.sample).mock.calls[0]?.[0]).not.toHaveProperty('written');
  stage.leave();
});
