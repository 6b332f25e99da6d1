/** The services behind the gateway, by their names in logs, in `/api/health` and in paths of dead letters. */
export const SERVICES = [
  'auth',
  'catalogue',
  'stream-scheduler',
  'chat',
  'audience',
  'admin-audit',
  'metadata-worker',
] as const
export type ServiceName = (typeof SERVICES)[number]
