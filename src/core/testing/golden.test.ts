import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { envs } from '../envs/all.ts';
import { runGoldenFile } from './golden.ts';

const folder = new URL('../envs/golden/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

function read(name: string) {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

describe.each(files)('%s', (name) => {
  const report = runGoldenFile(read(name), { allowSkip: true });
  it('every case of a built environment passes', () => {
    expect(report.cases.filter((c) => c.status === 'failed').map((c) => `${c.name}: ${c.message}`)).toEqual([]);
  });

  it('skips exactly the environments that are not built and the cases whose data are not part of the project', () => {
    const built = new Set(envs.map((e) => e.id));
    const given: readonly { readonly requires?: unknown }[] = read(name).cases;
    report.cases.forEach((c, i) => {
      expect(c.status === 'skipped', c.name).toBe(!built.has(c.env) || given[i]?.requires !== undefined);
    });
  });
});

describe('the driver notices', () => {
  const one = (change: (file: ReturnType<typeof read>) => void, name = 'cartpole.json') => {
    const file = read(name);
    change(file);
    return runGoldenFile(file, { allowSkip: false });
  };

  it.each([
    ['a wrong state', (f) => (f.cases[0].expected[3].state.theta += 1e-6)],
    ['a wrong observation', (f) => (f.cases[0].expected[3].obs[0][1] += 1e-3)],
    ['a wrong reward', (f) => (f.cases[0].expected[0].reward[0] = 0.999)],
    ['a wrong flag', (f) => (f.cases[0].expected[0].terminated = true)],
    ['a wrong action', (f) => (f.cases[0].actions[0][0] = 0)],
    ['an action that does not exist', (f) => (f.cases[0].actions[0][0] = 2)],
    ['a missing action', (f) => (f.cases[0].actions.length = 5)],
    ['an action for one agent too many', (f) => f.cases[0].actions[0].push(0)],
    ['a field of the state it does not know', (f) => (f.cases[0].state.phi = 0)],
    ['a state that lacks a field', (f) => delete f.cases[0].state.theta],
    ['an unknown setting', (f) => (f.cases[0].config.length = 3)],
    ['an unknown key of a case', (f) => (f.cases[0].colour = 'red')],
    ['an unknown kind', (f) => (f.cases[0].kind = 'guess')],
    ['an unknown tolerance', (f) => (f.cases[0].tolerance = { relative: 1 })],
    ['an unknown extra', (f) => (f.cases[0].expected[0].rpm = [1])],
    ['a controller that is not there', (f) => (f.cases[0].controller = { type: 'dsl-pid', targets: [] })],
    ['a policy that is not there', (f) => (f.cases[0].policies = ['nobody'])],
    ['draws it cannot replay', (f) => (f.cases[0].draws = { reset: [] })],
    ['an unknown total', (f) => (f.cases[0].totals = { laps: 1 })],
    ['a wrong total', (f) => (f.cases[0].totals = { steps: 3 })],
    ['steps out of order', (f) => f.cases[0].expected.reverse()],
    ['nothing to compare', (f) => (f.cases[0].expected = [])],
    ['a case without a state', (f) => delete f.cases[0].state],
  ] as readonly [string, (file: ReturnType<typeof read>) => unknown][])('%s', (_what, change) => {
    const report = one((f) => void change(f));
    expect(report.cases[0]?.status).toBe('failed');
    expect(report.cases[0]?.message).not.toBe('');
    expect(report.ok).toBe(false);
    expect(report.cases[1]?.status).toBe('passed');
  });

  it('a wrong transition, value, best action and check', () => {
    const changes: readonly [number, (c: ReturnType<typeof read>) => unknown][] = [
      [0, (c) => (c.expected.transitions['1']['0'][2][1] = 6)],
      [0, (c) => (c.expected.transitions['99'] = { '0': [[1, 0, 0, false]] })],
      [1, (c) => (c.expected.withinLimit += 1e-7)],
      [2, (c) => (c.expected.values[5] = 1e-6)],
      [2, (c) => (c.expected.bestAction[1] = 1)],
      [3, (c) => (c.check = 'optimal-luck')],
    ];
    for (const [index, change] of changes) {
      const report = one((f) => change(f.cases[index]), 'toy_text.json');
      expect(report.cases[index]?.status, String(change)).toBe('failed');
    }
  });

  it.each([
    ['drone_pybullet.json', 'rule', 'targetTorque'],
    ['toy_text.json', 'value', 'discount'],
    ['toy_text.json', 'transition-table', 'discount'],
  ])('%s: an input that a check of a %s does not know, by its name', (name, kind, input) => {
    const file = read(name);
    const i = file.cases.findIndex((c: { readonly kind: string }) => c.kind === kind);
    const report = one((f) => {
      f.cases[i].inputs = { ...f.cases[i].inputs, [input]: 1 };
    }, name);
    expect(report.cases[i]?.status).toBe('failed');
    expect(report.cases[i]?.message).toContain(`"${input}"`);
  });

  it('what a case lists and the driver did not compare, with the reason', () => {
    const of = (name: string, change: (c: ReturnType<typeof read>) => unknown, i = 0) =>
      one((f) => void change(f.cases[i]), name).cases[i]?.unchecked;
    expect(of('cartpole.json', () => {})).toEqual([]);
    expect(of('cartpole.json', (c) => (c.agentNames = ['cart']))).toEqual(['agentNames, which only explains']);
    expect(of('cartpole.json', (c) => (c.tolerance = { tightUntil: 2, looseFields: ['state'], looseAbs: 1 }))).toEqual([
      'obs after t=2',
      'reward after t=2',
      'terminated after t=2',
    ]);
    expect(of('cartpole.json', (c) => (c.expected[1].ignore = ['state/theta']))).toEqual(['state/theta where the case says "ignore"']);
    expect(of('cartpole.json', (c) => (c.tolerance = { compare: false }))).toEqual(['everything: the case is for information only']);
  });

  it('draws of another kind, out of range, or missing', () => {
    for (const reset of [[['rand', 0.5]], [['randint', 2]], []]) {
      const report = one((f) => {
        f.cases[0].draws.reset = reset;
      }, 'minatar.json');
      expect(report.cases[0]?.status, JSON.stringify(reset)).toBe('failed');
    }
  });

  it('merged outcomes in another order are the same table', () => {
    const report = one((f) => {
      const outcomes = f.cases[0].expected.transitions['1']['0'];
      outcomes.reverse();
      f.cases[0].expected.transitions['0']['0'] = [
        [2 / 3, 0, 0, false],
        [1 / 3, 4, 0, false],
      ];
    }, 'toy_text.json');
    expect(report.cases[0]?.status).toBe('passed');
  });
});

describe('the driver honours', () => {
  const run = (change: (file: ReturnType<typeof read>) => void, allowSkip = false, readData?: (name: string) => unknown) => {
    const file = read('cartpole.json');
    change(file);
    return runGoldenFile(file, readData ? { allowSkip, readData } : { allowSkip });
  };
  const wrong = (f: ReturnType<typeof read>) => {
    f.cases[0].expected[3].state.theta = 5;
  };

  it('ignored paths', () => {
    const report = run((f) => {
      wrong(f);
      f.cases[0].expected[3].ignore = ['state/theta'];
    });
    expect(report.cases[0]?.status).toBe('passed');
  });

  it('tightUntil and loose fields', () => {
    const report = run((f) => {
      wrong(f);
      f.cases[0].tolerance = { tightUntil: 3, looseFields: [], looseAbs: 0 };
    });
    expect(report.cases[0]?.status).toBe('passed');
    const loose = run((f) => {
      wrong(f);
      f.cases[0].tolerance = { tightUntil: 3, looseFields: ['theta'], looseAbs: 1 };
    });
    expect(loose.cases[0]?.status).toBe('failed');
  });

  it('tolerances of a case, of a field, and information only', () => {
    const wide = run((f) => {
      wrong(f);
      f.cases[0].tolerance = { abs: 10 };
    });
    expect(wide.cases[0]).toMatchObject({ status: 'passed', where: 't=4/state/theta' });
    expect(wide.cases[0]?.largestError).toBeCloseTo(5, 1);
    const info = run((f) => {
      wrong(f);
      f.cases[0].tolerance = { compare: false };
    });
    expect(info.cases[0]).toMatchObject({ status: 'passed', compared: 0 });
  });

  it('held actions', () => {
    const report = run((f) => {
      f.cases[1].actions = [[1]];
      f.cases[1].holdActions = 50;
    });
    expect(report.cases[1]?.status).toBe('passed');
  });

  it('environments that are not built and files that are missing', () => {
    const change = (f: ReturnType<typeof read>) => {
      f.cases[0].env = 'no-such-world';
      f.cases[1].requires = ['weights.json'];
    };
    const report = run(change);
    expect(report.cases.map((c) => c.status)).toEqual(['skipped', 'skipped', 'passed']);
    expect(report.cases[0]?.message).toContain('no-such-world');
    expect(report.cases[1]?.message).toContain('weights.json');
    expect(report.ok).toBe(false);
    expect(run(change, true).ok).toBe(true);
    expect(run(change, true, (name) => (name === 'weights.json' ? {} : undefined)).skipped).toBe(1);
  });

  it('the format', () => {
    expect(() => runGoldenFile({ format: 1, cases: [] }, { allowSkip: true })).toThrow(LabError);
    expect(() => runGoldenFile([], { allowSkip: true })).toThrow(LabError);
  });
});
