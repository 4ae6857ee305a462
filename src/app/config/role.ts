/** The roles of people on the server's page; each role includes those before it. */
export const roles = ['viewer', 'operator', 'approver'] as const;
export type Role = (typeof roles)[number];
