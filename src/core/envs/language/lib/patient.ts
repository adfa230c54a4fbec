/**
 * A patient with one of eight conditions, who knows symptoms but no name for them. A letter asks for a symptom and is answered by y(es), n(o)
 * or "." (vague); a digit is the diagnosis. Vagueness is drawn once for each symptom: to ask again gives the same answer. The patient may
 * begin with a complaint, one of the four symptoms of the condition, each as likely: so the conditions that have it stay equally likely.
 */
import { Xorshift } from '#math/xorshift.ts';
import { badConfig } from '../../api/parse.ts';
import { halfOf, lineOfCards } from './cards.ts';
import type { Talk } from './define.ts';
import { answered, FACE_DOWN, NOTHING, numbersBelow, numerals, type PartnerKind, refused, type TalkConfig, told } from './partners.ts';

/**
 * The symptoms of conditions 1 to 8: four each. Every symptom belongs to two conditions at least and six at most, so that no answer alone
 * gives one away: a and e to six, c, d, f and h to four, b and g to two. c, f and h together tell all eight apart; where one of them is
 * vague, the others and one more do.
 */
export const CONDITIONS: readonly string[] = ['abde', 'acde', 'abdf', 'acef', 'degh', 'aceh', 'efgh', 'acfh'];
export const SYMPTOMS = 'abcdefgh';
/** By symptom: its conditions, a bit each. */
const HAVE = [...SYMPTOMS].map((symptom) => CONDITIONS.reduce((set, has, i) => (has.includes(symptom) ? set | (1 << i) : set), 0));
const ALL = (1 << CONDITIONS.length) - 1;

const sizeOf = (set: number): number => CONDITIONS.reduce((n, _, i) => n + ((set >> i) & 1), 0);
const firstOf = (set: number): number => CONDITIONS.findIndex((_, i) => ((set >> i) & 1) === 1);

interface Case {
  readonly condition: number;
  /** The symptom in the prompt; -1: none. */
  readonly complaint: number;
  /** Symptoms answered vaguely, a bit each. */
  readonly vague: number;
}

/** The order of draws is part of the definition: condition, complaint, then vagueness symptom by symptom. */
function drawCase(c: TalkConfig, rng: Xorshift): Case {
  const condition = rng.draw(CONDITIONS.length);
  const has = CONDITIONS[condition]!;
  const symptom = SYMPTOMS.indexOf(has[rng.draw(has.length)]!);
  const complaint = c.complaint ? symptom : -1;
  const vague = [...SYMPTOMS].reduce((set, _, s) => (rng.draw(1000) < 1000 * c.vagueness && s !== complaint ? set | (1 << s) : set), 0);
  return { condition, complaint, vague };
}

/** Makes fewer questions better where they cost nothing. */
const LEAST_PRICE = 1e-6;
/** A step of the best play: what is asked (-1: nothing any more), and what the talk is worth from here on. */
interface Step {
  readonly ask: number;
  readonly value: number;
}

/**
 * The best there is, backwards through all that can be known: value(asked, left, possible) = max of 1 / |possible| (answer now) and, over
 * the symptoms not yet asked, -price + v value(possible) + (1 - v) sum over yes and no of |part| / |possible| value(part).
 */
export function bestPlay({ vagueness, price }: Pick<TalkConfig, 'vagueness' | 'price'>) {
  const known = new Map<number, Step>();
  const worth = (asked: number, left: number, possible: number): number => (possible === 0 ? 0 : step(asked, left, possible).value);
  /** `asked` and `possible` have a bit for each symptom and condition; `left`: turns, the answer included. */
  function step(asked: number, left: number, possible: number): Step {
    const key = (left << 16) | (asked << 8) | possible;
    const before = known.get(key);
    if (before !== undefined) return before;
    const size = sizeOf(possible);
    let best: Step = { ask: -1, value: 1 / size };
    if (left > 1 && size > 1) {
      HAVE.forEach((have, ask) => {
        const [yes, no] = [possible & have, possible & ~have];
        if ((asked >> ask) % 2 === 1 || yes === 0 || no === 0) return;
        const after = (set: number): number => (sizeOf(set) / size) * worth(asked | (1 << ask), left - 1, set);
        const vague = vagueness > 0 ? vagueness * worth(asked | (1 << ask), left - 1, possible) : 0;
        const value = vague + (1 - vagueness) * (after(yes) + after(no)) - price - LEAST_PRICE;
        if (value > best.value + 1e-12) best = { ask, value };
      });
    }
    known.set(key, best);
    return best;
  }
  return step;
}

