/** Where the built page carries MuJoCo's module, and how it comes here: one request, with progress. The worker keeps nothing else of it. */
import address from '@mujoco/mujoco/mujoco.wasm?url';
import { hostMujoco } from '#core/envs/mujoco/lib/load.ts';

/** Names the file to the environments that need it. Nothing is fetched before one of them is opened. */
export function hostMujocoFile(): void {
  hostMujoco(async () => {
    const response = await fetch(new URL(address, self.location.href));
    if (!response.ok) throw new Error(`its file answers ${response.status}`);
    return response.arrayBuffer();
  });
}
