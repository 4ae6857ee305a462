/** The pipeline that `init --gitlab` writes: from merge request to run, with minimal permissions. */
import { appendTo } from '../../base/groups.ts';
import { broughtLines } from './brought.ts';
import { elsewhereNote, type PipelineParts } from './github.ts';
import { installLines } from './package-source.ts';
import { firstPlaybook } from './templates.ts';
import { usualVariables, type PipelineVariables } from './variables.ts';

const findBrought = broughtLines({
  before: 'CI_COMMIT_BEFORE_SHA',
  after: 'CI_COMMIT_SHA',
  into: '.git/brought',
})
  .map((line) => `      ${line}`)
  .join('\n');

export function gitlabPipeline({
  source,
  hasSnapshot,
  variables = usualVariables,
}: PipelineParts): string {
  const parts = [
    introduction(variables),
    defaults(source),
    checkJob,
    planJob,
    runJob,
    resumeJob,
    lookJob(hasSnapshot),
  ];
  return parts.join('\n');
}

const introduction = (
  variables: PipelineVariables,
): string => `# Merge request: validate and plan; the plans are posted as comments.
# Merge: run the plans that it added to plans/, each once. Schedule: check drift.
# A merge request from a fork is only validated: it gets no protected variable, and the fork has no key.
# A tag starts nothing. The first push of a branch, and a force push whose former commit is gone, run no plan.
#
# Variables (Settings, CI/CD), masked. Keys that may write are protected and belong to the environment main:
${listed(variables)}#   DESKHAND_COMMENT_TOKEN   a project token with the scope api, for comments
#   DESKHAND_STATE_TOKEN     a project token with the scope write_repository, for the state's branches
#
# Protect the branches deskhand-state and deskhand-state-witness (Settings, Repository, Protected
# branches): no one may force push, and only the bot of DESKHAND_STATE_TOKEN may push. To choose one user
# there needs GitLab Premium; without it allow Maintainers, and give that role only to the token.${elsewhereNote(variables)}
`;

/** The image of Node with Git and ssh-keygen, for all platforms; Renovate keeps the digest fresh. */
const image =
  'node:22-bookworm@sha256:b501c082306a4f528bc4038cbf2fbb58095d583d0419a259b2114b5ac53d12e9';

const defaults = (source: PipelineParts['source']): string => `workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

default:
  image: ${image}
  interruptible: false
  before_script:
    - |
${installLines(source)
  .map((line) => `      ${line}`)
  .join('\n')}
      export PATH="$folder/bin:$PATH"

stages: [check, plan, run]
`;

const checkJob = `check:
  stage: check
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_PIPELINE_SOURCE == "push"
  script:
    - deskhand validate -o gitlab > code-quality.json || deskhand validate
    - deskhand test --junit junit.xml
  artifacts:
    when: always
    reports:
      junit: junit.xml
      codequality: code-quality.json
`;

const planJob = `plan:
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID
  environment:
    name: main-read
    action: access
  variables:
    GIT_DEPTH: "0"
  script:
    - mkdir -p out
    - |
      status=0
      deskhand plan --changed-since "$CI_MERGE_REQUEST_DIFF_BASE_SHA" --out-dir out/plans \\
        -o markdown > out/plan.md || status=$?
      if [ -s out/plan.md ]; then deskhand comment out/plan.md; fi
      exit "$status"
  artifacts:
    when: always
    paths: [out/plans]
`;

const runJob = `run:
  stage: run
  rules:
    - if: $CI_PIPELINE_SOURCE == "push"
  environment:
    name: main
    action: access
  # One run of the account at a time, and none is canceled.
  resource_group: deskhand-main
  variables:
    GIT_DEPTH: "0"
  script:
    - |
${findBrought}
      for plan in "\${brought[@]}"; do
        deskhand run "$plan" --report reports
      done
  artifacts:
    when: always
    paths: [reports]
`;

const resumeJob = `# Start it with the variable RUN: the run to resume after its machine was lost.
resume:
  stage: run
  rules:
    - if: $CI_PIPELINE_SOURCE == "web" && $RUN
  environment:
    name: main
    action: access
  resource_group: deskhand-main
  script:
    - deskhand resume "$RUN" --approve "$RUN" --report reports
  artifacts:
    when: always
    paths: [reports]
`;

const lookJob = (hasSnapshot: boolean): string => `look:
  stage: run
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  environment:
    name: main-read
    action: access
  script:
${hasSnapshot ? `    - deskhand run ${firstPlaybook} --report reports\n` : ''}    - deskhand drift
  artifacts:
    when: always
    paths: [reports]
`;

/** The variables of accounts, one line for each prefix. */
function listed({ keys, secrets }: PipelineVariables): string {
  const accounts = new Map<string, string[]>();
  for (const name of keys) {
    appendTo(accounts, name.replace(/_API_(KEY|SECRET|PASSPHRASE)$/, ''), name);
  }
  const lines = [...accounts.values()].map((names) => `#   ${names.join(', ')}   per environment`);
  const own = secrets.map((name) => `#   ${name}   named by a playbook, per environment`);
  return [...lines, ...own].map((line) => `${line}\n`).join('');
}
