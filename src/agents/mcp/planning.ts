/** Makes a plan for a tool, with real reads and no writes, within the profile of the server. */
import { minute, second, type Millis } from '../../base/clock.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { isPlan } from '../../engine/plan/file.ts';
import { InternalError } from '../../base/error.ts';
import type { ToolContext } from './tool-context.ts';
import { ArgumentError, CommandError } from './refusal.ts';
import { jsonFile, yamlFile } from './common-arguments.ts';
import { creatable, readable } from './paths.ts';
import { errorsIn, validated } from './validating.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

export interface Planning {
  readonly file: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly only?: readonly string[];
  readonly isOffline: boolean;
  /** The path of a new file to save the plan to. */
  readonly save?: string;
}

const longest: Millis = 5 * minute; // a plan waits for rate limits
const longestOffline: Millis = 60 * second;

/**
 * Makes a plan. @throws CommandError for a playbook that is not valid; ArgumentError for one that
 * uses another profile than that of the server
 */
export async function planFor(
  { file, inputs = {}, only = [], isOffline, save }: Planning,
  desk: ToolContext,
  signal: AbortSignal,
): Promise<Plan> {
  const playbook = readable(file, await desk.place('file'), yamlFile);
  const copy = save === undefined ? [] : [creatable(save, await desk.place('save'), jsonFile)];
  // First, because what a plan prints for people quotes the lines of a file that is not valid.
  const errors = errorsIn(await validated({ files: [playbook] }, desk, signal));
  if (errors.length > 0) {
    throw new CommandError(`${playbook} is not valid`, {
      code: 'invalid',
      hint: 'call validate for all problems, and explain with the code of a rule',
      printed: errors.join('\n'),
    });
  }
  const flags = ['--quiet', '--var-file=-', ...only.map((step) => `--only=${step}`)];
  const made = async (more: readonly string[], most: Millis): Promise<Plan> => {
    const reading = {
      flags: [...flags, ...more],
      positionals: [playbook],
      input: JSON.stringify(inputs), // on stdin: other users can read the arguments of a process
      longest: most,
    };
    const plan = await desk.read('plan', reading, signal);
    if (isPlan(plan)) return plan;
    throw new InternalError('the plan does not fit its schema');
  };
  const out = copy.map((path) => `--out=${path}`);
  if (isOffline) return made(['--offline', ...out], longestOffline);
  await desk.config();
  const { profile: allowed } = desk.context.globals;
  if (allowed !== undefined) refuseOthers(await made(['--offline'], longestOffline), allowed);
  return made(out, longest);
}

/** Refuses a plan with other accounts: its steps may name some, whose keys would be used. */
function refuseOthers(plan: Plan, allowed: string): void {
  const other = destinationsOf(plan).find(({ profile }) => profile !== allowed);
  if (other === undefined) return;
  throw new ArgumentError(
    'file',
    `the playbook uses the profile ${other.profile}, and this server only ${allowed}`,
    'plan it offline, or ask a person to plan it',
  );
}