/** The play of the settings asked for last: every episode of a run has the same. */
let latest: { readonly vagueness: number; readonly price: number; readonly step: ReturnType<typeof bestPlay> } | null = null;
function playOf({ vagueness, price }: TalkConfig): ReturnType<typeof bestPlay> {
  if (latest?.vagueness !== vagueness || latest.price !== price) latest = { vagueness, price, step: bestPlay({ vagueness, price }) };
  return latest.step;
}

const CONDITION_FACES = numerals(CONDITIONS.length + 1);
const ANSWERS = ['', '+', '–', '.'] as const;
const SYMPTOM_FACES = [...SYMPTOMS].flatMap((symptom) => ANSWERS.map((answer) => symptom + answer));

export const patient: PartnerKind = {
  check(c) {
    if (c.split !== 'all' && c.vagueness === 0 && !c.complaint)
      throw badConfig('split', 'Eight patients are too few to hold any out.', 'Let them be vague, or begin with a complaint.');
  },
  sizes: (c) => ({ prompt: c.complaint ? 3 : 2, written: c.turns, replies: c.turns }),
  structure(c, seed) {
    const text = JSON.stringify(drawCase(c, new Xorshift(seed)));
    return { first: text, last: text };
  },
  picture() {
    const width = CONDITIONS.length;
    const half = halfOf(width);
    return {
      kind: 'table',
      items: [
        ...lineOfCards('can be', CONDITION_FACES, { n: width, width, y: 4.8 }),
        ...lineOfCards('asked', SYMPTOM_FACES, { n: width, width, y: 3.2 }),
        ...lineOfCards('diagnosis', CONDITION_FACES, { n: 1, width, y: 1.6 }),
        ...lineOfCards('has', CONDITION_FACES, { n: 1, width, y: 0 }),
        ...numbersBelow(half),
      ],
      bounds: [-half, -2, half, 5.8],
    };
  },
  best(c) {
    const step = bestPlay(c);
    if (!c.complaint) return step(0, c.turns, ALL).value;
    // a condition is as likely as any, and complains of each of its four symptoms alike
    const chance = (symptom: number): number => sizeOf(HAVE[symptom]!) / (4 * CONDITIONS.length);
    return HAVE.reduce((sum, have, symptom) => sum + chance(symptom) * step(1 << symptom, c.turns, have).value, 0);
  },
  begin(c, seed): Talk {
    const { condition, complaint, vague } = drawCase(c, new Xorshift(seed));
    /** By symptom, an index into ANSWERS. */
    const heard = new Uint8Array(SYMPTOMS.length);
    let [asked, possible] = [0, ALL];
    if (complaint >= 0) {
      heard[complaint] = 1;
      [asked, possible] = [1 << complaint, HAVE[complaint]!];
    }
    let [turns, questions, diagnosis, done] = [0, 0, -1, false];
    const anything = (luck: Xorshift): string => {
      const act = luck.draw(SYMPTOMS.length + CONDITIONS.length);
      return SYMPTOMS[act] ?? String(1 + act - SYMPTOMS.length);
    };
    return {
      prompt: complaint < 0 ? 'p:' : `p${SYMPTOMS[complaint]}:`,
      ends: () => true,
      play(turn, ended) {
        turns++;
        done = turns >= c.turns;
        if (!ended && /^[1-8]$/.test(turn)) {
          done = true;
          diagnosis = Number(turn) - 1;
          return answered(diagnosis === condition);
        }
        if (ended || !/^[a-h]$/.test(turn)) {
          done = true;
          return refused(c, turns);
        }
        const symptom = SYMPTOMS.indexOf(turn);
        questions++;
        asked |= 1 << symptom;
        if ((vague >> symptom) % 2 === 1) {
          heard[symptom] = 3;
          return told(c, '.', turns);
        }
        const yes = (HAVE[symptom]! >> condition) % 2 === 1;
        heard[symptom] = yes ? 1 : 2;
        possible &= yes ? HAVE[symptom]! : ~HAVE[symptom]!;
        return told(c, yes ? 'y' : 'n', turns);
      },
      suggest(how, luck) {
        if (how === 'novice' && luck.draw(1000) < 1000 * c.mistakes) return anything(luck);
        const { ask } = playOf(c)(asked, c.turns - turns, possible);
        return ask >= 0 ? SYMPTOMS[ask]! : String(1 + firstOf(possible));
      },
      draw(_, out) {
        const cards = [
          ...CONDITIONS.map((_, i) => ((possible >> i) % 2 === 1 ? i + 1 : NOTHING)),
          ...Array.from(heard, (answer, s) => ANSWERS.length * s + answer),
          diagnosis < 0 ? NOTHING : diagnosis + 1,
          done ? condition + 1 : FACE_DOWN,
        ];
        out.set([...cards, questions, sizeOf(possible)]);
      },
      measured: () => [questions, sizeOf(possible)],
    };
  },
};
