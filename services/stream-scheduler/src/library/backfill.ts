import { Page } from '@looptide/contracts/common'
import { Video } from '@looptide/contracts/http/videos'
import { callInternal } from '@looptide/service-kit/identity/internal'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { retryUntil } from '@looptide/service-kit/time/pause'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Database } from '../db/schema.ts'
import { markChannelsStale } from '../timeline/stale-repository.ts'
import { fillTagsAndTrim, isBackfilled, markBackfilled, upsertVideos } from './video-repository.ts'

/** The fields of a page that the scheduler needs; the catalogue may send others. */
const Videos = Page(Video)

interface BackfillDeps {
  db: Kysely<Database>
  catalogueUrl: string
  internalToken: string
  logger: Logger
}

/**
 * Reads the catalogue's whole list once per database. Events are kept for a week, so a scheduler that is set up later
 * receives no events of older videos. An event overrides what is read here. The list is read again after an update from a
 * release that stored no tags and trim points.
 */
export class CatalogueBackfill implements Background {
  readonly #deps: BackfillDeps
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: BackfillDeps) {
    this.#deps = deps
  }

  /** Does not wait for the result: the catalogue may start later than the scheduler. */
  start(): void {
    this.#running ??= retryUntil(
      () => this.fill(),
      this.#stop.signal,
      (error) => this.#deps.logger.debug({ err: error }, 'catalogue backfill failed, retrying'),
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Reads all pages if that has not been done. An interrupted run starts again from the first page. */
  async fill(): Promise<void> {
    const { db, logger } = this.#deps
    if (await isBackfilled(db)) return
    let count = 0
    let cursor: string | null = null
    do {
      const page = await this.#fetchPage(cursor)
      await db.transaction().execute(async (trx) => {
        const inserted = await upsertVideos(trx, page.items, 0)
        await markChannelsStale(trx, ...inserted, ...(await fillTagsAndTrim(trx, page.items)))
      })
      count += page.items.length
      cursor = page.nextCursor
    } while (cursor !== null && !this.#stop.signal.aborted)
    if (cursor !== null) return
    await markBackfilled(db)
    if (count > 0) logger.info({ videos: count }, 'catalogue backfill completed')
  }

  async #fetchPage(cursor: string | null): Promise<Static<typeof Videos>> {
    const { catalogueUrl, internalToken } = this.#deps
    const query = new URLSearchParams({ limit: '500', ...(cursor === null ? {} : { cursor }) })
    const page = await callInternal(`${catalogueUrl}/internal/videos?${query}`, 'The catalogue', {
      internalToken,
    })
    if (!Check(Videos, page)) throw new Error('the response of the catalogue is not a page of videos')
    return page
  }
}
