/** Settings that keep the pins of a generated pipeline fresh: Dependabot on GitHub, Renovate on GitLab. */
import { readableJson } from '../../base/json.ts';
import { actionFolder } from './github.ts';
import type { PackageSource } from './package-source.ts';

/** Actions of the workflows and of the action that installs deskhand; packages if a lockfile pins it. */
export function dependabot({ kind }: PackageSource): string {
  const ofPackages = `  - package-ecosystem: npm
    directory: /
    schedule: { interval: weekly }
`;
  return `# Proposes newer versions of what the pipeline has pinned.
version: 2
updates:
  - package-ecosystem: github-actions
    directories: [/, /${actionFolder}]
    schedule: { interval: weekly }
    groups: { actions: { patterns: ["*"] } }
${kind === 'lockfile' ? ofPackages : ''}`;
}

/** The image of `.gitlab-ci.yml` with its digest, and packages. */
export function renovate(): string {
  return readableJson({
    $schema: 'https://docs.renovatebot.com/renovate-schema.json',
    extends: ['config:recommended', 'docker:pinDigests'],
    enabledManagers: ['gitlabci', 'npm'],
  });
}
