/** Whether a YAML text is meant as a playbook, or belongs to another tool. */

/**
 * A playbook has the key `playbook` at its top level. A text with `steps` that use something is one
 * without that key. Decided without parsing, so that a text with errors is also recognized.
 */
export function looksLikePlaybook(text: string): boolean {
  const content = text.replace(/^\ufeff/, '');
  const first = /^(?!---|%)([ \t]*)[^\s#]/m.exec(content);
  if (first === null) return false;
  const isFlow = content.slice(first.index).trimStart().startsWith('{');
  const start = isFlow ? '[{,]\\s*' : `^${first[1] ?? ''}`;
  const has = (key: string, before: string): boolean =>
    new RegExp(`${before}(["']?)${key}\\1\\s*:`, 'm').test(content);
  return has('playbook', start) || (has('steps', start) && has('uses', '[\\s{,-]'));
}

/** Why a file is not read as a playbook. */
export const notPlaybook = 'not a playbook (no key "playbook")';
