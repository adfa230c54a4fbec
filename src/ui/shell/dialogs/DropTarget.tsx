/** The whole page takes dropped files and dropped links. */
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { t } from '#text/text.ts';
import styles from './Dialogs.module.css';

/** Loaded with the first thing that is dropped. */
const opening = () => import('./open.ts');

export function DropTarget({ children }: { readonly children: ReactNode }) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const wanted = (event: DragEvent) => event.dataTransfer.types.includes('Files') || event.dataTransfer.types.includes('text/uri-list');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; Open a file in the view menu does the same
    <div
      className={styles.drop}
      onDragEnter={(event) => {
        if (!wanted(event)) return;
        depth.current++;
        setOver(true);
      }}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDragOver={(event) => {
        if (wanted(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        depth.current = 0;
        setOver(false);
        if (!wanted(event)) return;
        event.preventDefault();
        // nothing can be read of the event once it is over
        const link = event.dataTransfer.getData('text/uri-list');
        const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
        const files = [...event.dataTransfer.files];
        void opening().then<unknown>(({ openDropped, openLinkText }) => {
          // files that a page made have no entries
          const dropped = entries.length >= files.length ? entries : files;
          return dropped.length > 0 ? openDropped(dropped) : openLinkText(link);
        });
      }}
    >
      {children}
      {over && (
        <div className={styles.dropNote} aria-hidden="true">
          {t('Drop a run, a config, a project, a folder of results, curves of another program, a robot (MJCF) or a link to open it')}
        </div>
      )}
    </div>
  );
}
