import { Profile } from '@looptide/contracts/http/users'
import type { Logger } from '@looptide/service-kit/logger'
import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { ChatDb } from '../../db/schema.ts'
import { isKnown, projectProfile } from './people-repository.ts'

const REMEMBERED = 50_000
const TIMEOUT_MS = 1000
const ASK_AGAIN_MS = 10_000

interface DirectoryDeps {
  db: Kysely<ChatDb>
  authUrl: string
  logger: Logger
}

/**
 * Sees to it that a writer's name is here before the message goes out. Events bring it; somebody who
 * writes within their first milliseconds, or whose event is older than the stream remembers, is asked for.
 */
export class ProfileDirectory {
  readonly #deps: DirectoryDeps
  /** Until when somebody need not be looked for again, in epoch ms. */
  readonly #known = new Map<string, number>()

  constructor(deps: DirectoryDeps) {
    this.#deps = deps
  }

  /** Never fails for want of a name: the message then shows none until the event comes. */
  async introduce(userId: string): Promise<void> {
    if ((this.#known.get(userId) ?? 0) > Date.now()) return
    const found = (await isKnown(this.#deps.db, userId)) || (await this.#ask(userId))
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    this.#known.set(userId, found ? Number.POSITIVE_INFINITY : Date.now() + ASK_AGAIN_MS)
  }

  async #ask(userId: string): Promise<boolean> {
    try {
      const response = await fetch(`${this.#deps.authUrl}/api/profiles/${userId}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const profile: unknown = response.ok ? await response.json() : null
      if (!Check(Profile, profile) || profile.userId !== userId) return false
      const { handle, artistName } = profile
      await projectProfile(this.#deps.db, { userId, handle, artistName, version: 0 })
      return true
    } catch (error) {
      this.#deps.logger.debug({ err: error, userId }, 'a profile is not known yet')
      return false
    }
  }
}
