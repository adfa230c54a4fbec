/** The shapes of an environment's small picture, as its kind of scene gives them. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { sceneOf } from '#scenes/index.ts';
import type { GlyphShape } from '#scenes/lib/define.ts';
import styles from './Glyph.module.css';

interface Props {
  readonly env: EnvCard;
  readonly config: JsonObject;
}

export default function GlyphShapes({ env, config }: Props) {
  return (
    <>
      {sceneOf(env.frame)
        .glyph(env.frame, config)
        .map((shape, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of one picture never change their order
          <Shape key={i} shape={shape} />
        ))}
    </>
  );
}

function Shape({ shape }: { readonly shape: GlyphShape }) {
  const className = styles[shape.role];
  switch (shape.shape) {
    case 'circle':
      return <circle className={className} cx={shape.x} cy={shape.y} r={shape.r} />;
    case 'path':
      return <path className={className} d={shape.d} />;
    case 'rect':
      return <rect className={className} x={shape.x} y={shape.y} width={shape.width} height={shape.height} rx={shape.rx} />;
  }
}
