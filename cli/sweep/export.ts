/**
 * A sweep's list of runs as a job of another scheduler: a Slurm array, an indexed Job of Kubernetes, or a Makefile. Each task trains one run
 * of the list (`sweep FILE --out DIR --run N`) into the folder where the sweep itself then finds it; a task that is done already ends at once.
 * Names and paths are quoted for the language they stand in.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import { UsageError } from '../kit/failure.ts';
import type { ListedRun } from './list.ts';

export const SCHEDULERS = ['slurm', 'kubernetes', 'make'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

export interface ExportOptions {
  readonly title: string;
  /** Whole paths, the same on the scheduler's machines. */
  readonly file: string;
  readonly out: string;
  /** Folder of this project, on those machines. */
  readonly project: string;
  /** The text of the sweep file. */
  readonly text: string;
  /** The same with everything in place that it names by files. */
  readonly json: JsonObject;
  /** Code of the user's own that its runs need: each file by its whole path. */
  readonly codes: readonly { readonly file: string; readonly code: string }[];
  readonly runs: readonly ListedRun[];
}

/** A name that Slurm, Kubernetes (RFC 1123) and make all take. */
function plainName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'sweep' : `sweep-${name}`.replace(/^sweep-sweep/, 'sweep');
}

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  if (/[\0\n\r]/.test(text)) throw new UsageError('A path with a line break in it cannot be exported.');
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same inside a recipe of make, which reads dollars first. */
const recipeWord = (text: string): string => shellWord(text).replaceAll('$', '$$$$');

/** Behind a `#`, on one line. */
const comment = (text: string): string => text.replace(/\p{C}/gu, ' ');

/** Characters that a ConfigMap takes, with room for the rest of it. */
const LARGEST_TEXT = 900_000;

/** Options that give the code, by files that the scheduler's machines reach. */
const codeOptions = (files: readonly string[], word: (text: string) => string): string =>
  files.map((file) => ` --env-file ${word(file)}`).join('');

/** Behind `--` Node leaves --env-file to the program; without it, it looks for a file of its own. */
const program = ({ codes }: Pick<ExportOptions, 'codes'>): string => (codes.length === 0 ? 'node tools/rl.mjs' : 'node -- tools/rl.mjs');

const filesOf = ({ codes }: ExportOptions): readonly string[] => [...new Set(codes.map(({ file }) => file))];

function slurm(options: ExportOptions): string {
  const { title, file, out, project, runs } = options;
  const command = `${program(options)} sweep ${shellWord(file)} --out ${shellWord(out)}${codeOptions(filesOf(options), shellWord)}`;
  return `#!/bin/bash
# ${comment(title)}: ${runs.length} runs, one a task.
#   sbatch THIS_FILE
# and when all are done, here, the best set-up on fresh seeds and the report:
#   ${command}
#SBATCH --job-name=${plainName(title)}
#SBATCH --array=0-${runs.length - 1}
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
set -eu
cd ${shellWord(project)}
# A task that Slurm ends saves a checkpoint; requeued, it goes on from there.
trap 'kill -TERM "$task" 2>/dev/null; wait "$task"' TERM
${command} --run "$SLURM_ARRAY_TASK_ID" &
task=$!
wait "$task"
`;
}

/** YAML reads JSON strings as they are. */
const yaml = (text: string): string => JSON.stringify(text);

function kubernetes({ title, text: typed, json, codes, runs }: ExportOptions): string {
  const text = codes.length === 0 ? typed : JSON.stringify(json);
  const files = codes.map(({ code }, i) => ({ name: `code-${i + 1}.js`, code }));
  const given = codeOptions(
    files.map((one) => `/sweep/${one.name}`),
    shellWord,
  );
  if (files.reduce((sum, { code }) => sum + code.length, text.length) > LARGEST_TEXT)
    throw new UsageError('This sweep file is too large for a ConfigMap: export it for slurm or make.');
  const name = plainName(title);
  return `# ${comment(title)}: ${runs.length} runs, one an index.
#   kubectl apply -f THIS_FILE
# Build the image with "docker build -f docker/Dockerfile -t rl-workbench ." and name a volume claim that all nodes can write (ReadWriteMany).
# When the Job is complete, the best set-up on fresh seeds and the report, with the same image and volume:
#   npm run rl -- sweep /sweep/sweep.json --out /results/${name}${given}
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
data:
  sweep.json: ${yaml(text)}
${files.map((one) => `  ${one.name}: ${yaml(one.code)}\n`).join('')}---
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
spec:
  completionMode: Indexed
  completions: ${runs.length}
  parallelism: ${Math.min(runs.length, 10)}
  backoffLimit: ${Math.max(6, runs.length)}
  template:
    spec:
      restartPolicy: OnFailure
      terminationGracePeriodSeconds: 60
      securityContext: { fsGroup: 1000 }
      containers:
        - name: run
          image: rl-workbench
          command: ["/bin/sh", "-c", ${yaml(`exec ${program({ codes })} sweep /sweep/sweep.json --out /results/${name}${given} --run "$JOB_COMPLETION_INDEX"`)}]
          resources:
            requests: { cpu: "1", memory: 1Gi }
            limits: { memory: 2Gi }
          volumeMounts:
            - { name: sweep, mountPath: /sweep, readOnly: true }
            - { name: results, mountPath: /results }
      volumes:
        - name: sweep
          configMap: { name: ${name} }
        - name: results
          persistentVolumeClaim: { claimName: rl-workbench-results }
`;
}

function make(options: ExportOptions): string {
  const { title, file, out, project, runs } = options;
  const given = codeOptions(filesOf(options), recipeWord);
  const command = `cd ${recipeWord(project)} && ${program(options)} sweep ${recipeWord(file)} --out ${recipeWord(out)}${given}`;
  const tasks = runs.map((_, i) => `run-${i}`).join(' ');
  return `# ${comment(title)}: ${runs.length} runs.
#   make -f THIS_FILE -j 4
# ends with the best set-up on fresh seeds and the report. What is done is not run again.
RUNS := ${tasks}
.PHONY: all $(RUNS)
all: $(RUNS)
	${command}
$(RUNS): run-%:
	${command} --run $*
`;
}

const WRITERS: { readonly [S in Scheduler]: (options: ExportOptions) => string } = { slurm, kubernetes, make };

/** The text of the file. Throws UsageError for paths that cannot stand in it. */
export const exportRuns = (scheduler: Scheduler, options: ExportOptions): string => WRITERS[scheduler](options);
