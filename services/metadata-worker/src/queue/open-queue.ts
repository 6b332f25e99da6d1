import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'

export const BULL_PREFIX = `${KEY_PREFIX}:bull`

/**
 * Opens a job queue, also while Redis is unreachable. BullMQ's version check is off: it sends `INFO` once, when the queue
 * is opened, and if that fails every later call fails with the same error, although Redis is back.
 */
export function openQueue<Data, Name extends string>(
  name: string,
  connection: Redis,
): Queue<Data, null, Name, Data, null, Name> {
  const queue = new Queue<Data, null, Name, Data, null, Name>(name, {
    connection,
    prefix: BULL_PREFIX,
    skipVersionCheck: true,
  })
  // Each call reports its own failure.
  queue.on('error', () => undefined)
  return queue
}
