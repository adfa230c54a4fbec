/** What stands in place of a scene until it draws: the stored picture of these very settings. None is stored of others, and then nothing stands. */
import type { EnvCard } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import { presetOf } from '../format/card-text.ts';
import { Picture } from './Picture.tsx';

interface Props {
  readonly env: EnvCard;
  readonly config: JsonObject;
}

export function Still({ env, config }: Props) {
  const preset = presetOf(env, config);
  return preset === null ? null : <Picture env={env} preset={preset} config={config} />;
}
