import type { Db } from '@looptide/service-kit/db/db'
import { AppError } from '@looptide/service-kit/http/errors'
import type { Database } from '../../db/schema.ts'
import { type AttemptKind, countAttempt } from './user-repository.ts'

const MINUTE_MS = 60_000

interface AttemptDeps {
  db: Db<Database>
  rateLimitFactor: number
  /** Epoch ms. */
  now: () => number
}

/**
 * Counts an attempt of a user who has a row. Throws `rate_limited` with `message` if there were more than `perMinute` of its
 * kind, before `RATE_LIMIT_FACTOR`, within a minute.
 */
export async function requireFewAttempts(
  { db, rateLimitFactor, now }: AttemptDeps,
  userId: string,
  { kind, perMinute, message }: { kind: AttemptKind; perMinute: number; message: string },
): Promise<void> {
  const nowMs = now()
  const { attempts, until } = await countAttempt(db, userId, {
    kind,
    now: new Date(nowMs),
    windowMs: MINUTE_MS,
  })
  if (attempts <= perMinute * Math.max(1, rateLimitFactor)) return
  throw new AppError('rate_limited', message, { retryAfterMs: Math.max(1, until.getTime() - nowMs) })
}
