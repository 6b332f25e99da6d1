import type { EventType } from '@looptide/contracts/events'
import { LiveEvents, type LiveEventsDeps } from '@looptide/service-kit/live-events'
import type { Background } from '@looptide/service-kit/run-service'
import type { TimelineMemory } from './timeline-memory.ts'

/** Events after which the memory of a channel is out of date. */
const TYPES: readonly EventType[] = [
  'stream.timeline.changed.v1',
  'stream.timeline.extended.v1',
  'stream.status.changed.v1',
  'stream.channel.created.v1',
  'stream.channel.updated.v1',
  'stream.channel.deleted.v1',
]

interface RefreshDeps extends LiveEventsDeps {
  memory: TimelineMemory
}

/**
 * Brings memory up to date when another replica has changed a channel, within milliseconds. Whoever misses an
 * event sees the change at the next look at the database.
 */
export class EventRefresh implements Background {
  readonly #deps: RefreshDeps
  readonly #changed = new Set<string>()
  readonly #live: LiveEvents
  #running: Promise<void> | undefined

  constructor(deps: RefreshDeps) {
    this.#deps = deps
    this.#live = new LiveEvents(deps)
  }

  start(): void {
    this.#live.listen(TYPES, ({ aggregateId }) => {
      this.#changed.add(aggregateId)
      this.#running ??= this.#refresh()
    })
  }

  async stop(): Promise<void> {
    this.#live.stop()
    await this.#running
  }

  async #refresh(): Promise<void> {
    try {
      while (this.#changed.size > 0) {
        const ids = [...this.#changed]
        this.#changed.clear()
        await this.#deps.memory.refresh(ids)
      }
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'memory is refreshed later')
    } finally {
      this.#running = undefined
    }
  }
}
