/**
 * Inside the network where the token of the shown frame was written: which tokens its heads drew from (also a row of the strip), and what
 * every layer would have written. Nothing is asked for until it is open.
 */

import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { TokenInspection, TokenStrip } from '#contract/run/tokens.ts';
import { attendTo, lookInside, tokensStore } from '#stores/tokens.ts';
import { percent as inPercent } from '#ui/kit/format/numbers.ts';
import { attentionOf, layerOf, settledAfter } from '#ui/stage/tokens/inside.ts';
import styles from '#ui/stage/tokens/Tokens.module.css';
import { glyphOf, nameOf, percent } from '#ui/stage/tokens/words.ts';
import { Heads } from './Heads.tsx';

/** Tokens named of those a head draws from, and of those a layer would have written. */
const [MOST_SEEN, MOST_LIKELY] = [3, 3];

export function Inside({ env }: { readonly env: EnvCard }) {
  const { strip, inside, looking } = useStore(tokensStore);
  if (strip?.inspectable !== true) return null;
  return (
    <details className={styles.inside} open={looking} onToggle={(event) => lookInside(event.currentTarget.open)}>
      <summary>Inside the network</summary>
      {inside === null ? (
        <p className={styles.note}>Select a generated token below the picture.</p>
      ) : (
        <>
          <Attention env={env} strip={strip} inside={inside} />
          <Heads env={env} strip={strip} frame={inside.frame} />
          <Lens env={env} inside={inside} />
        </>
      )}
    </details>
  );
}

interface Props {
  readonly env: EnvCard;
  readonly inside: TokenInspection;
}

function Attention({ env, strip, inside }: Props & { readonly strip: TokenStrip }) {
  const { layer: chosen, head } = useStore(tokensStore);
  const layer = layerOf(inside, chosen);
  const mean = head >= inside.heads ? -1 : head;
  const weights = attentionOf(inside, layer, mean);
  const most = Array.from(weights, (weight, i) => ({ i, weight, token: strip.tokens[inside.row[i]!] }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_SEEN);
  const written = inside.lens[0]?.id ?? 0;
  return (
    <>
      <div className={styles.heads}>
        <label>
          layer{' '}
          <select value={layer} onChange={(event) => attendTo({ layer: Number(event.target.value) })}>
            {Array.from({ length: inside.layers }, (_, l) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: layers are known by their numbers
              <option key={l} value={l}>
                {l + 1}
              </option>
            ))}
          </select>
        </label>
        <label>
          head{' '}
          <select value={mean} onChange={(event) => attendTo({ head: Number(event.target.value) })}>
            <option value={-1}>mean of {inside.heads}</option>
            {Array.from({ length: inside.heads }, (_, h) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <option key={h} value={h}>
                {h + 1}
              </option>
            ))}
          </select>
        </label>
      </div>
      <table className={styles.looks}>
        <caption>
          Attention before {nameOf(env, written)}, frame {inside.frame}: most of it goes to
        </caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">token</th>
            <th scope="col">place in the row</th>
            <th scope="col">share of the attention, percent</th>
          </tr>
        </thead>
        <tbody>
          {most.map(({ i, weight, token }) => (
            <tr key={i} style={filled(weight)} title={token === undefined ? undefined : nameOf(env, token.id)}>
              <th scope="row">{token === undefined ? '' : glyphOf(env, token.id)}</th>
              <td>
                place {i + 1} of {weights.length}
              </td>
              <td>{percent(weight)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>Where a head reads is not yet what decides: “Why” below hides tokens and measures that.</p>
    </>
  );
}

function Lens({ env, inside: { lens } }: Props) {
  const id = lens[0]?.id ?? 0;
  const settled = settledAfter(lens);
  return (
    <>
      <table className={styles.lens}>
        <caption>What each layer would have written (logit lens)</caption>
        <thead>
          <tr>
            <th scope="col">after</th>
            <th scope="colgroup" colSpan={MOST_LIKELY}>
              likeliest, %
            </th>
            <th scope="col" title={`${nameOf(env, id)}, which was written`}>
              {glyphOf(env, id)}&nbsp;%
            </th>
          </tr>
        </thead>
        <tbody>
          {lens.map(({ likely, logProb }, depth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: depths are known by their numbers
            <tr key={depth}>
              <th scope="row">{depth === 0 ? 'embedding' : `layer ${depth}`}</th>
              {likely.slice(0, MOST_LIKELY).map(({ id: other, probability }) => (
                <td
                  key={other}
                  data-taken={other === id ? '' : undefined}
                  title={`${nameOf(env, other)} ${inPercent(percent(probability))}`}
                  style={filled(probability)}
                >
                  <span>{glyphOf(env, other)}</span> {percent(probability)}
                </td>
              ))}
              <td>{percent(Math.exp(logProb))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>
        {settled === null
          ? 'Another token is likelier in the end: this one was drawn.'
          : settled === 0
            ? 'The token written is the likeliest from the embedding on.'
            : `The token written is the likeliest from layer ${settled} on.`}
      </p>
    </>
  );
}

const filled = (share: number): object => ({ '--tint': `${Math.round(100 * share)}%` });
