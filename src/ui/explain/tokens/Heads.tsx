/**
 * The attention of the whole row as pictures: all heads small, the chosen one large. A row is a token, a column one that it drew from; darker
 * is more. The numbers of the last row stand in the table above. Asked for by a button: it takes a pass for every token.
 */

import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { tokens } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { AttentionMap, TokenStrip } from '#contract/run/tokens.ts';
import { stageStore } from '#stores/stage.ts';
import { attendTo, tokensStore } from '#stores/tokens.ts';
import { Button } from '#ui/kit/Button.tsx';
import { percent as inPercent } from '#ui/kit/format/numbers.ts';
import { layerOf } from '#ui/stage/tokens/inside.ts';
import { glyphOf, percent } from '#ui/stage/tokens/words.ts';
import styles from './Heads.module.css';
import { cellAt, drawHead, weightsOf } from './heads.ts';

/** Tokens at most that are written beside the large picture. */
const MOST_LABELS = 36;

interface Props {
  readonly env: EnvCard;
  readonly strip: TokenStrip;
  readonly frame: number;
}

export function Heads({ env, strip, frame }: Props) {
  const { layer: wanted, head } = useStore(tokensStore);
  const [map, setMap] = useState<AttentionMap | null>(null);
  const [failed, setFailed] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a map of another row is not shown
  useEffect(() => {
    setMap(null);
    setFailed('');
  }, [strip, frame]);
  const ask = async (): Promise<void> => {
    const { replay, policy } = stageStore.getState();
    if (replay === null || policy === null) return;
    try {
      const told = await tokens.attention(replay, frame, policy.key);
      if (tokensStore.getState().strip === strip) setMap(told);
    } catch (error) {
      const { message, fix } = toFailure(error);
      setFailed(`${message} ${fix}`);
    }
  };
  if (map === null || map.frame !== frame)
    return (
      <>
        <p>
          <Button onClick={() => void ask()}>Attention of all tokens, all heads</Button>
        </p>
        {failed !== '' && <p role="alert">{failed}</p>}
      </>
    );
  const layer = layerOf(map, wanted);
  const chosen = head < 0 || head >= map.heads ? 0 : head;
  return (
    <figure className={styles.heads}>
      <figcaption>Each row is a token, each column one that it drew from; the stronger, the more of its attention.</figcaption>
      <div className={styles.small} style={{ '--heads': map.heads } as object}>
        {Array.from({ length: map.layers * map.heads }, (_, k) => {
          const [l, h] = [Math.floor(k / map.heads), k % map.heads];
          return (
            <button
              type="button"
              // biome-ignore lint/suspicious/noArrayIndexKey: heads are known by their numbers
              key={k}
              aria-pressed={l === layer && h === chosen}
              aria-label={`Layer ${l + 1}, head ${h + 1}`}
              title={`layer ${l + 1}, head ${h + 1}`}
              onClick={() => attendTo({ layer: l, head: h })}
            >
              <Picture map={map} layer={l} head={h} />
            </button>
          );
        })}
      </div>
      <Large env={env} strip={strip} map={map} layer={layer} head={chosen} />
    </figure>
  );
}

interface OneHead {
  readonly map: AttentionMap;
  readonly layer: number;
  readonly head: number;
}

function Picture({ map, layer, head }: OneHead) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null) drawHead(canvas.current, weightsOf(map, layer, head), map.row.length);
  }, [map, layer, head]);
  return <canvas ref={canvas} />;
}

function Large({ env, strip, map, layer, head }: OneHead & { readonly env: EnvCard; readonly strip: TokenStrip }) {
  const n = map.row.length;
  const weights = weightsOf(map, layer, head);
  const [at, setAt] = useState<readonly [from: number, to: number] | null>(null);
  const glyph = (i: number): string => {
    const token = strip.tokens[map.row[i] ?? -1];
    return token === undefined ? '' : glyphOf(env, token.id);
  };
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    setAt(cellAt((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height, n));
  };
  const labels = n <= MOST_LABELS ? Array.from({ length: n }, (_, i) => glyph(i)) : [];
  return (
    <>
      <div className={styles.large} style={{ '--n': n } as object}>
        <div className={styles.down} aria-hidden="true">
          {labels.map((label, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places of a row are what they are
            <span key={i}>{label}</span>
          ))}
        </div>
        <div
          className={styles.map}
          role="img"
          aria-label={`Attention of layer ${layer + 1}, head ${head + 1}, ${n} tokens`}
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          <Picture map={map} layer={layer} head={head} />
        </div>
        <div className={styles.along} aria-hidden="true">
          {labels.map((label, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <span key={i}>{label}</span>
          ))}
        </div>
      </div>
      <p className={styles.reading}>
        {at === null
          ? `layer ${layer + 1}, head ${head + 1}`
          : `${glyph(at[0])} at place ${at[0] + 1} draws ${inPercent(percent(weights[at[0] * n + at[1]]!))} from ${glyph(at[1])} at place ${at[1] + 1}`}
      </p>
    </>
  );
}
