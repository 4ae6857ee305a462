/** `schedule export`: the schedules of this folder for external timers. */
import { join, resolve } from 'node:path';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { namedAccounts } from '../../language/named-accounts.ts';
import { zoneOf } from '../../language/zone.ts';
import { crontabOf } from '../../app/schedule/export/crontab.ts';
import { workflowOf } from '../../app/schedule/export/github.ts';
import type { ExportPlace } from '../../app/schedule/export/location.ts';
import { unitsOf } from '../../app/schedule/export/systemd.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import type { Context, Args } from '../context.ts';
import { InvalidError } from '../../app/planning/invalid.ts';
import { timerFile } from '../args/own-files.ts';
import { loadArguments } from '../args/playbook-argument.ts';
import { environment, preparation, uploaded } from '../init/github.ts';
import { packageSource, type PackageSource } from '../init/package-source.ts';
import { variablesOf } from '../init/variables.ts';
import { writeDocument } from '../running/documents.ts';
import { configOf } from '../../app/config/opened.ts';
import { noneScheduled, schedulesNamed, printLeft } from '../schedule/found.ts';

const targets = ['systemd', 'cron', 'github'] as const;
type Target = (typeof targets)[number];

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const chosen = targets.filter((target) => args.isOn(target));
  const [target] = chosen;
  if (target === undefined || chosen.length > 1) {
    throw new UsageError('the target is required', 'one of --systemd, --cron and --github');
  }
  const timezone = zoneGiven(args.text('timezone'), target);
  const source = packageGiven(args.text('package'), target);
  const config = await configOf(context);
  const found = await schedulesNamed(args.positionals, config, context);
  printLeft(found, new Set(), context);
  if (found.left.length > 0) throw new InvalidError('not every playbook could be read');
  const { schedules } = found;
  if (schedules.length === 0)
    throw new UsageError(noneScheduled(found), 'name a playbook that has one');
  const place = placeOf();
  const now = context.clock.now();
  await writeAll(await documentsFor(target), args.text('out'), context);
  return exits.done;

  async function documentsFor(program: Target): Promise<readonly TextDocument[]> {
    switch (program) {
      case 'systemd':
        return unitsOf(schedules, place, now);
      case 'cron':
        return [{ name: 'deskhand.cron', text: crontabOf(schedules, place, { timezone, now }) }];
      case 'github':
        return [
          {
            name: 'deskhand-schedules.yaml',
            text: workflowOf(schedules, now, {
              preparation: preparation(source),
              environment: environment(await variablesFor(schedules, config, context)),
              conclusion: uploaded('reports'),
            }),
          },
        ];
    }
  }
}

/** The variables that the profiles and playbooks of the schedules read, and no others. */
async function variablesFor(
  schedules: readonly Schedule[],
  config: Config,
  context: Context,
): Promise<readonly string[]> {
  const files = [...new Set(schedules.map(({ file }) => file))];
  const playbooks = await Promise.all(files.map((file) => loadArguments(file, config, context)));
  const named = playbooks.map(namedAccounts);
  const isEvery = named.every((accounts) => accounts.isEvery);
  const names = [
    ...schedules.map(({ profile }) => profile),
    ...named.flatMap((each) => each.names),
  ];
  const profiles = [...config.profiles.values()].filter(
    ({ name }) => names.includes(name) || !isEvery,
  );
  const { keys, secrets } = variablesOf(profiles, playbooks, config.state);
  return [...keys, ...secrets];
}

interface TextDocument {
  readonly name: string;
  readonly text: string;
}

/** Writes files to a folder, or all to stdout. */
async function writeAll(
  documents: readonly TextDocument[],
  folder: string | undefined,
  { terminal }: Context,
): Promise<void> {
  const { out } = terminal;
  for (const { name, text } of documents) {
    if (folder === undefined) {
      out.write(documents.length === 1 ? text : `# ${name}\n${text}\n`);
    } else {
      const path = join(folder, name);
      await writeDocument(path, text, timerFile);
      out.line(`wrote ${plainText(path)}`);
    }
  }
}

/** The paths of this program and folder, absolute for timers. */
function placeOf(): ExportPlace {
  const script = process.argv[1];
  return {
    folder: process.cwd(),
    program: script === undefined ? [process.execPath] : [process.execPath, resolve(script)],
  };
}

function packageGiven(text: string | undefined, target: Target): PackageSource {
  if (text !== undefined && target !== 'github') {
    throw new UsageError('--package is for --github', `--${target} starts this program`);
  }
  return packageSource(text, process.cwd());
}

function zoneGiven(text: string | undefined, target: Target): string {
  if (text === undefined) return Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (target !== 'cron') {
    throw new UsageError(`--timezone is for --cron: --${target} uses UTC`);
  }
  if (zoneOf(text) !== undefined) return text;
  throw new UsageError(
    `${JSON.stringify(text)} is not a time zone`,
    'use the time zone of the machine with the crontab, such as Europe/Berlin',
  );
}
