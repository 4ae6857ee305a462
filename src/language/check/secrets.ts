/** Secrets in the fields that allow them: never those of the exchange, and an address only as a whole. */
import type { Reference, Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';

/** Whether a name is that of a credential of the exchange, with any prefix. */
export function isCredentialName(name: string): boolean {
  return /(?:^|_)API_(?:KEY|SECRET|PASSPHRASE)(?:_|$)/i.test(name) || /^API_/i.test(name);
}

export function checkSecrets({ with: fields }: Step, problems: Problems): void {
  for (const [field, template] of fields) {
    for (const { path, at } of secretsIn(template)) {
      const [name = ''] = path;
      if (!isCredentialName(name)) continue;
      problems.add('PB314', at, `secrets.${name} is a credential of the exchange`, {
        hint: 'playbooks cannot use these; give the other system its own secret',
      });
    }
    if (field !== 'url' || isWhole(template) || secretsIn(template).length === 0) continue;
    problems.add('PB314', template.at, 'url has a secret and other text', {
      hint: 'put the whole address into the secret: url: "{{ secrets.OPS_WEBHOOK }}"',
    });
  }
}

function secretsIn(template: Template): readonly Reference[] {
  return expressionsIn(template)
    .flatMap(({ references }) => references)
    .filter(({ root }) => root === 'secrets');
}

/** Whether a template is one secret and nothing else: no helper, no text around it. */
function isWhole(template: Template): boolean {
  return template.kind === 'expression' && template.expression.node.kind === 'path';
}
