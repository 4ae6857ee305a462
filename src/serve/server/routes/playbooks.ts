/** The playbooks of a desk: checked, planned, tested; and runs of plans that were made from the page. */
import { targets, type Target } from '../../../engine/journal/shared-schema.ts';
import { rm } from 'node:fs/promises';
import {
  choice,
  list,
  optional,
  record,
  text,
  truth,
  type Schema,
} from '../../../exchange/api/schema.ts';
import { fieldOf, isRecord } from '../../../base/json.ts';
import { readRegular } from '../../../base/read-file.ts';
import { namedAccounts } from '../../../language/named-accounts.ts';
import type { Playbook } from '../../../language/playbook.ts';
import { plainText } from '../../../base/text.ts';
import { refusalOf } from '../actions/begin.ts';
import { launch, linesIn } from '../actions/launch.ts';
import { press, writeNew } from '../actions/presses.ts';
import { deskNamed } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { byWorker, type ByWorker } from '../desk-queue.ts';
import { Refusal } from '../failure.ts';
import { checked, checkedPlaybook, playbookFiles } from '../playbooks/checked.ts';
import { keepTests, testFilesOf, testsView, testsViewOf } from '../playbooks/tests.ts';
import { playbookRow, playbookRowOf, playbookView, playbookViewOf } from '../playbooks/view.ts';
import { exactRecord, noFields, parameter, reads, writes } from '../route.ts';

const deskName = optional(parameter('The desk, if there are several', 80));
const file = text({
  description: 'A playbook, relative to its desk',
  minLength: 1,
  maxLength: 300,
});

export const playbooks = reads({
  title: 'List playbooks with the number of their problems',
  role: 'viewer',
  parameters: noFields,
  answer: record({ playbooks: list(playbookRow) }),
  handle: async (_request, { desks }) => {
    const rows = await Promise.all(
      desks.map(async (desk) =>
        (await playbookFiles(desk)).flatMap((name) => rowIfThere(desk, name)),
      ),
    );
    return { playbooks: rows.flat() };
  },
});

/**
 * The row of a playbook, if its file exists: one that was just removed, or leads out of the
 * repository, is not listed.
 */
