/** Plans whose accounts require approvals, saved here or made by workers, and the approvals they have
 * so far.
 */
import { destinationsOf } from '../../../engine/journal/account.ts';
import { targets } from '../../../engine/journal/shared-schema.ts';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalRules } from '../../../engine/approval/check.ts';
import { recordsIn } from '../../../engine/approval/record.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../../exchange/api/schema.ts';
import type { Millis } from '../../../base/clock.ts';
import { decimal } from '../../../base/decimal.ts';
import { DeskhandError, isCode } from '../../../base/error.ts';
import { count, plainText } from '../../../base/text.ts';
import type { Config } from '../../../app/config/load.ts';
import { stampOf, stampText } from '../../../engine/journal/stamp.ts';
import { readPlan } from '../../../engine/plan/file.ts';
import type { Plan } from '../../../engine/plan/plan.ts';
import { changeWords, money } from '../../../report/words.ts';
import { unknownWords } from '../../../report/unknown-orders.ts';
import { moment } from '../shapes.ts';
import { summaryOf, type PlanSummary } from './plan-summary.ts';

export const planRow = record({
  desk: text(),
  plan: text(),
  playbook: text(),
  profile: text(),
  otherAccounts: optional(list(text(), { description: 'Other accounts that steps name' })),
  target: choice(targets),
  state: choice(['waiting', 'signed', 'declined', 'expired', 'started'], {
    description: 'By the names of its records; their signatures are verified when it is opened',
  }),
  what: text({ description: 'What it would change' }),
  records: integer({ minimum: 0, description: 'Number of records to approve it' }),
  required: integer({ minimum: 1, description: 'Number of approvals that the profile requires' }),
  observedAt: moment('When it was made, by the clock of the exchange'),
  expiresAt: moment('End of its validity'),
});

export type PlanRow = Infer<typeof planRow>;

/** The place where plans are saved: the name and the configuration of a desk. */
interface PlanPlace {
  readonly name: string;
  readonly config: Config;
}

export interface PlanRows {
  /** The plans, newest first. @param now by this machine’s clock */
  rows(now: Millis): Promise<readonly PlanRow[]>;
  /** The number of older saved plans, which are not read. */
  older(): number;
}

/** A saved plan; undefined if it was changed or damaged. */
interface Known {
  readonly stamp: string;
  readonly plan: PlanSummary | undefined;
}

const shownMax = 100; // newest plans
const fileForm = /^p-[0-9a-f]{8}\.json$/;

/**
 * The rows of plans. A plan is read again only when the file system shows that its file changed.
 * @param elsewhere plans that workers made; default: none
 */
export function planRows(
  { config, name }: PlanPlace,
  hasRun: (run: string) => boolean,
  elsewhere: () => readonly PlanSummary[] = () => [],
): PlanRows {
  const folder = join(config.stateDir, 'plans');
  let known = new Map<string, Known>();
  let listed: (SavedFiles & { readonly stamp: string }) | undefined;
  /** The newest files of plans. A plan is saved by a rename, which changes its folder. */
  const newestFiles = async (): Promise<readonly string[]> => {
    const stamp = folderStamp(folder);
    if (listed?.stamp !== stamp) listed = { stamp, ...(await newestIn(folder)) };
    return listed.files;
  };
  const read = async (file: string, stamp: string): Promise<PlanSummary | undefined> => {
    const found = known.get(file);
    return found?.stamp === stamp ? found.plan : planIn(join(folder, file));
  };
  return {
    rows: async (now) => {
      const plans = new Map<string, Known>();
      for (const file of await newestFiles()) {
        const stamp = stampText(join(folder, file));
        plans.set(file, { stamp, plan: await read(file, stamp) });
      }
      known = plans;
      const rows: PlanRow[] = [];
      const here = [...plans.values()].map(({ plan }) => plan);
      const others = elsewhere().filter(({ id }) => !plans.has(`${id}.json`));
      for (const plan of [...here, ...others]) {
        const row = plan && (await rowOf(plan, { config, name }, hasRun, now));
        if (row !== undefined) rows.push(row);
      }
      return rows.toSorted((a, b) => b.observedAt - a.observedAt);
    },
    older: () => listed?.older ?? 0,
  };
}

