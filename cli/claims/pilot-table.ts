/** A pilot as text: arms, contrasts, what to know, what it refuses. */
import { scoreOfPilot } from '#claims/pilot.ts';
import type { Pilot } from '#contract/papers/pilots.ts';
import { number, table } from '../kit/output.ts';

const percent = (share: number | null): string => (share === null ? '-' : `${number(100 * share)} %`);

/** `minutes`: core-minutes that the full form may take. */
export function pilotTable(pilot: Pilot, minutes: number): string {
  const { id, arms, contrasts, seeds, coreMinutes, minutesPerSeed, looks, warnings, refused } = pilot;
  const last = looks.at(-1) ?? 0;
  const lines = [
    `${id}: pilot on seeds ${seeds[0]} to ${seeds.at(-1)}, ${number(coreMinutes)} core-minutes`,
    table(
      ['arm', 'score', 'random', 'ceiling', 'way', 'last fifth', 'spread', 'cut', 'two humps', 'parameters', 'steps', 'tokens', 'core-min'],
      arms.map((arm) => [
        arm.id,
        number(scoreOfPilot(arm)),
        number(arm.random?.value ?? null),
        number(arm.ceiling?.value ?? null),
        percent(arm.height),
        percent(arm.rise),
        number(arm.spread),
        percent(arm.censored),
        arm.humps === null ? 'not seen' : arm.humps ? 'yes' : 'no',
        number(arm.parameters),
        number(arm.steps),
        number(arm.tokens),
        number(arm.coreMinutes),
      ]),
    ),
    table(
      ['contrast', 'estimate', 'seeds needed', 'least', 'most'],
      contrasts.map((one) => [one.id, number(one.estimate), number(one.seeds), number(one.least), number(one.most)]),
    ),
    `A seed of all arms takes ${number(minutesPerSeed)} core-minutes: looks at ${looks.join(', ') || 'no'} seeds, ${number(last * minutesPerSeed)} of ${minutes} core-minutes at most.`,
    ...warnings.map((text) => `- ${text}`),
    ...refused.map((text) => `- It cannot start: ${text}`),
  ];
  return lines.join('\n');
}
