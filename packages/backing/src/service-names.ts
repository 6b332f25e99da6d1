/** The station's own processes, the gateway last: it starts after the others. */
export const serviceNames = [
  'auth',
  'catalogue',
  'stream-scheduler',
  'chat',
  'admin-audit',
  'metadata-worker',
  'gateway',
] as const

export type ServiceName = (typeof serviceNames)[number]