interface SavedFiles {
  readonly files: readonly string[];
  readonly older: number;
}

function folderStamp(folder: string): string {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.mtimeNs}`;
}

async function newestIn(folder: string): Promise<SavedFiles> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  const files = names.flatMap((file) => {
    const stamp = fileForm.test(file) ? stampOf(join(folder, file)) : undefined;
    return stamp === undefined ? [] : [{ file, changedAt: stamp[4] }];
  });
  const sorted = files.toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
  const shown = sorted.slice(0, shownMax).map(({ file }) => file);
  return { files: shown, older: sorted.length - shown.length };
}

/** The plan in a file; undefined for one that was changed or damaged: opening it shows why. */
async function planIn(path: string): Promise<PlanSummary | undefined> {
  try {
    return summaryOf(await readPlan(path));
  } catch (error) {
    if (error instanceof DeskhandError && error.actor !== 'ours') return undefined;
    throw error;
  }
}

/** The row of a plan; undefined for a plan that needs no approval. */
async function rowOf(
  plan: PlanSummary,
  { config, name }: PlanPlace,
  hasRun: (run: string) => boolean,
  now: Millis,
): Promise<PlanRow | undefined> {
  const { id, destination, accounts = [], playbook, totals, observedAt, expiresAt } = plan;
  const rules = destinationsOf(plan).flatMap(({ profile }) => {
    const found = config.profiles.get(profile)?.approval;
    return found === undefined ? [] : [found];
  });
  if (rules.length === 0 || !plan.isActionable) return undefined;
  const required = Math.max(...rules.map((each) => each.count));
  const others = accounts.map((each) => plainText(each.profile, 60));
  const over = hasRun(plan.run) ? 'started' : now > expiresAt ? 'expired' : undefined;
  const found = over === undefined ? await recordsOf(plan, rules, config) : undefined;
  return {
    desk: name,
    plan: id,
    playbook: plainText(playbook.name, 80),
    profile: plainText(destination.profile, 60),
    ...(others.length > 0 && { otherAccounts: others }),
    target: destination.target,
    state: over ?? stateOf(found, required),
    what: whatOf(totals),
    records: found?.approvals ?? 0,
    required,
    observedAt,
    expiresAt,
  };
}

interface Records {
  readonly approvals: number;
  readonly isDeclined: boolean;
}

function stateOf(found: Records | undefined, required: number): PlanRow['state'] {
  if (found?.isDeclined === true) return 'declined';
  return (found?.approvals ?? 0) >= required ? 'signed' : 'waiting';
}

async function recordsOf(
  { id, digest }: PlanSummary,
  rules: readonly ApprovalRules[],
  { stateDir }: Config,
): Promise<Records> {
  const folders = new Set(rules.map(({ records }) => records ?? join(stateDir, 'approvals')));
  const all = (await Promise.all([...folders].map((each) => recordsIn(each, id)))).flat();
  const own = all.filter(({ record: said }) => said?.digest === digest);
  return {
    approvals: own.filter(({ record: said }) => said?.verdict === 'approve').length,
    isDeclined: own.some(({ record: said }) => said?.verdict === 'decline'),
  };
}

/** The effect of a plan in words: `4 orders, 31,870.00 USDT`, or other changes. */
export function whatOf(totals: Plan['totals']): string {
  const unknown = unknownWords(totals);
  const more = unknown === '' ? '' : `, and ${unknown}`;
  if (totals.orders === 0) return `${changeWords(totals)}${more}`;
  return `${count(totals.orders, 'order')}, ${money(decimal(totals.notional))}${more}`;
}
