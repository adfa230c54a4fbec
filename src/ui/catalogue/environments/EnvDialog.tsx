/** Environments: the page of one, and the list of all. Opens with the draft's own, or with the list. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { EnvList } from './EnvList.tsx';
import { EnvPage } from './EnvPage.tsx';

interface Props {
  readonly start: 'page' | 'list';
  readonly onClose: () => void;
}

export function EnvDialog({ start, onClose }: Props) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const drafted = useStore(draftStore, (state) => state.env);
  // The draft knows its environment before a worker has described it with its settings.
  const [shown, setShown] = useState<string | null>(() => (start === 'page' ? draftStore.getState().config.env.id : null));
  const envs = catalog?.envs ?? [];
  const card = shown === null ? null : drafted?.id === shown ? drafted : (envs.find(({ id }) => id === shown) ?? null);
  if (card === null)
    return (
      <Dialog key="list" title="Environments" width="wide" onClose={onClose}>
        {catalog === null ? (
          <p>Loading the environments.</p>
        ) : (
          <EnvList envs={envs} current={drafted?.id ?? null} onOpen={setShown} onLeave={onClose} />
        )}
      </Dialog>
    );
  return (
    <Dialog
      key="page"
      title={card.title}
      width="wide"
      onClose={onClose}
      footer={
        <Button icon="gallery" onClick={() => setShown(null)}>
          All environments
        </Button>
      }
    >
      <EnvPage env={card} open={drafted?.id === card.id} onLeave={onClose} />
    </Dialog>
  );
}
