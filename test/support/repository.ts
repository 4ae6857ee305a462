/** Repositories of tests: Ann wrote their files. */
import { execFileSync } from 'node:child_process';

/** Runs Git in a folder. @returns its output */
export function gitIn(cwd: string): (...words: readonly string[]) => string {
  return (...words) => execFileSync('git', words, { cwd, stdio: 'pipe', encoding: 'utf8' });
}

/** Makes a folder a repository, in which Ann committed all files. */
export function commitByAnn(cwd: string): void {
  const git = gitIn(cwd);
  git('init', '-q');
  git('config', 'user.email', 'ann@desk.example');
  git('config', 'user.name', 'Ann');
  git('add', '.');
  git('commit', '-qm', 'Playbooks');
}

/** The same, used by a pipeline from then on: its plans are made by a machine. */
export function commitByAnnForPipeline(cwd: string): void {
  commitByAnn(cwd);
  gitIn(cwd)('config', 'user.email', 'pipeline@desk.example');
}
