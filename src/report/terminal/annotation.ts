/** Failures of a run as GitHub Actions annotations on the lines of its playbook. */
import { escapeControls } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { learnedWords, unlistedWords } from '../assumptions.ts';

type Started = Extract<Entry, { readonly kind: 'started' }>;

/** The workflow command for a step that ended badly, or an expectation that failed. */
export function annotation(entry: Entry, { playbook, steps }: Started): string | undefined {
  if (entry.kind === 'unmet') {
    const level = entry.level === 'warn' ? 'warning' : 'error';
    const { line, address: title, message } = entry;
    return workflowCommand(level, { file: playbook.file, line, title, message });
  }
  if (entry.kind === 'visibility' && entry.orders === 'unlisted') {
    const message = `${unlistedWords(entry.profile, [entry.line])}; ${learnedWords(entry)}`;
    const place = { file: playbook.file, line: 1 };
    return workflowCommand('warning', { ...place, title: 'orders are not listed', message });
  }
  if (entry.kind !== 'closed') return undefined;
  const { step, status, because } = entry;
  if (status !== 'refused' && status !== 'failed' && status !== 'doubt') return undefined;
  const line = steps.find(({ id }) => id === step)?.line ?? 1;
  const title = `${step} ${status === 'doubt' ? 'is in doubt' : status}`;
  return workflowCommand('error', {
    file: playbook.file,
    line,
    title,
    message: because ?? status,
  });
}

/** A line that GitHub Actions shows at a line of a file. */
export function workflowCommand(
  level: 'error' | 'warning',
  {
    file,
    line,
    title,
    message,
  }: {
    readonly file: string;
    readonly line: number;
    readonly title: string;
    readonly message: string;
  },
): string {
  return `::${level} file=${property(file)},line=${line},title=${property(title)}::${data(message)}`;
}

function data(text: string): string {
  return escapeControls(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
