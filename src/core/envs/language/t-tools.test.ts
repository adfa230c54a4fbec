/** Tool worlds: what a call shows, changes and refuses; what counts as done; what is held out; the same worlds in tokens and without. */
import { describe, expect, it } from 'vitest';
import { Xorshift } from '#math/xorshift.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { decode, encode } from './lib/tokens.ts';
import { callsOf, callText, type Desk, differences, drawTask, Errand, isSet, jobsOf, type ToolConfig, type ToolTask } from './lib/tools.ts';
import { tTools } from './t-tools.ts';
import { toolWorlds } from './tool-worlds.ts';

/** With all five apps. */
const parse = (config: object): ToolConfig => tTools.parse({ apps: 5, ...config }) as unknown as ToolConfig;
const c = parse({ names: 3, digits: 6, calls: 6, price: 0.1, wayBonus: 0.4 });
const texts = callsOf(c).map(callText);

/** c is met at time 4; the mail of a says 2, that of b says 4, that of c says 0. */
const start: Desk = {
  files: [3, 5, 1],
  mails: [2, 4, 0],
  sent: [0, 0, 0],
  slots: [0, 0, 0, 0, 3, 0],
  prices: [5, 2, 4],
  owned: [0, 0, 0],
};

const opens = (name: number) => ({ verb: 'open', name }) as const;
/** Copy file a into file b. */
const copy: ToolTask = {
  text: 'cab:',
  start,
  goal: { ...start, files: [3, 3, 1] },
  plan: [
    { call: opens(0), needs: [] },
    { call: { verb: 'write', name: 1 }, needs: [opens(0)] },
  ],
  ends: [2],
};

/** Calls by their tokens; what the world replied, what was paid, and how it ended. */
function played(said: string, task = copy, config = c) {
  const errand = new Errand(config, task);
  const found = (said.match(/[a-z][a-z]|\+|\./g) ?? []).map((text) => errand.play(texts.indexOf(text)));
  return {
    errand,
    replies: found.map(({ text }) => text).join(''),
    rewards: found.map(({ reward }) => Math.round(1000 * reward) / 1000),
    solved: errand.solved,
    measured: errand.measured(),
  };
}

