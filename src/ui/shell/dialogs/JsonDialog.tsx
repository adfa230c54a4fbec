/** The whole config as text, both ways. An unknown key is named, never dropped silently; nothing changes until Apply. */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { checkConfigText } from '#ui/form/config-text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { copy } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import styles from './Dialogs.module.css';

export function JsonDialog({ onClose }: { readonly onClose: () => void }) {
  const config = useStore(draftStore, (state) => state.config);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const [text, setText] = useState(() => JSON.stringify(config, null, 2));
  const checked = useMemo(() => (catalog === null ? null : checkConfigText(text, catalog)), [text, catalog]);

  const apply = () => {
    if (checked === null || checked.config === null) return;
    const { base, open, set } = draftStore.getState();
    const same = checked.config.env.id === base.env.id && checked.config.algo.id === base.algo.id;
    if (same) for (const [path, value] of differences(draftStore.getState().config, checked.config)) set(path, value);
    else open(checked.config);
    toast(checked.warnings.length === 0 ? 'Config applied.' : 'Config applied without the unknown keys.');
    onClose();
  };

  return (
    <Dialog
      title={t('Config as JSON')}
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button icon="copy" onClick={() => void copy(text, 'Config')}>
            {t('Copy')}
          </Button>
          <Button onClick={() => setText(JSON.stringify(config, null, 2))}>{t('Start over')}</Button>
          <Button kind="solid" disabled={checked?.config == null} onClick={apply}>
            {checked !== null && checked.warnings.length > 0 ? t('Apply without the unknown keys') : t('Apply')}
          </Button>
        </>
      }
    >
      <textarea
        className={styles.json}
        aria-label={t('Config')}
        aria-invalid={checked?.error !== undefined && checked.error !== ''}
        aria-describedby="json-notes"
        spellCheck={false}
        rows={22}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div id="json-notes" aria-live="polite">
        {checked?.error && <p className={styles.bad}>{checked.error}</p>}
        {checked?.warnings.map((warning) => (
          <p key={warning} className={styles.warn}>
            {warning}
          </p>
        ))}
      </div>
    </Dialog>
  );
}

/** Paths whose values differ, one level into env, algo and run. */
function differences(from: RunConfig, to: RunConfig): readonly (readonly [string, Json])[] {
  const rooms = [
    ['env', from.env.config, to.env.config],
    ['algo', from.algo.config, to.algo.config],
    ['run', from.run as JsonObject, to.run as JsonObject],
  ] as const;
  return rooms.flatMap(([room, a, b]) =>
    Object.keys(b)
      .filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]))
      .map((key) => [`${room}.${key}`, b[key]!] as const),
  );
}
