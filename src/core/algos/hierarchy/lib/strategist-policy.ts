/** A policy that chooses among skills and performs them: each row remembers its skill, for how long, and the moment it was chosen at. */
import type { ExtraCard } from '#contract/session.ts';
import type { EnvMeta, Skills } from '#core/envs/api/types.ts';
import { argmax, categorical } from '#math/sampling.ts';
import type { Policy } from '../../api/types.ts';

const REMEMBERED = 3; // skill + 1 (0: none yet), steps with it, moment

/**
 * `inner` gives logits over skills [rows, N] and values; where `given` [N] holds ln p of each skill, these are used instead, and drawn
 * from even if the greedy choice is asked for: chance has no best. The extras say what it would choose now and what it performs.
 */
export function skilledPolicy(
  inner: Policy,
  meta: EnvMeta,
  skills: Skills,
  c: { readonly decisionInterval: number; readonly moments: boolean },
  given: Float32Array | null,
): Policy {
  const { obsSize: O, actionSize: D, skills: names = [] } = meta;
  const N = names.length;
  const extras: readonly ExtraCard[] = [
    {
      id: 'skillLogits',
      kind: 'logits',
      title: 'skills',
      description: 'How likely it would choose each skill now.',
      labels: names,
      chosen: 'skill',
    },
    { id: 'skill', kind: 'choice', title: 'performs', description: 'The skill it performs in this step.', labels: names },
  ];
  return {
    extras,
    initial: (rows) => new Float32Array(rows * REMEMBERED),
    async act(query) {
      const { rows, obs, rng } = query;
      const said = await inner.act({ ...query, greedy: true });
      const logits = given === null ? said.logits! : new Float32Array(rows * N);
      const hidden = query.hidden.slice();
      const skill = new Float32Array(rows);
      const actions = meta.actionCount > 0 ? new Int32Array(rows * D) : new Float32Array(rows * D);
      for (let row = 0; row < rows; row++) {
        if (given !== null) logits.set(given, row * N);
        const at = row * REMEMBERED;
        const moment = skills.moment(obs, row * O);
        const ended = hidden[at] === 0 || hidden[at + 1]! >= c.decisionInterval || (c.moments && moment !== hidden[at + 2]);
        if (ended) {
          const best = query.greedy && given === null;
          hidden[at] = 1 + (best ? argmax(logits, row * N, N) : categorical(logits, row * N, N, rng.uniform()));
          hidden[at + 1] = 0;
          hidden[at + 2] = moment;
        }
        hidden[at + 1]!++;
        skill[row] = hidden[at]! - 1;
        skills.act(skill[row]!, obs, row * O, actions, row * D);
      }
      return { actions, hidden, extras: { skillLogits: logits, skill }, ...(said.value && given === null && { value: said.value }) };
    },
    dispose: () => inner.dispose(),
  };
}
