/** Problems as a GitLab code quality report. */
import { digestOf, type Json } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import type { CheckedFile } from '../../language/format.ts';

/** One issue per problem; its fingerprint does not depend on its location. */
export function problemsAsGitlab(files: readonly CheckedFile[]): Json {
  const seen = new Map<string, number>();
  return files.flatMap(({ file, text, problems }) => {
    const lines = text.split(/\r?\n/);
    return problems.map(({ code, level, message, hint, at }) => {
      const name = digestOf([file, code, message, lines[at.start.line - 1]?.trim() ?? '']);
      const before = seen.get(name) ?? 0;
      seen.set(name, before + 1);
      return {
        description: plainText(hint === undefined ? message : `${message} (${hint})`),
        check_name: code,
        fingerprint: before === 0 ? name : digestOf([name, before]),
        severity: level === 'error' ? 'major' : 'minor',
        location: {
          path: at.file,
          lines: { begin: at.start.line, end: Math.max(at.start.line, at.end.line) },
        },
      };
    });
  });
}
