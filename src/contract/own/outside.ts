/** Worlds of MuJoCo need its module, which no sandbox has: code of one's own cannot build on them. By id, also those that bear their reference's name. */
export const needsMujoco = (id: string): boolean => /^(mujoco|safety)-/.test(id) || /^(ogbench-)?(point|ant)-maze$/.test(id);
