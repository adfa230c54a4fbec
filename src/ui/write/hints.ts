/** Words that the editor offers and explains while code is written: members of the define functions, the generator, `Math`, and what is seen by name. */
import { type Completion, type CompletionContext, type CompletionResult, snippetCompletion } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView, Tooltip } from '@codemirror/view';
import type { OwnCard } from '#contract/own/sandbox.ts';
import { kindIn, type OwnKind } from '#contract/own/text.ts';

/** A word, what stands behind it in the list, and a sentence. `text`: what is inserted, with `#{}` for places to fill. */
interface Hint {
  readonly word: string;
  readonly detail: string;
  readonly about: string;
  readonly text?: string;
}

const OVER: readonly Hint[] = [
  { word: 'env', detail: "'id'", about: 'The environment of the catalogue, by its id.', text: "env: '#{cartpole}'," },
  { word: 'envSettings', detail: '{ .. }', about: 'Settings of the environment that differ from its own.', text: 'envSettings: { #{} },' },
];

const ALL: readonly Hint[] = [
  { word: 'title', detail: "'..'", about: 'Its name, as the page shows it.', text: "title: '#{Mine}'," },
  { word: 'about', detail: "'..'", about: 'One sentence: what it is.', text: "about: '#{}'," },
  {
    word: 'settings',
    detail: '{ name: { default, min, max } }',
    about: 'Numbers with a range, switches and choices: they become sliders, and --set on the command line.',
    text: 'settings: { #{name}: { default: #{1}, min: #{0}, max: #{2} } },',
  },
];

