import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { type UserRow, userRepository } from '../users/user-repository.ts'

/** Number of wrong codes after which a user's codes are refused for the rest of the hour. Links still work. */
const MAX_WRONG_CODES = 10
const WINDOW_MS = 3_600_000

const isInWindow = (user: UserRow, nowMs: number): boolean =>
  nowMs - (user.wrongCodesSince?.getTime() ?? 0) < WINDOW_MS

export const hasTooManyWrongCodes = (user: UserRow, nowMs: number): boolean =>
  user.wrongCodes >= MAX_WRONG_CODES && isInWindow(user, nowMs)

/** Counts a wrong code of a user, in the caller's transaction. */
export async function countWrongCode(trx: Transaction<Database>, userId: string, now: Date): Promise<void> {
  const user = await userRepository.lockById(trx, userId)
  if (user === undefined) return
  const inWindow = isInWindow(user, now.getTime())
  await userRepository.update(trx, userId, {
    wrongCodes: inWindow ? user.wrongCodes + 1 : 1,
    wrongCodesSince: inWindow ? user.wrongCodesSince : now,
  })
}
