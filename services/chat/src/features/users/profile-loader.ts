import { Profile } from '@looptide/contracts/http/users'
import type { Logger } from '@looptide/service-kit/process/logger'
import type { Kysely } from 'kysely'
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
  /** By user: the time until which the profile is not looked up again, in epoch ms. */
  readonly #nextLookUpAtMs = new Map<string, number>()

  constructor(deps: ProfileLoaderDeps) {
    this.#deps = deps
  }

  /** Does not fail when auth has no profile: the message shows no name until the event arrives. */
  async ensureProfile(userId: string): Promise<void> {
    if ((this.#nextLookUpAtMs.get(userId) ?? 0) > Date.now()) return
    const found = (await hasProfile(this.#deps.db, userId)) || (await this.#fetchProfile(userId))
    if (this.#nextLookUpAtMs.size >= MAX_CACHED_USERS) this.#nextLookUpAtMs.clear()
    this.#nextLookUpAtMs.set(userId, found ? Number.POSITIVE_INFINITY : Date.now() + RETRY_AFTER_MS)
  }

  async #fetchProfile(userId: string): Promise<boolean> {
    try {
      const response = await fetch(`${this.#deps.authUrl}/api/profiles/${userId}`, {
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      })
      const profile: unknown = response.ok ? await response.json() : null
      if (!Check(Profile, profile) || profile.userId !== userId) return false
      const { handle, artistName } = profile
      await projectProfile(this.#deps.db, { userId, handle, artistName, version: 0 })
      return true
    } catch (error) {
      this.#deps.logger.debug({ err: error, userId }, 'profile fetch failed')
      return false
    }
  }
}
