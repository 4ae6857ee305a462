/** The schema of `serve`, for editors; `served-team.ts` reads it. */
import { described, list, optional, record, text } from '../../exchange/api/schema.ts';
import { secret } from './secret-schema.ts';

const closed = { additionalProperties: false };
const holders = (what: string): ReturnType<typeof list<string>> =>
  list(text(), { description: `Groups and e-mail addresses of people who ${what}` });

export const serve = record(
  {
    hosts: list(text(), {
      description:
        'Names in the address bar: desk.example.com, or desk.example.com:8443 for another port than 443',
    }),
    tls: optional(
      record(
        {
          cert: text({ description: 'File with the certificate and its chain, as PEM' }),
          key: text({
            description:
              'File with its key, as PEM, mode 0600; others may read it, with a warning, and not change it',
          }),
        },
        closed,
      ),
    ),
    'metrics-token': optional(
      described(
        'Source of the bearer token that a monitor must send for /metrics (default: none is needed)',
        secret,
      ),
    ),
    auth: described(
      'The OpenID Connect issuer that people sign in with',
      record(
        {
          issuer: text({ description: 'Its address: https://id.example.com' }),
          'client-id': text({ description: 'The client that the issuer knows' }),
          'client-secret': optional(
            described('Source of its secret; absent for a public client', secret),
          ),
          roles: record(
            {
              viewer: optional(holders('may read')),
              operator: optional(holders('may also start, resume and stop runs')),
              approver: optional(holders('may also approve plans')),
            },
            { ...closed, minProperties: 1 },
          ),
          'groups-claim': optional(
            text({ description: 'Claim with the groups of a person (default groups)' }),
          ),
          scopes: optional(
            list(text(), {
              description: 'Scopes that are requested besides openid (default email, profile)',
            }),
          ),
          idle: optional(
            text({ description: 'A session ends this long after its last request (default 1h)' }),
          ),
          expires: optional(
            text({ description: 'A session ends this long after the sign-in (default 12h)' }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);
