/** Every process of our own that the station runs, the gateway last: it is the door. */
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
