/** The pipeline `init --gitlab` writes: from merge request to run, with no more rights than needed. */

/** @param version of deskhand, which the pipeline keeps to */
export const gitlabPipeline = (version: string): string =>
  `
# Merge request: checked and planned; the plans are put there as comments.
# Merge: the plans that came with it in plans/ are run, each once. Schedule: a look at the account.
# A merge request from a fork is only checked: it gets no protected variable.
#
# Variables (Settings, CI/CD), masked; the keys that may write protected, and in the environment main:
#   MAIN_API_KEY, MAIN_API_SECRET, MAIN_API_PASSPHRASE   of the account, per environment
#   DESKHAND_COMMENT_TOKEN   a project token with the scope api, for comments
#   DESKHAND_STATE_TOKEN     a project token with the scope write_repository, for the state's ref

workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

default:
  image: node:22-bookworm
  interruptible: false
  before_script:
    - npm install --global --ignore-scripts deskhand@${version}

stages: [check, plan, run]

check:
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

plan:
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID
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

run:
  stage: run
  rules:
    - if: $CI_PIPELINE_SOURCE == "push"
  environment:
    name: main
    action: access
  # One run of the account at a time, and none is cut off.
  resource_group: deskhand-main
  variables:
    GIT_DEPTH: "0"
  script:
    - >-
      git diff -z --name-only --diff-filter=AM "$CI_COMMIT_BEFORE_SHA" "$CI_COMMIT_SHA"
      -- 'plans/*.json' > .git/brought
    - |
      mapfile -d '' brought < .git/brought
      for plan in "\${brought[@]}"; do
        deskhand run "$plan" --report reports
      done
  artifacts:
    when: always
    paths: [reports]

# Start it with the variable RUN: the run to go on with when its machine was lost.
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

look:
  stage: run
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  environment:
    name: main-read
    action: access
  script:
    - deskhand run playbooks/market-snapshot.yaml --report reports
    - deskhand drift
  artifacts:
    when: always
    paths: [reports]
`.slice(1);
