/** What is read of MuJoCo's models and data, with the types that its own declarations leave open. Arrays are views of the module's memory. */

interface Handle {
  delete(): void;
}

interface MjOption extends Handle {
  readonly gravity: Float64Array;
  readonly wind: Float64Array;
  density: number;
  viscosity: number;
  readonly timestep: number;
  readonly integrator: number;
  readonly solver: number;
  readonly iterations: number;
  readonly tolerance: number;
  readonly ls_iterations: number;
  readonly cone: number;
  readonly jacobian: number;
  readonly impratio: number;
  readonly disableflags: number;
  readonly enableflags: number;
}

/** One joint or actuator: what the bindings cannot give as an array. To be deleted after use. */
export interface NamedAccess extends Handle {
  readonly limited?: boolean;
  readonly ctrllimited?: boolean;
  readonly forcelimited?: boolean;
}

type Sizes =
  | 'nq'
  | 'nv'
  | 'nu'
  | 'na'
  | 'nbody'
  | 'njnt'
  | 'ngeom'
  | 'nsite'
  | 'ntendon'
  | 'nexclude'
  | 'npair'
  | 'neq'
  | 'nsensor'
  | 'nkey'
  | 'nmeshvert'
  | 'nhistory';
type Of<Group extends string, Names extends string> = `${Group}_${Names}`;
type Arrays =
  | 'qpos0'
  | 'qpos_spring'
  | Of<'body', 'parentid' | 'pos' | 'quat' | 'ipos' | 'iquat' | 'mass' | 'inertia' | 'invweight0'>
  | Of<
      'jnt',
      'type' | 'bodyid' | 'qposadr' | 'dofadr' | 'pos' | 'axis' | 'range' | 'actfrcrange' | 'stiffness' | 'margin' | 'solref' | 'solimp'
    >
  | Of<'dof', 'damping' | 'armature' | 'frictionloss' | 'invweight0'>
  | Of<'geom', 'type' | 'bodyid' | 'pos' | 'quat' | 'size' | 'contype' | 'conaffinity' | 'condim' | 'friction'>
  | Of<'geom', 'solref' | 'solimp' | 'margin' | 'gap' | 'solmix' | 'priority'>
  | Of<'geom', 'dataid' | 'aabb' | 'rgba' | 'group' | 'matid'>
  | Of<'mat', 'rgba'>
  | Of<'key', 'qpos' | 'ctrl'>
  | Of<'hfield', 'data' | 'adr' | 'nrow' | 'ncol' | 'size'>
  | Of<'mesh', 'vert' | 'face' | 'vertadr' | 'vertnum' | 'faceadr' | 'facenum'>
  | Of<'actuator', 'forcerange'>
  | Of<'actuator', 'trntype' | 'trnid' | 'gear' | 'ctrlrange' | 'dyntype' | 'gaintype' | 'biastype' | 'gainprm' | 'biasprm'>
  | Of<'site', 'bodyid' | 'pos'>
  | Of<'tendon', 'num' | 'range' | 'stiffness' | 'damping'>
  | Of<'wrap', 'objid' | 'prm'>;

export interface MjModel extends Handle, Readonly<Record<Sizes, number>>, Readonly<Record<Arrays, Float64Array>> {
  readonly opt: MjOption;
  readonly stat: Handle & { readonly meaninertia: number };
  jnt(index: number): NamedAccess;
  actuator(index: number): NamedAccess;
}

export interface MjData extends Handle {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly qacc_warmstart: Float64Array;
  readonly ctrl: Float64Array;
  readonly act: Float64Array;
  /** s since the data was reset, by hand or by MuJoCo itself after a number that is none. */
  time: number;
  readonly xpos: Float64Array;
  readonly xmat: Float64Array;
  readonly xipos: Float64Array;
  readonly site_xpos: Float64Array;
  readonly cinert: Float64Array;
  readonly cvel: Float64Array;
  readonly cfrc_ext: Float64Array;
  readonly qfrc_actuator: Float64Array;
  readonly qfrc_constraint: Float64Array;
  /** Force and torque on each body from outside, at its centre of mass. */
  readonly xfrc_applied: Float64Array;
  /** Bodies that are set from outside: places and turns (w, x, y, z). */
  readonly mocap_pos: Float64Array;
  readonly mocap_quat: Float64Array;
  readonly sensordata: Float64Array;
  readonly geom_xpos: Float64Array;
  readonly geom_xmat: Float64Array;
}
