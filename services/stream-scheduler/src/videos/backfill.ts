import { Page } from '@looptide/contracts/common'
import { Video } from '@looptide/contracts/http/videos'
import { callInternal } from '@looptide/service-kit/internal'
import type { Logger } from '@looptide/service-kit/logger'
import { retryUntil } from '@looptide/service-kit/nats'
import type { Background } from '@looptide/service-kit/run-service'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Database } from '../db/schema.ts'
import { markStaleFor } from '../timeline/stale-repository.ts'
import { applyVideos, markBackfilled, wasBackfilled } from './video-repository.ts'

/** What we need of a page, whatever else the catalogue puts there. */
const Videos = Page(Video)

interface BackfillDeps {
  db: Kysely<Database>
  catalogueUrl: string
  internalToken: string
  logger: Logger
}

/**
 * Reads the catalogue's whole list once in a scheduler's life. Events are kept for a week: one that is set
 * up later than that would never hear of the older videos. Events win over what is read here.
 */
export class CatalogueBackfill implements Background {
  readonly #deps: BackfillDeps
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: BackfillDeps) {
    this.#deps = deps
  }

  /** Begins without waiting: the catalogue may start later than we do. */
  start(): void {
    this.#running ??= retryUntil(
      () => this.fill(),
      this.#stop.signal,
      (error) => this.#deps.logger.debug({ err: error }, 'the catalogue cannot be read yet'),
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Reads all pages, unless that was done before; one that was cut short begins again. */
  async fill(): Promise<void> {
    const { db, logger } = this.#deps
    if (await wasBackfilled(db)) return
    let count = 0
    let cursor: string | null = null
    do {
      const page = await this.#page(cursor)
      await db.transaction().execute(async (trx) => {
        await markStaleFor(trx, ...(await applyVideos(trx, page.items, 0)))
      })
      count += page.items.length
      cursor = page.nextCursor
    } while (cursor !== null && !this.#stop.signal.aborted)
    if (cursor !== null) return
    await markBackfilled(db)
    if (count > 0) logger.info({ videos: count }, 'read the catalogue')
  }

  async #page(cursor: string | null): Promise<Static<typeof Videos>> {
    const { catalogueUrl, internalToken } = this.#deps
    const query = new URLSearchParams({ limit: '500', ...(cursor === null ? {} : { cursor }) })
    const page = await callInternal(`${catalogueUrl}/internal/videos?${query}`, 'The catalogue', {
      internalToken,
    })
    if (!Check(Videos, page)) throw new Error('the catalogue answered something that is not a page of videos')
    return page
  }
}