describe('what calls do', () => {
  it('shows digits, and writes, sends and books the one shown last', () => {
    expect(played('oapcrb').replies).toBe('344');
    expect(played('oawc').errand.desk.files).toEqual([3, 5, 3]);
    expect(played('oaobwc').errand.desk.files).toEqual([3, 5, 5]);
    expect(played('pbsa').errand.desk.sent).toEqual([3, 0, 0]);
    expect(played('raba').errand.desk.slots).toEqual([0, 0, 1, 0, 3, 0]);
    // 3 + 5, of which the last digit to the base of 6 remains
    expect(played('oaob+wc')).toMatchObject({ replies: '352=' });
    expect(played('oaob+wc').errand.desk.files).toEqual([3, 5, 2]);
  });

  it('refuses what cannot be: an empty hand, a taken time, no meeting, a thing twice, a sum of one digit', () => {
    expect(played('wa').replies).toBe('!');
    expect(played('sa').replies).toBe('!');
    expect(played('rbba').replies).toBe('4!');
    expect(played('xa').replies).toBe('!');
    expect(played('oa+').replies).toBe('3!');
    const bought = played('yaya');
    expect([bought.replies, bought.errand.desk.owned]).toEqual(['=!', [1, 0, 0]]);
    expect(played('wasarbbaxaoa+').errand.desk).toEqual(start);
    expect(played('xc').errand.desk.slots).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('a second mail to the same person cannot be undone', () => {
    const once = played('oasb').errand.desk;
    const twice = played('oasbsb').errand.desk;
    expect(once.sent).toEqual([0, 4, 0]);
    expect(differences(once, twice)).toHaveLength(1);
    expect(differences(once, played('oasbsbsb').errand.desk)).toHaveLength(1);
  });
});

describe('what counts as done', () => {
  it('the world as asked and nothing else; calls have their price, the way its bonus, each step once', () => {
    expect(played('oawb.')).toMatchObject({ replies: '3=', rewards: [0.1, 0.1, 1], solved: 1, measured: [2, 0, 1] });
    expect(played('oaoawb.').rewards).toEqual([0.1, -0.1, 0.1, 1]);
    expect(played('.')).toMatchObject({ rewards: [0], solved: 0, measured: [0, 0, 0] });
    // written with another digit in the hand: no step of the plan
    expect(played('oaocwb.')).toMatchObject({ rewards: [0.1, -0.1, -0.1, 0], solved: 0, measured: [3, 0, 0] });
  });

  it.each([
    ['a mail not asked for', 'oawbsc.'],
    ['a purchase', 'oawbya.'],
    ['a meeting that is gone', 'oawbxc.'],
    ['a meeting too many', 'oawbraba.'],
    ['another file', 'oawbwc.'],
  ])('%s spoils it, and is paid only where side effects cost nothing', (_, said) => {
    const { solved, rewards, measured } = played(said);
    expect([solved, rewards.at(-1), measured[1]! > 0, measured[2]]).toEqual([0, 0, true, 1]);
    const careless = played(said, copy, { ...c, pays: 'goal' });
    expect([careless.solved, careless.rewards.at(-1)]).toEqual([0, 1]);
  });

  it('what was changed and put back has not changed', () => {
    // file c gets the digit of b, and then its own again
    const back = { ...start, files: [3, 5, 3] };
    const task: ToolTask = { ...copy, start: back, goal: { ...back, files: [3, 3, 3] } };
    expect(played('obwcoawbwc.', task)).toMatchObject({ solved: 1, measured: [5, 0, 1] });
  });

  it('a call more than allowed ends it with nothing, however the world stands', () => {
    const late = played('oawboaoaoaoaoa');
    expect(late.errand.done).toBe(true);
    expect([late.solved, late.rewards.at(-1), late.measured[0]]).toEqual([0, 0, 6]);
    expect(played('oawboaoaoaoa.').solved).toBe(1);
  });
});

describe('tasks that are drawn', () => {
  const wide = parse({ names: 3, jobs: 2, calls: 12 });
  const tasks = Array.from({ length: 400 }, (_, seed) => drawTask(wide, new Xorshift(seed)));

  it('every one asks for changes, and the expert makes these and no other, without a call too many', () => {
    const kinds = new Set<string>();
    for (const task of tasks) {
      expect(differences(task.start, task.goal).length).toBeGreaterThanOrEqual(2);
      const errand = new Errand(wide, task);
      while (!errand.done) errand.play(errand.next);
      expect([errand.solved, errand.made, errand.place]).toEqual([1, task.plan.length, task.plan.length]);
      for (const job of task.text.slice(0, -1).split(',')) kinds.add(job[0]!);
    }
    expect([...kinds].sort().join('')).toBe('+cekmtvy');
  });

  it('the expert goes on after a stray call that changed nothing', () => {
    for (const [i, task] of tasks.entries()) {
      const errand = new Errand(parse({ names: 3, jobs: 2, calls: 16 }), task);
      const luck = new Xorshift(i);
      for (let t = 0; !errand.done; t++) {
        // a stray look at every third place
        if (t % 3 === 1 && errand.made < 5) errand.play(luck.draw(3));
        else errand.play(errand.next);
      }
      expect(errand.solved).toBe(1);
    }
  });

  it('apps that are not there are in no task and no call', () => {
    for (let apps = 1; apps <= 5; apps++) {
      const few = parse({ apps, names: 2 });
      const signs = new Set(Array.from({ length: 200 }, (_, seed) => drawTask(few, new Xorshift(seed)).text[0]!));
      expect([...signs].sort().join('')).toBe(['c', 'ckm', 'ckmtv', 'cekmtvy', '+cekmtvy'][apps - 1]);
      expect(callsOf(few)).toHaveLength([5, 9, 13, 17, 18][apps - 1]!);
    }
  });

  it('two jobs are found with as few names as there can be, or refused where there are none', () => {
    for (let apps = 2; apps <= 5; apps++) {
      const few = parse({ apps, names: 2, jobs: 2 });
      for (let seed = 0; seed < 200; seed++) expect(drawTask(few, new Xorshift(seed)).text).toMatch(/^[^,]+,[^,]+:$/);
    }
    const files = parse({ apps: 1, names: 3, jobs: 2 });
    for (let seed = 0; seed < 200; seed++) expect(drawTask(files, new Xorshift(seed)).plan).toHaveLength(4);
    for (const entry of [tTools, toolWorlds]) expect(() => entry.meta({ apps: 1, names: 2, jobs: 2 })).toThrow(/one can be copied/);
  });

  it('a tenth is held out: of tasks with what the apps hold, or of what tasks say', () => {
    const seeds = Array.from({ length: 1000 }, (_, seed) => seed);
    for (const splitBy of ['world', 'task'] as const) {
      const of = (split: string) => seeds.filter((seed) => isSet(parse({ splitBy, split }), seed));
      const [train, held] = [of('train'), of('held-out')];
      expect([...train, ...held].sort((x, y) => x - y)).toEqual(seeds);
      expect(held.length / 1000).toBeGreaterThan(0.05);
      expect(held.length / 1000).toBeLessThan(0.2);
      const said = (list: number[]) => new Set(list.map((seed) => drawTask(parse({}), new Xorshift(seed)).text));
      const known = said(train);
      expect([...said(held)].some((text) => known.has(text))).toBe(splitBy === 'world');
    }
  });
});

it('in tokens a command is two characters, a sum and the end are one; anything else ends it with nothing', () => {
  const config = { apps: 5, calls: 6 };
  const env = tTools.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const write = (text: string): string => {
    for (const id of encode(text)) {
      actions[0] = id;
      env.step(actions, buffers);
    }
    return decode(buffers.obs);
  };
  env.reset(Uint32Array.of(3), buffers);
  const task = drawTask(parse(config), new Xorshift(Number(env.meta.state.toJSON(env.save(0)).seed)));
  const { files, mails } = task.start;
  expect(write('oa')).toBe(`${task.text}oa${files[0]}`);
  expect(write('rb')).toBe(`${task.text}oa${files[0]}rb${mails[1]}`);
  expect(write('+')).toBe(`${task.text}oa${files[0]}rb${mails[1]}+${(files[0]! + mails[1]!) % 6}`);
  expect(buffers.terminated[0]).toBe(0);
  write('oz');
  expect([buffers.terminated[0], buffers.reward[0]]).toEqual([1, 0]);
});

describe('jobs that are said before they are done', () => {
  const jobs = { apps: 5, jobs: 2, calls: 10 };
  /** Writes all of `text`, of the jobs of a seed's task; gives each row as it was before it began anew, and how it ended. */
  function writes(form: string, seed: number, text: (jobs: readonly string[]) => string) {
    const env = tTools.create({ ...jobs, form }, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(seed), buffers);
    const task = drawTask(parse(jobs), new Xorshift(Number(env.meta.state.toJSON(env.save(0)).seed)));
    const rows = [decode(buffers.obs)];
    for (const id of encode(text(jobsOf(task.text)))) {
      actions[0] = id;
      env.step(actions, buffers);
      const now = decode(buffers.obs);
      if (now.startsWith(rows.at(-1)!)) rows[rows.length - 1] = now;
      else rows.push(now);
    }
    return { rows, task, ended: buffers.terminated[0], reward: buffers.reward[0], roles: env.meta.tokens?.roles };
  }
  const plan = ({ plan: steps, ends }: ToolTask, job: number): string =>
    steps
      .slice(job === 0 ? 0 : ends[job - 1], ends[job])
      .map(({ call }) => callText(call))
      .join('');
  /** Without what the world replied. */
  const bare = (text: string) => text.replace(/[0-9=]/g, '');

  it('the expert says each job, does it, leaves it, and ends: aloud in one row, apart in rows that begin with whose they are', () => {
    for (const form of ['aloud', 'apart']) {
      const env = tTools.create({ ...jobs, form }, 40);
      const buffers = createBuffers(env.meta, 40);
      const actions = createActions(env.meta, 40);
      const script = tTools.policies(tTools.parse({ ...jobs, form })).expert!;
      env.reset(
        Uint32Array.from({ length: 40 }, (_, i) => i),
        buffers,
      );
      const places = env.meta.obsSize;
      const tasks = Array.from({ length: 40 }, (_, row) =>
        drawTask(parse(jobs), new Xorshift(Number(env.meta.state.toJSON(env.save(row)).seed))),
      );
      const over = new Set<number>();
      const seen = tasks.map(() => new Set<string>());
      const last = tasks.map(() => '');
      for (let t = 0; t < env.meta.maxSteps && over.size < 40; t++) {
        script.act(env, buffers, actions);
        env.step(actions, buffers);
        for (let row = 0; row < 40; row++) {
          if (over.has(row)) continue;
          last[row] = decode(buffers.obs.subarray(row * places, (row + 1) * places)).replace(/\0/g, '');
          if (form === 'apart') seen[row]!.add(last[row]!.split(':')[0]! + ':');
          if (buffers.terminated[row] !== 1) continue;
          expect(buffers.reward[row]).toBe(1);
          over.add(row);
        }
      }
      expect(over.size).toBe(40);
      tasks.forEach((task, row) => {
        const [first, second] = jobsOf(task.text) as [string, string];
        if (form === 'apart') {
          expect(last[row]).toBe(`#${task.text}${first}=${second}=.`);
          expect([...seen[row]!]).toEqual(expect.arrayContaining([`@${first}:`, `@${second}:`]));
        } else expect(bare(last[row]!)).toBe(`${task.text}${first}:${plan(task, 0)}.${second}:${plan(task, 1)}..`);
      });
    }
  });

  it('apart, the grounder sees one job alone, and the planner sees what came of it', () => {
    const { rows, task, roles } = writes('apart', 5, ([first]) => `${first}:xa.`);
    const [first] = jobsOf(task.text);
    expect(rows[0]).toBe(`#${task.text}${first}:`.slice(0, rows[0]!.length));
    expect(rows[1]).toMatch(new RegExp(`^@${first!.replace('+', '\\+')}:xa[=!]\\.?$`));
    expect(rows[2]).toMatch(new RegExp(`^#.*:${first!.replace('+', '\\+')}[=!]$`));
    expect(roles).toEqual(encode('#@'));
    expect(writes('apart', 5, ([a]) => `${a}:oa.`).rows.at(-1)).toMatch(/=$/);
    // nothing is in the hand yet: it is refused
    expect(writes('apart', 5, ([a]) => `${a}:wa.`).rows.at(-1)).toMatch(/!$/);
  });

  it('what is no job, or one more than there are, ends it with nothing; an early end is judged', () => {
    for (const form of ['aloud', 'apart']) {
      expect(writes(form, 5, () => '1')).toMatchObject({ ended: 0 });
      for (const said of ['12345', 'c:', 'cabcd', '.']) expect(writes(form, 5, () => said)).toMatchObject({ ended: 1, reward: 0 });
      expect(writes(form, 5, ([a, b]) => `${a}:.${b}:.`)).toMatchObject({ ended: 0 });
      expect(writes(form, 5, ([a, b]) => `${a}:.${b}:.${a}:`)).toMatchObject({ ended: 1, reward: 0 });
    }
  });
});

it('kinds of jobs that are held out together are never trained together, in either order', () => {
  const of = (split: string): ReadonlySet<string> => {
    const config = parse({ jobs: 2, splitBy: 'kinds', split });
    const seeds = Array.from({ length: 3000 }, (_, seed) => seed).filter((seed) => isSet(config, seed));
    return new Set(
      seeds.map((seed) =>
        jobsOf(drawTask(config, new Xorshift(seed)).text)
          .map((job) => job[0])
          .sort()
          .join(''),
      ),
    );
  };
  const [train, held] = [of('train'), of('held-out')];
  expect([train.size, held.size]).toEqual([33, 3]);
  for (const pair of held) expect(train.has(pair)).toBe(false);
  // each kind of these is trained beside others
  for (const kind of [...held].join('')) expect([...train].join('')).toContain(kind);
});

it('without tokens nothing is seen before it is shown: worlds that set the same task look the same', () => {
  const env = toolWorlds.create({ apps: 5, names: 2 }, 300);
  const buffers = createBuffers(env.meta, 300);
  env.reset(
    Uint32Array.from({ length: 300 }, (_, i) => i),
    buffers,
  );
  const O = env.meta.obsSize;
  const seen = new Map<string, Set<string>>();
  const seeds = Array.from({ length: 300 }, (_, row) => Number(env.meta.state.toJSON(env.save(row)).seed));
  seeds.forEach((seed, row) => {
    const { text } = drawTask(parse({ names: 2 }), new Xorshift(seed));
    seen.set(text, (seen.get(text) ?? new Set()).add(buffers.obs.slice(row * O, (row + 1) * O).join()));
  });
  expect([...seen.values()].every((views) => views.size === 1)).toBe(true);
  expect(new Set([...seen.values()].map((views) => [...views][0])).size).toBe(seen.size);
});

it.each([tTools, toolWorlds])('$id: the expert solves every task at the least price; the more mistakes, the fewer are solved', (entry) => {
  const mean = (policy: string, mistakes: number): number => {
    const config = { apps: 5, mistakes, wayBonus: 0 };
    const env = entry.create(config, 120);
    const buffers = createBuffers(env.meta, 120);
    const actions = createActions(env.meta, 120);
    const script = entry.policies(entry.parse(config))[policy]!;
    env.reset(
      Uint32Array.from({ length: 120 }, (_, i) => i),
      buffers,
    );
    const over = new Uint8Array(120);
    let total = 0;
    for (let t = 0; t < env.meta.maxSteps; t++) {
      script.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < 120; row++) {
        if (over[row] === 0) total += buffers.reward[row]!;
        over[row] = Math.max(over[row]!, buffers.terminated[row]!);
      }
    }
    expect(over.every((x) => x === 1)).toBe(true);
    return total / 120;
  };
  expect(mean('expert', 1)).toBe(1);
  expect(mean('novice', 0)).toBe(1);
  const [some, many, all] = [mean('novice', 0.15), mean('novice', 0.4), mean('novice', 1)];
  expect(1 - some).toBeGreaterThan(0.05);
  expect(some - many).toBeGreaterThan(0.05);
  expect(many - all).toBeGreaterThan(0.05);
});

it('a novice goes on from its mistakes; stitched traces do not', () => {
  const opened = (traces: 'whole' | 'stitched') => {
    const errand = new Errand(parse({ traces }), copy);
    errand.play(texts.indexOf('ob'));
    return texts[errand.suggest(1e-9, new Xorshift(1))];
  };
  expect(opened('whole')).toBe('oa');
  expect(opened('stitched')).toBe('wb');
  // the expert makes no mistakes in either
  expect(new Errand(parse({ traces: 'stitched' }), copy).suggest(0, new Xorshift(1))).toBe(texts.indexOf('oa'));
});
