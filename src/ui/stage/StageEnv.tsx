/** Beside the switch of the stage: which policy is watched (the learned one, random play, a scripted one), and what this environment is. */
import { useStore } from 'zustand';
import { stage } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { Button } from '#ui/kit/Button.tsx';
import styles from './StageEnv.module.css';

export function StageEnv({ env }: { readonly env: EnvCard | null }) {
  const mode = useStore(stageStore, (state) => state.mode);
  const scripted = useStore(stageStore, (state) => state.scripted);
  const trained = useStore(stageStore, (state) => state.policy !== null || state.checkpoints.length > 0);
  if (env === null) return null;
  const choice = mode !== 'play' && mode !== 'edit' && (trained || env.policies.length > 0);
  return (
    <>
      {choice && (
        <select
          className={styles.actor}
          data-from="lab"
          aria-label={t('Policy to watch')}
          title={t('Policy to watch')}
          value={scripted ?? (trained ? '' : 'random')}
          onChange={(event) => void stage.watchScripted(event.target.value === '' ? null : event.target.value)}
        >
          {trained && <option value="">{t('learned')}</option>}
          <option value="random">{t('random')}</option>
          {env.policies.map((name) => (
            <option key={name} value={name}>
              {policyTitle(name)}
            </option>
          ))}
        </select>
      )}
      <span data-from="lab">
        <Button
          kind="bare"
          icon="info"
          label={t('About {title}', { title: t(env.title) })}
          onClick={() => layoutStore.getState().set('dialog', 'environment')}
        />
      </span>
    </>
  );
}