const MEMBERS: { readonly [kind in OwnKind]: readonly Hint[] } = {
  world: [
    ...ALL,
    {
      word: 'observation',
      detail: '{ labels, low, high }',
      about: 'Names of the numbers that the agent sees, with their bounds; or { states: 20 } for numbered states.',
      text: "observation: { labels: ['#{place}'], low: #{0}, high: #{1} },",
    },
    {
      word: 'actions',
      detail: '[..]',
      about: 'Names of the actions, or { labels, low, high } for continuous ones.',
      text: "actions: ['#{left}', '#{right}'],",
    },
    {
      word: 'learn',
      detail: '{ method, steps, settings }',
      about: 'What is offered first to learn it, where that is not what is recommended for worlds of its kind.',
      text: "learn: { method: '#{q-learning}', steps: #{20_000}, settings: { #{} } },",
    },
    { word: 'maxSteps', detail: 'number', about: 'Steps after which an episode is cut.', text: 'maxSteps: #{200},' },
    {
      word: 'reset',
      detail: '(settings, random) => state',
      about: 'The state at the start of an episode: an object of numbers, switches and lists.',
      text: 'reset(settings, random) {\n  return { #{place}: 0 };\n},',
    },
    {
      word: 'step',
      detail: '(state, action, settings, random)',
      about: 'Changes the state; returns the reward, or { reward, ended }. With several agents: a list of actions, and a list of rewards.',
      text: 'step(state, action, settings, random) {\n  #{}\n  return { reward: 0, ended: false };\n},',
    },
    {
      word: 'agents',
      detail: '[..]',
      about:
        'Several agents: their names, or groups { name, count }. Then step is given a list of actions, and observe, legal and alive the agent’s number.',
      text: "agents: [{ name: '#{hunter}', count: #{2} }, { name: '#{runner}' }],",
    },
    {
      word: 'alive',
      detail: '(state, settings, agent) => true or false',
      about: 'Whether an agent still takes part, where there are several.',
      text: 'alive: (state, settings, agent) => #{true},',
    },
    {
      word: 'score',
      detail: "'mean', 'sum', 'shared' or a group",
      about: 'How the returns of several agents become the curve; without it their mean.',
      text: "score: '#{hunter}',",
    },
    {
      word: 'rewards',
      detail: '[..]',
      about: 'Names of several rewards of one agent: step gives a list with a number for each.',
      text: "rewards: ['#{treasure}', '#{time}'],",
    },
    {
      word: 'observe',
      detail: '(state, settings, agent) => numbers',
      about: 'The list of numbers the agent sees, or the number of the state.',
      text: 'observe: (state) => [#{}],',
    },
    {
      word: 'legal',
      detail: '(state, settings, agent) => [..]',
      about: 'True or false for each action: whether it is allowed now.',
      text: 'legal: (state) => [#{}],',
    },
    {
      word: 'view',
      detail: '{ cells } or { x, y }',
      about: 'Where the picture is: a board { cells: [width, height] }, or a plane { x: [0, 10], y: [0, 5] }.',
      text: 'view: { cells: [#{5}, #{5}] },',
    },
    {
      word: 'draw',
      detail: '(state, settings) => things',
      about: 'What is in the picture: cells, discs, boxes, lines, arrows, bars, texts.',
      text: 'draw: (state) => [#{}],',
    },
    { word: 'gamma', detail: '0 to 1', about: 'The discount that learners use here.', text: 'gamma: #{0.99},' },
    { word: 'fps', detail: 'number', about: 'Steps a second in the picture.', text: 'fps: #{8},' },
  ],
  reward: [
    ...ALL,
    ...OVER,
    {
      word: 'reward',
      detail: '({ seen, action, next, reward, ended })',
      about: 'What a step pays. `reward` is what the environment itself pays.',
      text: 'reward: ({ next, reward }) => reward#{},',
    },
    {
      word: 'parts',
      detail: '[..]',
      about: 'Names of the numbers that reward returns as an object; their sum is paid, and each has a curve.',
      text: "parts: ['#{upright}', '#{calm}'],",
    },
    {
      word: 'potential',
      detail: '(seen, settings) => number',
      about: 'Adds gamma phi(next) - phi(seen): the best policy stays the best.',
      text: 'potential: (seen) => #{},',
    },
    { word: 'gamma', detail: '0 to 1', about: 'The discount of the potential; it must be the learner’s.', text: 'gamma: #{0.99},' },
  ],
  player: [
    ...ALL,
    ...OVER,
    {
      word: 'act',
      detail: '(seen, settings, legal, agent)',
      about: 'The action for what is seen. The same sight gives the same action.',
      text: 'act: (seen) => #{0},',
    },
  ],
  method: [
    ...ALL,
    ...OVER,
    { word: 'sees', detail: "'states' or 'numbers'", about: 'What it needs to see, where not both are fine.', text: "sees: '#{numbers}'," },
    {
      word: 'acts',
      detail: "'discrete' or 'continuous'",
      about: 'Which actions it can choose, where not both are fine.',
      text: "acts: '#{discrete}',",
    },
    {
      word: 'metrics',
      detail: '[..]',
      about: 'Names of numbers that learn returns: each becomes a curve.',
      text: "metrics: ['#{error}'],",
    },
    {
      word: 'start',
      detail: '(task, settings, random) => memory',
      about: 'What is remembered at first: numbers, texts, lists, objects, Float64Arrays.',
      text: 'start({ numbers, actions }, settings, random) {\n  return { #{} };\n},',
    },
    {
      word: 'act',
      detail: '(memory, seen, settings, random, legal)',
      about: 'The action while it learns.',
      text: 'act(memory, seen, settings, random) {\n  return #{0};\n},',
    },
    {
      word: 'best',
      detail: '(memory, seen, settings, legal)',
      about: 'The action without exploring.',
      text: 'best(memory, seen) {\n  return #{0};\n},',
    },
    {
      word: 'learn',
      detail: '(memory, step, settings, random)',
      about: 'Changes the memory after { seen, action, reward, next, ended, cut, legal }.',
      text: 'learn(memory, { seen, action, reward, next, ended }, settings) {\n  #{}\n},',
    },
    {
      word: 'values',
      detail: '(memory, seen, settings) => [..]',
      about: 'The value of each action, for explanations.',
      text: 'values: (memory, seen) => [#{}],',
    },
  ],
};

const DEFINERS: readonly Hint[] = [
  { word: 'defineEnv', detail: 'a world', about: 'A world of your own.', text: 'defineEnv({\n  #{}\n});' },
  { word: 'defineReward', detail: 'a reward', about: 'A reward for an environment of the catalogue.', text: 'defineReward({\n  #{}\n});' },
  { word: 'definePlayer', detail: 'a player', about: 'A few lines that act.', text: 'definePlayer({\n  #{}\n});' },
  { word: 'defineMethod', detail: 'a method', about: 'A method that learns.', text: 'defineMethod({\n  #{}\n});' },
];

