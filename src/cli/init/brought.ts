/** The lines of a pipeline that find the plans a push added, for the shell of GitHub or GitLab. */

interface Push {
  /** The names of the variables with the commit before the push, and after it. */
  readonly before: string;
  readonly after: string;
  /** The file for the names, each followed by a zero byte. */
  readonly into: string;
}

/**
 * The lines that find added plans. A first push has no commit before it, and after a force push
 * that commit may be gone: no plan is run then, because nothing shows which ones were added and
 * reviewed. The job reports it and continues.
 */
export function broughtLines({ before, after, into }: Push): readonly string[] {
  return [
    'known=yes',
    `if [[ "$${before}" =~ ^0*$ ]]; then known=no`,
    `elif ! git cat-file -e "$${before}^{commit}" 2> /dev/null; then`,
    `  git fetch --quiet origin "$${before}" 2> /dev/null || known=no`,
    'fi',
    'if [ "$known" = yes ]; then',
    `  git diff -z --no-renames --name-only --diff-filter=AM "$${before}" "$${after}" \\`,
    `    -- 'plans/*.json' > ${into}`,
    'else',
    `  echo "the commit before this push is not known: no plan is run"`,
    `  echo "a merge runs the plans that it adds; run one by hand with: deskhand run PLAN"`,
    `  : > ${into}`,
    'fi',
    `mapfile -d '' brought < ${into}`,
  ];
}
