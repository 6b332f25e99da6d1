import { Profile } from '@looptide/contracts/http/users'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Check } from 'typebox/value'
import type { Database } from '../../db/schema.ts'
import { hasProfile, projectProfile } from './user-repository.ts'

const MAX_CACHED_USERS = 50_000
const FETCH_TIMEOUT_MS = 1000
const RETRY_AFTER_MS = 10_000

interface ProfileLoaderDeps {
  db: Kysely<Database>
  authUrl: string
  logger: Logger
}

/**
 * Ensures that an author's profile is in the database before their message is posted. Events usually bring it. It is
 * fetched from auth for a user who posts before their event has arrived, or whose event is no longer in the stream.
 */
export class ProfileLoader {
  readonly #deps: ProfileLoaderDeps
  /** Users whose profile is in the database, and for `RETRY_AFTER_MS` those without one. */
  readonly #lookedUp = new LRUCache<string, true>({ max: MAX_CACHED_USERS })

  constructor(deps: ProfileLoaderDeps) {
    this.#deps = deps
  }

  /** Does not fail when auth has no profile: the message shows no name until the event arrives. */
  async ensureProfile(userId: string): Promise<void> {
    if (this.#lookedUp.get(userId)) return
    const found = (await hasProfile(this.#deps.db, userId)) || (await this.#fetchProfile(userId))
    this.#lookedUp.set(userId, true, found ? {} : { ttl: RETRY_AFTER_MS })
  }

  async #fetchProfile(userId: string): Promise<boolean> {
    try {
      const response = await internalFetch(`${this.#deps.authUrl}/api/profiles/${userId}`, {
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      })
      const profile: unknown = response.ok ? await response.json() : null
      if (!Check(Profile, profile) || profile.userId !== userId) return false
      const { handle, artistName } = profile
      // An account that the chat has not heard of is taken for a new one, until the event says when it was created.
      await projectProfile(this.#deps.db, {
        userId,
        handle,
        artistName,
        registeredAt: new Date(),
        version: 0,
      })
      return true
    } catch (error) {
      this.#deps.logger.debug({ err: error, userId }, 'profile fetch failed')
      return false
    }
  }
}
