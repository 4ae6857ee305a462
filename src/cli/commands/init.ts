/** `init`: a folder to keep playbooks in, ready for an editor, a repository and a pipeline. */
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { makeFolders } from '../../base/folder.ts';
import { readableJson } from '../../base/json.ts';
import { count } from '../../base/text.ts';
import { configSchema } from '../../config/schema.ts';
import { playbookSchema } from '../../playbook/schema.ts';
import { playbookTestSchema } from '../../rehearsal/schema.ts';
import type { Context, Given } from '../context.ts';
import { githubWorkflow } from '../init/github.ts';
import { gitlabPipeline } from '../init/gitlab.ts';
import { firstPlaybook, firstTest, sharedState, templates } from '../init/templates.ts';
import { columns } from '../screens/columns.ts';
import { version } from '../version.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const folder = given.words[0] ?? '.';
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new UsageError(`${folder} is a file`, 'name a folder; it is made when missing');
  }
  const files = filesFor(given);
  const standing = files.filter(({ path }) => existsSync(join(folder, path)));
  if (standing.length > 0 && !given.isOn('force')) {
    throw new UsageError(
      `${count(standing.length, 'file')} would be written over: ${standing.map(({ path }) => path).join(', ')}`,
      'choose an empty folder, or add --force',
    );
  }
  for (const { path, text } of files) {
    const file = join(folder, path);
    await makeFolders(dirname(file));
    await writeFile(file, text);
  }
  const { paint } = out.look;
  const rows = files.map(({ path, says }) => [paint('strong', join(folder, path)), says]);
  for (const line of columns(rows, out.look, { indent: 2 })) out.line(line);
  out.line();
  const enter = folder === '.' ? '' : `cd ${folder} && `;
  out.line(
    `${paint('strong', 'Next')}  ${paint('command', `${enter}deskhand plan ${firstPlaybook}`)}`,
  );
  return exits.done;
}

interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly says: string;
}

function filesFor(given: Given): NewFile[] {
  const isPiped = given.isOn('github') || given.isOn('gitlab');
  return [
    { path: firstPlaybook, text: templates.playbook, says: 'a first playbook: it only reads' },
    { path: firstTest, text: templates.test, says: 'what must come of it: deskhand test' },
    {
      path: 'deskhand.yaml',
      text: isPiped ? templates.config + sharedState : templates.config,
      says: 'profiles: which accounts there are',
    },
    { path: '.gitignore', text: templates.ignore, says: 'keeps runs, plans and secrets out' },
    {
      path: 'schemas/playbook.schema.json',
      text: readableJson(playbookSchema()),
      says: 'completion and checks for your editor',
    },
    {
      path: 'schemas/playbook-test.schema.json',
      text: readableJson(playbookTestSchema({ details: true })),
      says: 'the same for tests',
    },
    {
      path: 'schemas/config.schema.json',
      text: readableJson(configSchema.json),
      says: 'the same for deskhand.yaml',
    },
    { path: '.vscode/settings.json', text: templates.editor, says: 'tells VS Code about them' },
    ...(given.isOn('github')
      ? [
          {
            path: '.github/workflows/playbooks.yaml',
            text: githubWorkflow(version),
            says: 'from pull request to run, on GitHub',
          },
        ]
      : []),
    ...(given.isOn('gitlab')
      ? [
          {
            path: '.gitlab-ci.yml',
            text: gitlabPipeline(version),
            says: 'from merge request to run, on GitLab',
          },
        ]
      : []),
  ];
}
