/** The environment variables that are read, for help and the manual. */

export const environmentRows: readonly (readonly [name: string, meaning: string])[] = [
  ['DESKHAND_PROFILE', 'profile to use, as --profile'],
  ['DESKHAND_CONFIG', 'configuration file, as --config'],
  ['DESKHAND_STATE_DIR', 'where runs, plans and the built-in exchange are kept (.deskhand)'],
  ['DESKHAND_STORE', 'where runs are shared, as --store; its address may have a password'],
  ['DESKHAND_STATE_TOKEN', 'token for git to push the state, if the remote requires a password'],
  ['DESKHAND_BASE_URL', 'address of an exchange; makes the profile "environment"'],
  ['DESKHAND_ACCOUNT_ID', 'account-id of that profile: permanent name of its account'],
  [
    'DESKHAND_FORMER_KEYS, DESKHAND_OTHER_KEYS',
    'former-keys and other-keys of that profile, with commas',
  ],
  ['DESKHAND_FORMER_IDS', 'former-ids of that profile, with commas'],
  ['DESKHAND_API_KEY', 'key of profiles that name no other source'],
  ['DESKHAND_API_SECRET', 'its secret'],
  ['DESKHAND_API_PASSPHRASE', 'its passphrase'],
  ['DESKHAND_SECRET_NAME', 'a playbook’s {{ secrets.NAME }}'],
  ['…_FILE', 'suffix of any of the last four: file to read it from, mode 0600 or 0400'],
  [
    'DESKHAND_VAR_name',
    'the input "name" of a playbook; --var-file and --var override it; empty counts as not set',
  ],
  ['DESKHAND_NO_INPUT', 'disable prompts, as --no-input'],
  ['DESKHAND_LOG', 'error, warn, info or debug, as --log-level'],
  ['DESKHAND_LOG_FORMAT', 'text or json, as --log-format'],
  [
    'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY',
    'HTTP proxy of requests, also in lower case; not to this machine',
  ],
  ['NO_PROXY', 'hosts and ranges of addresses that are reached without it'],
  ['NODE_EXTRA_CA_CERTS', 'file with certificates of authorities to trust as well, as PEM'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'send traces of runs to this collector'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'headers for it: api-key=…,tenant=…'],
  ['OTEL_SERVICE_NAME', 'service of the traces (default deskhand)'],
  ['NO_COLOR, FORCE_COLOR, TERM', 'disable or force colors; capabilities of the terminal'],
  ['CI, GITHUB_ACTIONS', 'disable the live view; annotations on GitHub'],
];