function rowIfThere(desk: Desk, name: string): readonly ReturnType<typeof playbookRowOf>[] {
  try {
    return [playbookRowOf(checked(desk, name), desk)];
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

export const playbook = reads({
  title: 'Show a playbook: problems, inputs, steps, text, and its tests',
  role: 'viewer',
  parameters: exactRecord({ desk: deskName, file }),
  answer: record({ view: playbookView, tests: testsView, byWorker }),
  handle: async ({ parameters }, server) => {
    const desk = deskNamed(server, parameters.desk);
    const found = await checkedPlaybook(desk, parameters.file);
    return {
      view: playbookViewOf(found, desk),
      tests: await testsViewOf(desk, parameters.file),
      byWorker: byWorkerFor(found.playbook, desk),
    };
  },
});

/** Whether a worker can run a playbook: workers reach only exchanges that the profiles name. */
function byWorkerFor(playbook: Playbook | undefined, { config, queue }: Desk): ByWorker {
  if (queue === undefined || playbook === undefined) return 'no';
  const profiles = [playbook.account ?? config.initial, ...namedAccounts(playbook).names];
  const isElsewhere = profiles.every((name) => config.profiles.get(name)?.baseUrl !== undefined);
  return isElsewhere ? (queue.serves(profiles) ? 'served' : 'possible') : 'no';
}

/** Input values as typed: they are read as those of `--var`. */
const inputs: Schema<Readonly<Record<string, string>>> = {
  json: {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 10_000 },
    maxProperties: 100,
  },
};

export const makePlan = writes({
  title: 'Plan a playbook in a separate process, or by a worker: reads only',
  role: 'operator',
  parameters: noFields,
  body: exactRecord({
    press,
    desk: optional(text({ maxLength: 80 })),
    file,
    inputs,
    isQueued: optional(truth),
  }),
  answer: record({
    plan: optional(text({ description: 'Absent if it cannot be planned' })),
    target: optional(choice(targets)),
    confirm: optional(
      text({ description: 'The profile of its first account that is not of a sandbox' }),
    ),
    lines: list(text(), { description: 'The plan, or its problems, as the command prints them' }),
  }),
  audited: ({ body }) => `plan ${body.file}${body.isQueued === true ? ' on a worker' : ''}`,
  handle: async ({ body, session }, server) => {
    const desk = deskNamed(server, body.desk);
    await checkedPlaybook(desk, body.file);
    const { stateDir } = desk.config;
    const who = session?.who ?? '';
    const what = `plan ${body.file}`;
    return server.actions.presses.once({ id: body.press, stateDir, who, what }, async (log) => {
      const [values, made] = [`${log}.inputs`, `${log}.plan`];
      await writeNew(values, JSON.stringify(body.inputs)); // JSON is YAML; arguments would be visible
      try {
        const queue = body.isQueued === true ? ['--queue', '--wait', workerWait] : [];
        const words = ['plan', ...queue, '--var-file', values, '--', body.file];
        const ended = await launch(
          server.actions.program,
          desk,
          ['--json-into', made, ...words],
          log,
        ).ended;
        const plan = await planIn(made);
        if (plan !== undefined) return plannedAs(plan, linesIn(ended.out));
        if (ended.code !== 3) throw refusalOf(ended);
        return plannedAs({}, linesIn(ended.err));
      } finally {
        await Promise.all([values, made].map((path) => rm(path, { force: true })));
      }
    });
  },
});

const workerWait = '2m'; // a plan takes seconds, and a person waits

interface Made {
  readonly plan?: string;
  readonly target?: Target;
  readonly confirm?: string;
}

function plannedAs(
  plan: Made,
  lines: readonly string[],
): Made & { readonly lines: readonly string[] } {
  return { ...plan, lines };
}

async function planIn(path: string): Promise<Made | undefined> {
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(path)).toString('utf8'));
  } catch {
    return undefined; // the command says why there is none
  }
  const id = fieldOf(value, 'id');
  if (typeof id !== 'string' || !isRecord(value)) return undefined;
  const others = Array.isArray(value['accounts']) ? value['accounts'] : [];
  const real = [value['destination'], ...others].find(
    (each) => fieldOf(each, 'target') !== 'sandbox',
  );
  const profile = fieldOf(real, 'profile');
  return {
    plan: id,
    target: targets.find((each) => each === fieldOf(value['destination'], 'target')) ?? 'live',
    ...(real !== undefined && { confirm: plainText(String(profile), 60) }),
  };
}

export const runTests = writes({
  title: 'Run the tests of a playbook, each on its own sandbox',
  role: 'operator',
  parameters: noFields,
  body: exactRecord({ press, desk: optional(text({ maxLength: 80 })), file }),
  answer: record({ isRun: truth }),
  audited: ({ body }) => `test ${body.file}`,
  handle: async ({ body, session }, server) => {
    const desk = deskNamed(server, body.desk);
    await checkedPlaybook(desk, body.file);
    const files = await testFilesOf(desk, body.file);
    if (files.length === 0) throw new Refusal(400, 'usage', `${body.file} has no tests`);
    const { stateDir } = desk.config;
    const who = session?.who ?? '';
    const what = `test ${body.file}`;
    return server.actions.presses.once({ id: body.press, stateDir, who, what }, async (log) => {
      const words = ['-o', 'json', 'test', '--', ...files];
      const ended = await launch(server.actions.program, desk, words, log).ended;
      const at = server.clock.now();
      if (!(await keepTests(desk, body.file, { ended, who, at }))) throw refusalOf(ended);
      return { isRun: true };
    });
  },
});
