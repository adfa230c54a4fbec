/** What the buttons of an environment's page do: open it in the draft if it is another one, then watch or play it on the stage. */
import { game, stage } from '#client/stage/service.ts';
import { draftStore } from '#stores/draft.ts';
import { chooseEnv } from '#ui/setup/choose-env.ts';

/** Resolves when the draft's environment is this one and its card is there. */
export function openEnv(id: string, preset?: string): Promise<void> {
  const { env, config } = draftStore.getState();
  if (preset !== undefined || config.env.id !== id) {
    chooseEnv(id, preset);
  } else if (env !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = draftStore.subscribe((state) => {
      if (state.env?.id !== id && state.config.env.id === id) return;
      stop();
      resolve();
    });
  });
}

/** 'random', or a scripted policy of that environment. */
export async function watch(id: string, name: string): Promise<void> {
  await openEnv(id);
  await stage.watchScripted(name);
}

export async function play(id: string): Promise<void> {
  await openEnv(id);
  await game.open();
}