const RANDOM: readonly Hint[] = [
  { word: 'uniform', detail: '(low, high)', about: 'A number in [low, high), 0 to 1 without arguments.', text: 'uniform(#{})' },
  { word: 'int', detail: '(n)', about: 'A whole number from 0 to n - 1.', text: 'int(#{})' },
  { word: 'chance', detail: '(p)', about: 'True with probability p.', text: 'chance(#{0.5})' },
  { word: 'normal', detail: '(mean, deviation)', about: 'A normally distributed number.', text: 'normal(#{0}, #{1})' },
  { word: 'pick', detail: '(list)', about: 'One of the list’s items.', text: 'pick(#{})' },
  { word: 'shuffle', detail: '(list)', about: 'Puts the list into a random order, in place.', text: 'shuffle(#{})' },
];

const PLACED = 'radius, colour';
/** Things of a picture. A board has the first two and numbers, a plane the others. */
const DRAWN: readonly Hint[] = [
  {
    word: 'cell',
    detail: '[x, y], look, colour',
    about: "A cell of a board; look: 'wall', 'coin', 'lava', 'door', 'goal' ..",
    text: "cell: [#{0}, #{0}], look: '#{wall}'",
  },
  { word: 'agent', detail: '[x, y], facing, colour, alive', about: 'An agent on a board.', text: 'agent: [#{state.x}, #{state.y}]' },
  {
    word: 'disc',
    detail: `[x, y], ${PLACED}`,
    about: 'A flat disc in a plane.',
    text: "disc: [#{0}, #{0}], radius: #{0.3}, colour: '#{blue}'",
  },
  { word: 'ball', detail: `[x, y], ${PLACED}`, about: 'A ball.', text: "ball: [#{0}, #{0}], radius: #{0.3}, colour: '#{orange}'" },
  { word: 'ring', detail: `[x, y], ${PLACED}`, about: 'A ring.', text: "ring: [#{0}, #{0}], radius: #{0.3}, colour: '#{grey}'" },
  {
    word: 'zone',
    detail: `[x, y], ${PLACED}`,
    about: 'A pale area under the rest.',
    text: "zone: [#{0}, #{0}], radius: #{1}, colour: '#{cyan}'",
  },
  { word: 'goal', detail: `[x, y], ${PLACED}`, about: 'The mark of a goal.', text: 'goal: [#{0}, #{0}], radius: #{0.4}' },
  { word: 'food', detail: `[x, y], ${PLACED}`, about: 'A small thing to collect.', text: 'food: [#{0}, #{0}], radius: #{0.15}' },
  {
    word: 'pointer',
    detail: '[x, y], radius, heading, colour',
    about: 'A wedge that points where it heads (rad).',
    text: 'pointer: [#{0}, #{0}], radius: #{0.3}, heading: #{0}',
  },
  {
    word: 'box',
    detail: '[x, y], size: [w, h], turn, colour',
    about: 'A box around its middle, turned by rad.',
    text: "box: [#{0}, #{0}], size: [#{1}, #{1}], colour: '#{blue}'",
  },
  { word: 'line', detail: '[x1, y1, x2, y2], colour', about: 'A line.', text: "line: [#{0}, #{0}, #{1}, #{0}], colour: '#{grey}'" },
  { word: 'arrow', detail: '[x1, y1, x2, y2], colour', about: 'A line with a head.', text: 'arrow: [#{0}, #{0}, #{1}, #{0}]' },
  {
    word: 'bar',
    detail: '[x, y], size: [w, h], value',
    about: 'A bar from its lower left corner, filled from 0 to 1.',
    text: 'bar: [#{0}, #{0}], size: [#{0.4}, #{2}], value: #{0.5}',
  },
  { word: 'text', detail: "'words', at: [x, y], size", about: 'Words in the picture.', text: "text: '#{words}', at: [#{0}, #{0}]" },
  { word: 'number', detail: "'name', value", about: 'A number beside the picture.', text: "number: '#{score}', value: #{state.score}" },
];

const MATHS = 'abs max min floor ceil round sign sqrt exp log pow sin cos tan atan2 tanh hypot PI'.split(' ');

const STEP: readonly Hint[] = [
  { word: 'seen', detail: 'what was seen', about: 'The observation before the step.' },
  { word: 'next', detail: 'what is seen next', about: 'The observation after the step.' },
  { word: 'action', detail: 'what was done', about: 'The number of the action, or the list of continuous ones.' },
  { word: 'reward', detail: 'the old reward', about: 'What the environment itself pays.' },
  { word: 'ended', detail: 'true or false', about: 'The task ended in this step.' },
  { word: 'cut', detail: 'true or false', about: 'The step limit cut the episode here.' },
];

const completionOf = ({ word, detail, about, text }: Hint): Completion => {
  const rest = { label: word, detail, info: about };
  return text === undefined ? rest : snippetCompletion(text, rest);
};

