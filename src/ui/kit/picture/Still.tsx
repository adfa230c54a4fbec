/** What stands in place of a scene until it draws: the stored picture of these very settings, else the small sign that is drawn from them. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { presetOf } from '../format/card-text.ts';
import { Picture } from './Picture.tsx';

interface Props {
  readonly env: EnvCard;
  readonly config: JsonObject;
}

export function Still({ env, config }: Props) {
  return <Picture env={env} preset={presetOf(env, config) ?? ''} config={{ ...env.defaults, ...config }} />;
}
