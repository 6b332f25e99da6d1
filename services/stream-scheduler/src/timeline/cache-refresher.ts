import type { EventType } from '@looptide/contracts/events'
import { LiveEvents, type LiveEventsDeps } from '@looptide/service-kit/events/live-events'
import type { Background } from '@looptide/service-kit/process/background'
import type { TimelineCache } from './timeline-cache.ts'

/** Events after which a cached channel is out of date. */
const TYPES: readonly EventType[] = [
  'stream.timeline.changed.v1',
  'stream.timeline.extended.v1',
  'stream.status.changed.v1',
  'stream.channel.created.v1',
  'stream.channel.updated.v1',
  'stream.channel.deleted.v1',
]

interface RefresherDeps extends LiveEventsDeps {
  timelines: TimelineCache
}

/**
 * Refreshes the timeline cache within milliseconds after another replica has changed a channel. After a missed event the
 * worker refreshes it: it compares the cache with the database every second.
 */
export class CacheRefresher implements Background {
  readonly #deps: RefresherDeps
  readonly #changedIds = new Set<string>()
  readonly #live: LiveEvents
  #running: Promise<void> | undefined

  constructor(deps: RefresherDeps) {
    this.#deps = deps
    this.#live = new LiveEvents(deps)
  }

  start(): void {
    this.#live.listen(TYPES, ({ aggregateId }) => {
      this.#changedIds.add(aggregateId)
      this.#running ??= this.#refresh()
    })
  }

  async stop(): Promise<void> {
    this.#live.stop()
    await this.#running
  }

  async #refresh(): Promise<void> {
    try {
      while (this.#changedIds.size > 0) {
        const ids = [...this.#changedIds]
        this.#changedIds.clear()
        await this.#deps.timelines.refresh(ids)
      }
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'timeline cache refresh failed')
    } finally {
      this.#running = undefined
    }
  }
}
