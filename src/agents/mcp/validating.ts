/** Validates playbooks for a tool, without quoting files that the tool may not read. */
import { second, type Millis } from '../../base/clock.ts';
import { fieldOf } from '../../base/json.ts';
import { repositoryPath } from '../../base/platform/repository-path.ts';
import type { Printed } from './command.ts';
import type { ToolContext } from './tool-context.ts';
import { yamlFile } from './common-arguments.ts';
import { readable } from './paths.ts';

export interface Validating {
  /** The paths that were checked; none for all playbooks of the folder. */
  readonly files?: readonly string[];
  /** The text of one playbook, in place of files. */
  readonly text?: string;
}

const longest: Millis = 60 * second;
const problemsMax = 300; // of all files; more are counted

/**
 * The JSON of `validate`; with the number of problems `omitted`, if there are many.
 * @throws ArgumentError if a playbook uses one that no call may name: problems quote their file
 */
export async function validated(
  { files = [], text }: Validating,
  desk: ToolContext,
  signal: AbortSignal,
): Promise<Printed> {
  const value = await desk.read(
    'validate',
    {
      positionals: text === undefined ? files : ['-'],
      ...(text !== undefined && { input: text }),
      longest,
    },
    signal,
  );
  const found = fieldOf(value, 'files');
  const place = await desk.place('files');
  let left = problemsMax;
  let omitted = 0;
  const checked = (Array.isArray(found) ? found : []).map((each: unknown) => {
    const file = fieldOf(each, 'file');
    if (typeof file === 'string' && file !== 'stdin') {
      readable(repositoryPath(file), place, yamlFile);
    }
    const all = problemsIn(each);
    const problems = all.slice(0, left);
    left -= problems.length;
    omitted += all.length - problems.length;
    return { file, problems };
  });
  return { ...value, files: checked, ...(omitted > 0 && { omitted }) };
}

/** The errors of a result as lines of text; empty if the playbooks are valid. */
export function errorsIn({ files }: Printed): readonly string[] {
  return (Array.isArray(files) ? files : []).flatMap((each: unknown) =>
    problemsIn(each)
      .filter((problem) => fieldOf(problem, 'level') === 'error')
      .map((problem) => {
        const [line, column, code, message] = ['line', 'column', 'code', 'message'].map((key) =>
          fieldOf(problem, key),
        );
        return `${String(fieldOf(each, 'file'))}:${String(line)}:${String(column)} ${String(code)} ${String(message)}`;
      }),
  );
}

function problemsIn(file: unknown): readonly unknown[] {
  const problems = fieldOf(file, 'problems');
  return Array.isArray(problems) ? problems : [];
}
