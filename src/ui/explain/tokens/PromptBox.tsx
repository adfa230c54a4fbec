/** A prompt of one's own: what the shown policy writes behind it, greedy beside sampled, with what else could have come at each place. */
import type { FormEvent } from 'react';
import { useStore } from 'zustand';
import { tokens } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { LONGEST_PROMPT, type PromptAnswers, type WrittenToken } from '#contract/run/tokens.ts';
import { stageStore } from '#stores/stage.ts';
import { tokensStore } from '#stores/tokens.ts';
import { Button } from '#ui/kit/Button.tsx';
import { lasting, useLasting } from '#ui/stage/lasting.ts';
import styles from '#ui/stage/tokens/Tokens.module.css';
import { glyphOf, glyphsOf, nameOf, percent } from '#ui/stage/tokens/words.ts';

/** What was typed, and answered last. */
interface Asked {
  /** null: the prompt of the shown episode stands there. */
  readonly typed: string | null;
  readonly draws: number;
  readonly answers: PromptAnswers | null;
  /** The prompt of these answers. */
  readonly asked: string;
  readonly failed: string;
}

const prompts = lasting<Asked>({ typed: null, draws: 0, answers: null, asked: '', failed: '' });

export function PromptBox({ env }: { readonly env: EnvCard }) {
  const policy = useStore(stageStore, (state) => state.policy);
  const ref = useStore(stageStore, (state) => state.replay?.env ?? null);
  const strip = useStore(tokensStore, (state) => state.strip);
  const given =
    strip === null
      ? ''
      : promptOf(
          env,
          strip.tokens.filter(({ frame }) => frame === 0).map(({ id }) => id),
        );
  const [{ typed, draws, answers, asked, failed }, change] = useLasting(prompts, env.id);
  const prompt = typed ?? given;
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (policy === null || ref === null) return;
    change({ typed: prompt, failed: '' });
    try {
      change({ answers: await tokens.answer(ref, policy.key, prompt, draws), asked: prompt, draws: draws + 1 });
    } catch (error) {
      const { message, fix } = toFailure(error);
      change({ answers: null, failed: `${message} ${fix}` });
    }
  };
  return (
    <section className={styles.own} aria-labelledby="own-prompt">
      <h3 id="own-prompt">Your own prompt</h3>
      <form className={styles.ask} onSubmit={(event) => void ask(event)}>
        <input
          type="text"
          aria-label="Prompt"
          value={prompt}
          maxLength={LONGEST_PROMPT}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={failed !== ''}
          aria-describedby={failed === '' ? undefined : 'own-prompt-failed'}
          onFocus={() => change({ typed: prompt })} // the next episode must not change what is being typed
          onChange={(event) => change({ typed: event.target.value })}
        />
        <Button disabled={policy === null} onClick={(event) => event.currentTarget.form?.requestSubmit()}>
          Answer
        </Button>
      </form>
      {failed !== '' && (
        <p className={styles.failed} id="own-prompt-failed" role="alert">
          {failed}
        </p>
      )}
      {answers !== null && (
        <div role="status">
          <Written env={env} title="greedy" prompt={asked} tokens={answers.greedy} />
          <Written env={env} title="sampled" prompt={asked} tokens={answers.sampled} />
          <p className={styles.note}>
            These answers are not judged{env.policies.length > 0 && ', and no world replies'}. Answer again draws another sample.
          </p>
        </div>
      )}
    </section>
  );
}

/** Characters of a prompt, its first token left out. */
function promptOf(env: EnvCard, ids: readonly number[]): string {
  return ids
    .filter((id) => id !== env.tokens?.begin)
    .map((id) => {
      const label = env.action.labels[id] ?? '';
      if (env.tokens?.words === true) return label;
      return label === 'space' ? ' ' : label.length === 1 ? label : '';
    })
    .join(env.tokens?.words === true ? ' ' : '');
}

/** One answer; each token stands over the ones that could have come. */
function Written({
  env,
  title,
  prompt,
  tokens,
}: {
  readonly env: EnvCard;
  readonly title: string;
  readonly prompt: string;
  readonly tokens: readonly WrittenToken[];
}) {
  return (
    <figure className={styles.answer}>
      <figcaption>
        {title} <span className={styles.said}>{prompt}</span>
        <strong className={styles.said}>
          {glyphsOf(
            env,
            tokens.map(({ id }) => id),
          )}
        </strong>
      </figcaption>
      <ol>
        {tokens.map(({ id, likely }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places of a row are what they are
          <li key={place}>
            <ul aria-label={`Instead of ${nameOf(env, id)}`}>
              {likely.map(({ id: other, probability }) => (
                <li
                  key={other}
                  data-taken={other === id ? '' : undefined}
                  style={{ '--tint': `${Math.round(100 * probability)}%` } as object}
                >
                  <span>{glyphOf(env, other)}</span>
                  <span className="figures">{percent(probability)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </figure>
  );
}
