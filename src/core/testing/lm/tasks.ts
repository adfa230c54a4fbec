/** Golden cases of lm-tasks.json: generators, verifiers, transcripts of episodes, rates of scripted play. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { Xorshift } from '#math/xorshift.ts';
import type { Engine } from '../../engine/types.ts';
import { parseExpression } from '../../envs/language/lib/expression.ts';
import { DEFAULT_GAME_KNOBS, feedback, GAME_NAMES, type GameKnobs, type GameName, gameOf } from '../../envs/language/lib/games.ts';
import { DEFAULT_KNOBS, itemOf, type Knobs, TASK_NAMES, verify } from '../../envs/language/lib/tasks.ts';
import { BOS, encode } from '../../envs/language/lib/tokens.ts';
import { type LmCase, objectOf } from './case.ts';

export function runTasksCase(_engine: Engine, c: LmCase): void {
  if (c.has('task')) singleTurn(c);
  else if (c.has('texts')) expressions(c);
  else if (c.has('text')) c.check('ids', [BOS, ...encode(c.text('text'))]);
  else if (c.has('env')) episodes(c);
  else if (Object.keys(c.input).length === 0) generator(c);
  else throw new Error(`no kind of case has the inputs ${Object.keys(c.input).join(', ')}`);
}

function expressions(c: LmCase): void {
  const found = c.list('texts').map((text) => {
    const parsed = parseExpression(String(text));
    return parsed === null ? ['bad', null, null] : ['ok', parsed.value, [...parsed.numbers]];
  });
  // null is an answer here: compared as text
  const say = (list: Json | undefined): Json => (Array.isArray(list) ? list.map((one) => JSON.stringify(one)) : null);
  c.checkValue('result', say(found), say(c.expected.result));
  c.known('result');
}

/** Keys seedS_u32, seedS_drawN, seedS_shuffleN name their own settings. */
function generator(c: LmCase): void {
  for (const [key, wanted] of Object.entries(c.expected)) {
    const [, seed, what, n] = /^seed(\d+)_(u32|draw|shuffle)(\d*)$/.exec(key) ?? [];
    if (seed === undefined || !Array.isArray(wanted)) throw new Error(`expected "${key}" is not known for a generator`);
    const rng = new Xorshift(Number(seed));
    if (what === 'shuffle') c.check(key, rng.shuffle(Array.from({ length: Number(n) }, (_, i) => i)));
    else
      c.check(
        key,
        Array.from({ length: wanted.length }, () => (what === 'draw' ? rng.draw(Number(n)) : rng.next())),
      );
  }
}

/** Knobs as files write them: numbers for flags. Throws Error for one that is not known. */
export function knobsOf(json: JsonObject): Knobs {
  const { scratch, rev, exact, ...rest } = json;
  for (const key of Object.keys(json)) if (!(key in DEFAULT_KNOBS)) throw new Error(`knob "${key}" is not known`);
  return { ...DEFAULT_KNOBS, ...(rest as Partial<Knobs>), scratch: scratch === 1, rev: rev === 1, exact: exact === 1 };
}

function singleTurn(c: LmCase): void {
  const task = TASK_NAMES.find((name) => name === c.text('task'));
  if (task === undefined) throw new Error(`there is no task "${c.text('task')}"`);
  const knobs = knobsOf(objectOf(c.input.knobs, 'knobs'));
  const [first, last] = c.numbers('item_seeds') as [number, number];
  const items = Array.from({ length: last - first + 1 }, (_, i) => itemOf(task, knobs, first + i));
  c.check(
    'items',
    items.map(({ prompt, answer, steps }) => [prompt, answer, steps]),
  );
  const wanted = (c.expected.verdicts ?? []) as readonly (readonly [Json, Json, Json])[];
  c.check(
    'verdicts',
    wanted.map(([item, completion, ended]) => {
      const v = verify(task, knobs, items[Number(item)]!, String(completion), ended === 1);
      return [item, completion, ended, v.format, v.correct, v.partial, v.correct === 1 ? 1 : 0.1 * v.format];
    }),
  );
  // of 2,000 items and random tries: how the task looks, not what it is
  c.known('stats');
}

function gameNamed(name: string): GameName {
  const found = GAME_NAMES.find((known) => known === (name === 'ttt' ? 'tictactoe' : name));
  if (found === undefined) throw new Error(`there is no game "${name}"`);
  return found;
}

function gameKnobs(json: Json | undefined): GameKnobs {
  const given = objectOf(json ?? {}, 'knobs');
  for (const key of Object.keys(given)) if (!(key in DEFAULT_GAME_KNOBS)) throw new Error(`knob "${key}" is not known`);
  return { ...DEFAULT_GAME_KNOBS, ...(given as Partial<GameKnobs>) };
}

/** Plays the turns that a transcript lists and compares replies, flags, rewards, the text and which tokens are the policy's. */
function episodes(c: LmCase): void {
  const name = gameNamed(c.text('env'));
  const listed = (c.expected.episodes ?? []) as readonly JsonObject[];
  listed.forEach((episode, i) => {
    const game = gameOf(name, gameKnobs(episode.knobs ?? c.input.knobs), Number(episode.seed));
    let text = game.prompt;
    let mask = '0'.repeat(text.length);
    let total = 0;
    const steps = (episode.steps as readonly (readonly Json[])[]).map(([said]) => {
      const turn = String(said);
      const answered = game.ends(turn);
      const found = game.play(turn, !answered);
      text += turn + found.text;
      mask += '1'.repeat(turn.length) + '0'.repeat(found.text.length);
      total += found.reward;
      return [turn, found.text, Number(found.done), found.reward, found.format];
    });
    const got: JsonObject = { ...episode, prompt: game.prompt, steps, text, loss_mask: mask, episode_return: total };
    const { walls: _, ...wanted } = episode;
    c.checkValue(`episodes/${i}`, got, wanted);
  });
  const marks = (c.expected.feedback ?? []) as readonly (readonly [Json, Json])[];
  c.check(
    'feedback',
    marks.map(([secret, said]) => [secret, said, feedback(String(secret), String(said))]),
  );
  const items = (c.expected.items ?? []) as readonly Json[];
  const firstItem = c.has('item_seeds') ? c.numbers('item_seeds')[0]! : 1;
  c.check(
    'items',
    items.map((_, i) => demonstrated(name, gameKnobs(c.input.knobs), firstItem + i)),
  );
  // means over thousands of episodes of scripted players: what to expect of them, not what the game is
  c.known('episodes', 'rates', 'by_limit');
}

/** Prompt, answer and the whole of what the expert writes and is told. */
function demonstrated(name: GameName, k: GameKnobs, seed: number): Json {
  const game = gameOf(name, k, seed);
  const luck = new Xorshift(0);
  let text = '';
  for (;;) {
    const turn = game.suggest('expert', luck);
    const found = game.play(turn, !game.ends(turn));
    text += turn + found.text;
    if (found.done) return [game.prompt, text.split('#').at(-1) ?? '', text];
  }
}
