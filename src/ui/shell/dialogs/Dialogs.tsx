/** Which dialog is open. Their code is loaded when the first of each opens. */
import { Suspense } from 'react';
import { useStore } from 'zustand';
import { layoutStore } from '#stores/layout.ts';
import { ownStore } from '#stores/own.ts';
import { Boundary } from '#ui/kit/Boundary.tsx';
import { late } from '#ui/kit/late.tsx';

const ShareDialog = late(() => import('./ShareDialog.tsx').then((module) => ({ default: module.ShareDialog })));
const HelpDialog = late(() => import('./HelpDialog.tsx').then((module) => ({ default: module.HelpDialog })));
const CommandBox = late(() => import('../commands/CommandBox.tsx'));
const StorageDialog = late(() => import('./StorageDialog.tsx').then((module) => ({ default: module.StorageDialog })));
const JsonDialog = late(() => import('./JsonDialog.tsx').then((module) => ({ default: module.JsonDialog })));
const LinkProblemDialog = late(() => import('./LinkProblemDialog.tsx').then((module) => ({ default: module.LinkProblemDialog })));
const OnnxDialog = late(() => import('./OnnxDialog.tsx').then((module) => ({ default: module.OnnxDialog })));
const FilmDialog = late(() => import('#ui/stage/film/FilmDialog.tsx').then((module) => ({ default: module.FilmDialog })));
const GalleryDialog = late(() => import('../gallery/GalleryDialog.tsx').then((module) => ({ default: module.GalleryDialog })));
const EnvDialog = late(() => import('#ui/catalogue/environments/EnvDialog.tsx').then((module) => ({ default: module.EnvDialog })));
const VerifyDialog = late(() => import('./VerifyDialog.tsx').then((module) => ({ default: module.VerifyDialog })));
const ForeignCodeDialog = late(() => import('./ForeignCodeDialog.tsx').then((module) => ({ default: module.ForeignCodeDialog })));
const UpdateDialog = late(() => import('./UpdateDialog.tsx').then((module) => ({ default: module.UpdateDialog })));

export function Dialogs() {
  const chosen = useStore(layoutStore, (state) => state.dialog);
  const asked = useStore(ownStore, (state) => state.asked !== null || state.opening !== null);
  const open = asked ? 'code' : chosen;
  if (open === 'none') return null;
  const close = () => layoutStore.getState().set('dialog', 'none');
  const dialog = {
    code: <ForeignCodeDialog />,
    share: <ShareDialog onClose={close} />,
    help: <HelpDialog onClose={close} />,
    commands: <CommandBox onClose={close} />,
    storage: <StorageDialog onClose={close} />,
    gallery: <GalleryDialog onClose={close} />,
    environment: <EnvDialog start="page" onClose={close} />,
    environments: <EnvDialog start="list" onClose={close} />,
    json: <JsonDialog onClose={close} />,
    film: <FilmDialog onClose={close} />,
    onnx: <OnnxDialog onClose={close} />,
    'link-problem': <LinkProblemDialog onClose={close} />,
    update: <UpdateDialog onClose={close} />,
    verify: <VerifyDialog onClose={close} />,
  }[open];
  return (
    <Boundary key={open} name="This dialog">
      <Suspense fallback={null}>{dialog}</Suspense>
    </Boundary>
  );
}
