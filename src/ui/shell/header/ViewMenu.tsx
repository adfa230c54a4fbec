/** How the page looks and what else it can do: depth, theme, motion, projector, keys; opening, storage, installing. */
import { useStore } from 'zustand';
import { layoutStore } from '#stores/layout.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import { Popover } from '#ui/kit/Popover.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { installStore } from '../pwa/install.ts';
import { openFileAction, openStorage, printRun } from '../view-actions.ts';
import { DepthSwitch } from './DepthSwitch.tsx';
import styles from './Header.module.css';

/** `depth`: the switch of depth stands here. */
export function ViewMenu({ depth }: { readonly depth: boolean }) {
  const layout = useStore(layoutStore);
  const install = useStore(installStore, (state) => state.prompt);
  const { set } = layout;
  return (
    <Popover align="end" width={300} label={t('View and files')} title={t('View and files')} trigger={<Icon name="more" />}>
      {(close) => (
        <div className={styles.menu}>
          {depth && (
            <div>
              <h2>{t('How much to show')}</h2>
              <DepthSwitch />
            </div>
          )}
          <div>
            <h2>{t('Theme')}</h2>
            <Segmented
              label={t('Theme')}
              value={layout.theme}
              onChange={(theme) => set('theme', theme)}
              options={[
                { value: 'system', label: t('System'), icon: 'system' },
                { value: 'light', label: t('Light'), icon: 'sun' },
                { value: 'dark', label: t('Dark'), icon: 'moon' },
              ]}
            />
          </div>
          <Check label={t('Projector mode')} checked={layout.projector} onChange={(on) => set('projector', on)} />
          <Check label={t('No motion')} checked={layout.motion === 'none'} onChange={(on) => set('motion', on ? 'none' : 'system')} />
          <Check label={t('Single-key shortcuts')} checked={layout.shortcuts} onChange={(on) => set('shortcuts', on)} />
          <hr />
          {(
            [
              [openFileAction, 'open'],
              [openStorage, 'download'],
              [printRun, 'print'],
            ] as const
          ).map(([action, icon]) => (
            <Button
              key={action.name}
              kind="bare"
              icon={icon}
              onClick={() => {
                close();
                action.perform();
              }}
            >
              {t(action.label)}
            </Button>
          ))}
          {install !== null && (
            <Button
              kind="bare"
              icon="plus"
              onClick={() => {
                close();
                void install();
              }}
            >
              {t('Install as an app')}
            </Button>
          )}
        </div>
      )}
    </Popover>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (on: boolean) => void;
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
