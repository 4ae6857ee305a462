/** The playbooks of a desk: checked, planned, tested; and runs of plans that were made from the page. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { choice, list, optional, record, text, truth, type Schema } from '../../api/schema.ts';
import { fieldOf, isRecord } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { readPlan } from '../../plan/file.ts';
import { begun, refusalOf } from '../actions/begin.ts';
import { launch, linesIn } from '../actions/launch.ts';
import { press, writeNew } from '../actions/presses.ts';
import { deskNamed } from '../context.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError, Refusal } from '../failure.ts';
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

/** A file that was just removed, or leads out of the repository, is not listed. */
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
  answer: record({ view: playbookView, tests: testsView }),
  handle: async ({ parameters }, server) => {
    const desk = deskNamed(server, parameters.desk);
    const found = await checkedPlaybook(desk, parameters.file);
    return { view: playbookViewOf(found, desk), tests: await testsViewOf(desk, parameters.file) };
  },
});

/** Values as typed: they are read as those of `--var`. */
const inputs: Schema<Readonly<Record<string, string>>> = {
  json: {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 10_000 },
    maxProperties: 100,
  },
};

export const makePlan = writes({
  title: 'Plan a playbook in a separate process: reads only',
  role: 'operator',
  parameters: noFields,
  body: exactRecord({ press, desk: optional(text({ maxLength: 80 })), file, inputs }),
  answer: record({
    plan: optional(text({ description: 'Absent if it cannot be planned' })),
    target: optional(choice(['sandbox', 'live'])),
    lines: list(text(), { description: 'The plan, or its problems, as the command prints them' }),
  }),
  audited: ({ body }) => `plan ${body.file}`,
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
        const words = ['--json-into', made, 'plan', '--var-file', values, '--', body.file];
        const ended = await launch(server.actions.program, desk, words, log).ended;
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

type Target = 'sandbox' | 'live';

interface Made {
  readonly plan?: string;
  readonly target?: Target;
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
  const target = fieldOf(value['destination'], 'target') === 'live' ? 'live' : 'sandbox';
  return { plan: id, target };
}

export const runPlan = writes({
  title: 'Run a plan of sandbox accounts in a separate process',
  role: 'operator',
  parameters: exactRecord({
    plan: text({ description: 'The plan', pattern: '^p-[0-9a-f]{8}$', maxLength: 10 }),
    desk: deskName,
  }),
  body: exactRecord({ press }),
  answer: record({ run: optional(text()), state: choice(['running', 'ended', 'starting']) }),
  audited: ({ parameters: { plan } }) => `run ${plan}`,
  handle: async ({ parameters: { plan: id, desk: name }, body, session }, server) => {
    const desk = deskNamed(server, name);
    const { stateDir } = desk.config;
    const who = session?.who ?? '';
    await refuseLive(stateDir, id);
    return server.actions.presses.once(
      { id: body.press, stateDir, who, what: `run ${id}` },
      async (log) => {
        const { starters, program } = server.actions;
        const launched = launch(program, desk, ['-o', 'json', 'run', '--', id], log);
        const { pid, ended } = launched;
        const found = await begun(launched, stateDir);
        const at = server.clock.now();
        if (found.run !== undefined) starters.add(stateDir, found.run, { who, at, pid }, ended);
        return found;
      },
    );
  },
});

/** @throws Refusal unless every account of the plan is a sandbox */
async function refuseLive(stateDir: string, id: string): Promise<void> {
  const path = join(stateDir, 'plans', `${id}.json`);
  const plan = await readPlan(path).catch((error: unknown) => {
    if (fieldOf(error, 'code') === 'usage') throw new NotFoundError(`no plan ${id}`);
    throw error;
  });
  const live = [plan.destination, ...(plan.accounts ?? [])].find(({ target }) => target === 'live');
  if (live === undefined) return;
  throw new Refusal(
    409,
    'live',
    `plan ${id} is for the live account ${plainText(live.profile, 60)}`,
    `run it in a terminal: deskhand run ${shellWord(id)}`,
  );
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
