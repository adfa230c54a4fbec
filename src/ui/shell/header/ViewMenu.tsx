/** How the page looks and what else it can do: depth, theme, motion, projector, keys; opening, storage, installing. */
import { useStore } from 'zustand';
import { layoutStore } from '#stores/layout.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import { Popover } from '#ui/kit/Popover.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { openAnything } from '../dialogs/open.ts';
import { installStore } from '../pwa/install.ts';
import styles from './Header.module.css';

export function ViewMenu() {
  const layout = useStore(layoutStore);
  const install = useStore(installStore, (state) => state.prompt);
  const { set } = layout;
  return (
    <Popover align="end" width={300} label="View and files" title="View and files" trigger={<Icon name="more" />}>
      {(close) => (
        <div className={styles.menu}>
          <div className={styles.setting}>
            <h2>How much to show</h2>
            <Segmented
              label="Depth"
              value={layout.depth}
              onChange={(depth) => set('depth', depth)}
              options={[
                { value: 'teach', label: 'Teach' },
                { value: 'lab', label: 'Lab' },
                { value: 'research', label: 'Research' },
              ]}
            />
          </div>
          <div className={styles.setting}>
            <h2>Theme</h2>
            <Segmented
              label="Theme"
              value={layout.theme}
              onChange={(theme) => set('theme', theme)}
              options={[
                { value: 'system', label: 'System', icon: 'system' },
                { value: 'light', label: 'Light', icon: 'sun' },
                { value: 'dark', label: 'Dark', icon: 'moon' },
              ]}
            />
          </div>
          <Check label="Projector mode" checked={layout.projector} onChange={(on) => set('projector', on)} />
          <Check label="No motion" checked={layout.motion === 'none'} onChange={(on) => set('motion', on ? 'none' : 'system')} />
          <Check label="Single-key shortcuts" checked={layout.shortcuts} onChange={(on) => set('shortcuts', on)} />
          <hr />
          <Button
            kind="bare"
            icon="open"
            onClick={() => {
              close();
              openAnything();
            }}
          >
            Open a file
          </Button>
          <Button
            kind="bare"
            icon="download"
            onClick={() => {
              close();
              set('dialog', 'storage');
            }}
          >
            Storage
          </Button>
          <Button
            kind="bare"
            icon="print"
            onClick={() => {
              close();
              // the menu must be gone before the page is laid out for paper
              requestAnimationFrame(() => window.print());
            }}
          >
            Print this run
          </Button>
          {install !== null && (
            <Button
              kind="bare"
              icon="plus"
              onClick={() => {
                close();
                void install();
              }}
            >
              Install as an app
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
