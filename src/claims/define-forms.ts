/** Makes cards without an outcome of what their files say: an idea, a map, a table. Refuses what could not be shown. */
import type { BuiltCard, CardHead, IdeaCard, MapCard, UnjudgedCard } from '#contract/papers/forms.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { isListed } from './define.ts';

/** What a judged card says of its paper, for a card that takes its place. */
export const headOf = ({ id, title, authors, year, link, claim, idea, equation }: JudgedCard): CardHead => ({
  id,
  title,
  authors,
  year,
  link,
  claim,
  idea,
  equation,
});

/** Throws Error for what no form without an outcome may be. */
function check(card: UnjudgedCard, measured: number): (why: string) => never {
  const refuse = (why: string): never => {
    throw new Error(`Paper ${card.id}: ${why}`);
  };
  const { id, noVerdict, asked, earlier } = card;
  if (!isListed(id)) refuse('a form without an outcome is that of a paper of the list.');
  if (!/^[A-Z].*\.$/.test(noVerdict)) refuse('noVerdict is a sentence: what the claim would need.');
  if (asked.choices.length < 3) refuse('a question has three choices or more, the last for no difference.');
  if (asked.choices.length !== measured + 1) refuse(`${measured} things are measured: ${measured + 1} choices.`);
  if (!(asked.alike >= 0)) refuse('alike is at least 0.');
  if (earlier !== null && earlier.id !== id) refuse(`its earlier form is that of ${earlier.id}.`);
  return refuse;
}

type Told<T extends UnjudgedCard> = Omit<T, 'form'>;

/** An idea to touch. Throws Error where its question has other choices than it measures things, or a player is no arm of its judged form. */
export function defineIdea(told: Told<IdeaCard>): IdeaCard {
  const card: IdeaCard = { form: 'idea', ...told };
  const { touch, earlier, asked } = card;
  if (touch.kind === 'widget') {
    check(card, asked.choices.length - 1);
    return card;
  }
  const refuse = check(card, touch.players.length);
  const stranger = touch.players.find(({ arm }) => !earlier?.arms.some(({ id }) => id === arm));
  if (stranger !== undefined) refuse(`its judged form has no arm "${stranger.arm}".`);
  if (touch.kind === 'trained' && earlier?.quick == null) refuse('its judged form has no quick form to train.');
  if (touch.kind === 'played' && touch.dial !== null && !touch.dial.values.includes(touch.dial.start))
    refuse('its dial does not begin at one of its values.');
  return card;
}

/** Of a map at least so many leaves open something that runs. */
const OPEN = 2 / 3;

/** A survey as a tree. Throws Error where less than two thirds of its leaves open something. */
export function defineMap(told: Told<MapCard>): MapCard {
  const card: MapCard = { form: 'map', ...told };
  const refuse = check(card, card.shown.length);
  const leaves = card.branches.flatMap((branch) => branch.leaves);
  const open = leaves.filter((leaf) => 'opens' in leaf).length;
  if (open < OPEN * leaves.length) refuse(`${open} of ${leaves.length} leaves open something: two thirds must.`);
  return card;
}

/** Scores that the question of a table is about: those of its task that were run, with the titles of their methods. */
export function askedScores({ tasks, methods, about }: Pick<BuiltCard, 'tasks' | 'methods' | 'about'>) {
  const task = tasks.find(({ title }) => title === about);
  return (task?.scores ?? []).flatMap((score, k) => (score === null ? [] : [{ method: methods[k] ?? '', score }]));
}

/** Tasks by methods. Throws Error where a row has other cells than there are methods, or the question is about no row. */
export function defineBuilt(told: Told<BuiltCard>): BuiltCard {
  const card: BuiltCard = { form: 'built', ...told };
  const refuse = check(card, askedScores(card).length);
  const ragged = card.tasks.find(({ scores }) => scores.length !== card.methods.length);
  if (ragged !== undefined) refuse(`"${ragged.title}" has ${ragged.scores.length} scores for ${card.methods.length} methods.`);
  if (card.tasks.every(({ scores }) => scores.every((score) => score === null))) refuse('no cell of its table has a score.');
  return card;
}
