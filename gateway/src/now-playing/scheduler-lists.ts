import { type AirLogEntry, AirLogPage, Channel } from '@looptide/contracts/http/channels'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { LRUCache } from 'lru-cache'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { SharedResponses } from '../fast-path/shared-responses.ts'

/** The fields of a channel that answers use. */
const Listed = Type.Pick(Channel, ['id', 'name', 'description'])
export type ListedChannel = Static<typeof Listed>
const ListedPage = Type.Object({ items: Type.Array(Listed) })

/** Past programmes that are kept of a channel: as many as a feed has. */
const MAX_HISTORY = 50
const MAX_HISTORIES = 200
/** Age after which a history is loaded again although the same programme is on the air, in ms. */
const HISTORY_TTL_MS = 60_000
/** The same after a load that has failed. */
const RETRY_MS = 2000

interface History {
  /** The programme that was on the air. */
  during: string | null
  loadAgainAtMs: number
  entries: Promise<readonly AirLogEntry[]>
}

interface SchedulerListsDeps {
  shared: Pick<SharedResponses, 'load'>
  /** Wall clock, epoch ms. */
  now: () => number
}

/**
 * The active channels and the air logs, from the shared answers of the scheduler. While it is down, the last ones are used.
 * An air log is loaded once for each programme, whatever the number of clients.
 */
export class SchedulerLists {
  readonly #deps: SchedulerListsDeps
  readonly #histories = new LRUCache<string, History>({ max: MAX_HISTORIES })
  #channels: readonly ListedChannel[] = []
  #channelsText = ''

  constructor(deps: SchedulerListsDeps) {
    this.#deps = deps
  }

  /** The active channels by position. */
  async channels(): Promise<readonly ListedChannel[]> {
    const text = await this.#load('/api/channels')
    if (text === undefined || text === this.#channelsText) return this.#channels
    const page = parseJson(Buffer.from(text))
    if (Check(ListedPage, page)) {
      this.#channels = page.items
      this.#channelsText = text
    }
    return this.#channels
  }

  /** Past programmes, newest first, and maybe the current one. `during`: the id of the current programme. */
  history(channelId: string, during: string | null): Promise<readonly AirLogEntry[]> {
    const nowMs = this.#deps.now()
    const known = this.#histories.get(channelId)
    if (known !== undefined && known.during === during && nowMs < known.loadAgainAtMs) return known.entries
    const history: History = {
      during,
      loadAgainAtMs: nowMs + HISTORY_TTL_MS,
      entries: this.#loadHistory(channelId).then(async (entries) => {
        if (entries !== undefined) return entries
        history.loadAgainAtMs = nowMs + RETRY_MS
        return (await known?.entries) ?? []
      }),
    }
    this.#histories.set(channelId, history)
    return history.entries
  }

  async #loadHistory(channelId: string): Promise<readonly AirLogEntry[] | undefined> {
    const path = `/api/channels/${encodeURIComponent(channelId)}/air-log?limit=${MAX_HISTORY}`
    const text = await this.#load(path, 'air-log')
    const page = text === undefined ? undefined : parseJson(Buffer.from(text))
    return Check(AirLogPage, page) ? page.items : undefined
  }

  /** The text of the scheduler's answer to visitors; undefined while it does not answer. */
  async #load(path: string, group?: 'air-log'): Promise<string | undefined> {
    const rule = { pattern: /^/, ...(group === undefined ? {} : { group }) }
    return (await this.#deps.shared.load('stream-scheduler', rule, path, {}))?.text.body
  }
}
