/**
 * The episode on the stage in its tokens: what was given, what the policy wrote with the log-probability, the entropy and the reward still
 * to come at each, and the verifier's verdict. A press on a token goes to the frame where it was written. While the inside of the network is
 * looked at (Inside.tsx), a row says how much it drew there from each token before.
 */
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { StripToken } from '#contract/run/tokens.ts';
import { stageStore } from '#stores/stage.ts';
import { tokensStore } from '#stores/tokens.ts';
import { t } from '#text/text.ts';
import { percent } from '#ui/kit/format/numbers.ts';
import { askedInWords } from '../describe.ts';
import { attentionOf, layerOf } from './inside.ts';
import styles from './Tokens.module.css';
import { doubtOf, glyphOf, nameOf, short, verdictOf } from './words.ts';

export function TokenStrip({ env }: { readonly env: EnvCard }) {
  const { replay, strip, values, inside, looking, layer, head } = useStore(tokensStore);
  const shown = useStore(stageStore, (state) => state.replay === replay);
  const at = useStore(stageStore, (state) => state.t);
  const ended = useStore(stageStore, (state) => state.t >= state.length - 1);
  const scroller = useRef<HTMLElement>(null);
  const now = strip === null ? -1 : strip.tokens.findLastIndex(({ frame }) => frame <= at);
  // A long episode is followed as it is written.
  useEffect(() => {
    const box = scroller.current;
    const cell = box?.querySelector<HTMLElement>(`[data-place="${now}"]`);
    if (box === null || box === undefined || cell === null || cell === undefined) return;
    const right = cell.offsetLeft + cell.offsetWidth;
    if (right > box.scrollLeft + box.clientWidth || cell.offsetLeft < box.scrollLeft + HEAD)
      box.scrollLeft = right - box.clientWidth + HEAD;
  }, [now]);
  if (strip === null || !shown) return <div className={styles.strip} data-empty="" />;
  const size = env.action.kind === 'discrete' ? env.action.n : 2;
  const known = strip.tokens.some(({ written }) => written !== null);
  const verdict = verdictOf(ended ? strip.measures : null);
  const come = (token: StripToken): boolean => token.frame <= at;
  const drawn = looking && inside !== null ? attentionOf(inside, layerOf(inside, layer), head) : null;
  const weights = new Map(inside?.row.map((place, i) => [place, drawn?.[i]]));
  const given = strip.tokens.filter(({ frame }) => frame === 0).length;
  const written = strip.tokens.filter((token) => token.frame > 0 && come(token)).length;
  const replies = strip.tokens.some(({ frame }, place) => frame > 0 && !isOwn(strip.tokens, place));
  const cells = (
    of: (token: StripToken, place: number) => { readonly text: string; readonly tint: number; readonly title: string } | null,
  ) =>
    strip.tokens.map((token, place) => {
      const found = come(token) ? of(token, place) : null;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: places of a row are what they are
        <td key={place} title={found?.title} data-now={place === now ? '' : undefined} style={tinted(found?.tint ?? 0)}>
          {found?.text}
        </td>
      );
    });
  return (
    <div className={styles.strip}>
      {strip.asked !== '' && <p className={styles.question}>{askedInWords(strip.asked)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={styles.scroller} ref={scroller} tabIndex={0} aria-label={t('Tokens of this episode')}>
        <table className={styles.tokens}>
          <tbody>
            <tr className={styles.parts}>
              <td />
              <td colSpan={given}>{t('asked')}</td>
              {written > 0 && <td colSpan={written}>{replies ? t('answered, with the replies of the world') : t('answered')}</td>}
            </tr>
            <tr>
              <th scope="row">{t('token')}</th>
              {strip.tokens.map((token, place) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  key={place}
                  data-place={place}
                  data-own={token.frame > 0 && isOwn(strip.tokens, place) ? '' : undefined}
                  data-now={place === now ? '' : undefined}
                  data-come={come(token) ? '' : undefined}
                >
                  <button
                    type="button"
                    aria-label={t('{token}, frame {n}', { token: nameOf(env, token.id), n: token.frame })}
                    aria-current={place === now ? 'step' : undefined}
                    title={tipOf(env, token)}
                    onClick={() => {
                      stageStore.getState().setPlaying(false);
                      stageStore.getState().seek(token.frame);
                    }}
                  >
                    {come(token) ? glyphOf(env, token.id) : ''}
                  </button>
                </td>
              ))}
            </tr>
            {known && (
              <>
                <tr>
                  <th scope="row" title={t('Natural logarithm of the probability of this token where it was written.')}>
                    {t('log p')}
                  </th>
                  {cells(({ written }) =>
                    written === null
                      ? null
                      : {
                          text: short(written.logProb),
                          tint: doubtOf(written.logProb, size),
                          title: `${t('log-probability')} ${written.logProb.toFixed(3)}`,
                        },
                  )}
                </tr>
                <tr>
                  <th scope="row" title={t('How undecided it was there, in nats; 4.16 is pure chance among 64 tokens.')}>
                    {t('entropy')}
                  </th>
                  {cells(({ written }) =>
                    written === null
                      ? null
                      : {
                          text: short(written.entropy),
                          tint: written.entropy / Math.log(size),
                          title: `${t('entropy')} ${written.entropy.toFixed(3)} nats`,
                        },
                  )}
                </tr>
                <tr>
                  <th
                    scope="row"
                    title={
                      values === null
                        ? t('Mean reward still to come after this token.')
                        : t('Mean reward still to come after this token, sampled {n} times to the end.', { n: values.samples })
                    }
                  >
                    {t('value')}
                  </th>
                  {strip.tokens.map((token, place) => {
                    const here = place === strip.tokens.length - 1 || strip.tokens[place + 1]?.frame !== token.frame;
                    const value = here && come(token) ? values?.values[token.frame] : undefined;
                    const last = token.frame > 0 && token.frame === (values?.values.length ?? 0) - 1;
                    return (
                      <td
                        // biome-ignore lint/suspicious/noArrayIndexKey: as above
                        key={place}
                        data-now={place === now ? '' : undefined}
                        data-value=""
                        style={tinted(value ?? 0)}
                        title={value === undefined ? undefined : t('reward to come {n}', { n: value.toFixed(3) })}
                      >
                        {value === undefined || last ? '' : short(value)}
                      </td>
                    );
                  })}
                </tr>
              </>
            )}
            {looking && strip.inspectable && (
              <tr>
                <th scope="row" title="How much the place that wrote the token of this frame draws from each token before it.">
                  {t('attention')}
                </th>
                {cells((_, place) => {
                  const weight = weights.get(place);
                  if (weight === undefined) return null;
                  // by the root: shares of a long row are small
                  return {
                    text: short(weight),
                    tint: Math.sqrt(weight),
                    title: `attention ${weight.toFixed(3)} before frame ${inside?.frame}`,
                  };
                })}
              </tr>
            )}
          </tbody>
        </table>
      </section>
      <p className={styles.verdict} data-kind={verdict.kind}>
        <strong>{verdict.text}</strong>
        <span className="figures">{verdict.kind === 'open' ? t('still writing') : t('reward {n}', { n: short(strip.reward) })}</span>
        {verdict.kind === 'wrong' && strip.right.length > 0 && (
          <span className={styles.right}>
            {t('right:')} <code>{strip.right.map((id) => glyphOf(env, id)).join(' ')}</code>
          </span>
        )}
      </p>
    </div>
  );
}

/** Room of the row headings, px. */
const HEAD = 64;

/** The first token of a frame is the policy's own; what follows it in the same frame is the world's. */
const isOwn = (tokens: readonly StripToken[], place: number): boolean => tokens[place - 1]?.frame !== tokens[place]?.frame;

const tinted = (share: number): object => ({ '--tint': `${Math.round(70 * Math.min(1, Math.max(0, share)))}%` });

function tipOf(env: EnvCard, { id, written, frame }: StripToken): string {
  if (written === null) return frame === 0 ? t('{token}, given', { token: nameOf(env, id) }) : nameOf(env, id);
  const others = written.likely.map(({ id: other, probability }) => `${glyphOf(env, other)} ${percent((100 * probability).toFixed(1))}`);
  return t('{token}: most likely {others}', { token: nameOf(env, id), others: others.join(', ') });
}