const plain = (word: string, detail: string): Completion => ({ label: word, detail });

/** What may follow at the cursor; null: nothing to offer. */
export function completionsAt(context: CompletionContext, card: OwnCard | null): CompletionResult | null {
  const { state, pos, explicit } = context;
  const member = context.matchBefore(/\b(random|Math|seen|next|settings)\.\w*/);
  if (member !== null) {
    const [object = ''] = member.text.split('.');
    const from = member.from + object.length + 1;
    if (object === 'random') return { from, options: RANDOM.map(completionOf) };
    if (object === 'Math') return { from, options: MATHS.map((word) => plain(word, 'the same bits everywhere')) };
    if (object === 'settings')
      return { from, options: (card?.settings ?? []).filter(({ of }) => of !== 'base').map(({ name, about }) => plain(name, about)) };
    return { from, options: (card?.names ?? []).filter((name) => name !== '').map((name) => plain(name, 'seen')) };
  }
  const word = context.matchBefore(/\w+/);
  if (word === null && !explicit) return null;
  const from = word?.from ?? pos;
  const before = state.doc.sliceString(0, from);
  if (/\.\s*$/.test(before)) return null;
  const hints = hintsAt(state, from, before);
  return hints.length === 0 ? null : { from, options: hints.map(completionOf), validFor: /^\w*$/ };
}

/** What can begin at this place: a definition, a member of one, a thing of a picture, or what a reward is told. */
function hintsAt(state: EditorState, from: number, before: string): readonly Hint[] {
  const kind = kindIn(state.doc.toString());
  if (!before.includes('define')) return DEFINERS;
  if (!/[{,]\s*$/.test(before)) return [];
  const inside = placeAt(state, from);
  if (inside === 'definition') return MEMBERS[kind];
  if (inside === 'picture') return kind === 'world' ? DRAWN : [];
  return kind === 'reward' && /\(\{[^}]*$/.test(before) ? STEP : [];
}

/** Which object the place is directly in: that of a define function, one that `draw` gives, or another one. */
function placeAt(state: EditorState, at: number): 'definition' | 'picture' | 'other' {
  const named = (node: { readonly from: number; readonly to: number } | null | undefined): string =>
    node == null ? '' : state.doc.sliceString(node.from, node.to);
  let node = syntaxTree(state).resolveInner(at, -1);
  while (node.name !== 'ObjectExpression') {
    if (node.parent === null) return 'other';
    node = node.parent;
  }
  if (node.parent?.name === 'ArgList' && /^define(Env|Reward|Player|Method)$/.test(named(node.parent.prevSibling))) return 'definition';
  for (let up = node.parent; up !== null; up = up.parent) if (up.name === 'Property' && named(up.firstChild) === 'draw') return 'picture';
  return 'other';
}

/** What may be written, for the help beside the editor. */
interface Help {
  readonly title: string;
  readonly hints: readonly Hint[];
}

export function helpFor(kind: OwnKind): readonly Help[] {
  const members: Help = { title: 'Members', hints: MEMBERS[kind] };
  const chance: Help = { title: 'Chance: random', hints: RANDOM };
  if (kind === 'world') return [members, { title: 'Things that draw gives', hints: DRAWN }, chance];
  if (kind === 'reward') return [members, { title: 'What reward is told', hints: STEP }];
  return kind === 'method' ? [members, chance] : [members];
}

/** A sentence for the word under the pointer. */
export function explanationAt(view: EditorView, at: number, card: OwnCard | null): Tooltip | null {
  const range = view.state.wordAt(at);
  if (range === null) return null;
  const { doc } = view.state;
  const word = doc.sliceString(range.from, range.to);
  const object = /(\w+)\.$/.exec(doc.sliceString(Math.max(0, range.from - 20), range.from))?.[1];
  const hint =
    object === 'random'
      ? RANDOM.find((each) => each.word === word)
      : object === undefined
        ? [...MEMBERS[kindIn(doc.toString())], ...DEFINERS].find((each) => each.word === word)
        : undefined;
  const setting = object === undefined ? card?.settings.find(({ name }) => name === word) : undefined;
  const words = hint === undefined ? setting?.about : `${hint.word} ${hint.detail}. ${hint.about}`;
  if (words === undefined || words === '') return null;
  return {
    pos: range.from,
    end: range.to,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-hint';
      dom.textContent = words;
      return { dom };
    },
  };
}
