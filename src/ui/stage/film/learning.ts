/** A film of learning: which kept policies it shows, and which moment of whose episode each picture is. Ten seconds, from random to trained. Pure. */

/** Of the whole film, and pictures a second: 480 x 270 stays small enough to send. */
export const FILM = { seconds: 10, fps: 20, width: 480, height: 270 } as const;
const PARTS = 4;
/** Each part lasts as long as another, the last twice: what was learned is what a person wants to see. */
const WEIGHTS = [1, 1, 1, 2] as const;
/** Episodes are played at most so much faster than they are. */
const FASTEST = 4;

/** Steps of the policies that are shown, at most four: the first, the last, and between them those nearest to even shares of the rungs. */
export function chosenSteps(steps: readonly number[]): readonly number[] {
  if (steps.length <= PARTS) return steps;
  return Array.from({ length: PARTS }, (_, i) => steps[Math.round((i * (steps.length - 1)) / (PARTS - 1))] ?? 0);
}

interface Shown {
  readonly length: number;
  readonly dt: number;
}

export interface FilmMoment {
  readonly part: number;
  readonly t: number;
  readonly alpha: number;
}

/** What is seen at a second of the film. An episode that is shorter than its part stands at its end. */
export function momentAt(second: number, episodes: readonly Shown[]): FilmMoment {
  const weights = WEIGHTS.slice(-episodes.length);
  const whole = weights.reduce<number>((sum, one) => sum + one, 0);
  let begin = 0;
  for (const [part, weight] of weights.entries()) {
    const lasts = (FILM.seconds * weight) / whole;
    const last = part === episodes.length - 1;
    if (second < begin + lasts || last) {
      const { length, dt } = episodes[part] ?? { length: 1, dt: 1 };
      const speed = Math.min(FASTEST, Math.max(1, ((length - 1) * dt) / lasts));
      const place = Math.min(length - 1, (Math.max(0, second - begin) * speed) / dt);
      const t = Math.floor(place + 1e-9);
      return { part, t, alpha: Math.max(0, place - t) };
    }
    begin += lasts;
  }
  return { part: 0, t: 0, alpha: 0 };
}
