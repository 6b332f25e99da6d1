import type { AuditPage } from '@looptide/contracts/http/admin'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import { attempt, isGood, Tally } from './tally.ts'

const REQUEST_TIMEOUT_MS = 15_000
const AUDIT_WAIT = { timeoutMs: 60_000 }

/** Load generator: an admin who renames a channel repeatedly, each time to a new name. */
export class ChannelRenamer {
  readonly tally = new Tally()
  /** Names that the server has acknowledged. */
  readonly acknowledged: string[] = []
  readonly #url: string
  readonly #token: string
  readonly #channelId: string
  #loop: Promise<void> | undefined
  #stopped = false

  constructor(stationUrl: string, token: string, channelId: string) {
    this.#url = stationUrl
    this.#token = token
    this.#channelId = channelId
  }

  start(intervalMs: number): void {
    this.#loop = this.#run(intervalMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#loop
  }

  async #run(intervalMs: number): Promise<void> {
    for (let count = 1; !this.#stopped; count += 1) {
      await this.#rename(`Evening ${count}`)
      await new Promise((resolve) => setTimeout(resolve, intervalMs))
    }
  }

  async #rename(name: string): Promise<void> {
    const startedAtMs = performance.now()
    for (;;) {
      const answer = await attempt(
        `${this.#url}/api/channels/${this.#channelId}`,
        {
          method: 'PATCH',
          headers: { ...this.#headers, 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        },
        REQUEST_TIMEOUT_MS,
      )
      if (isGood(answer)) {
        this.acknowledged.push(name)
        this.tally.good(performance.now() - startedAtMs)
        return
      }
      if (answer.status >= 400 && answer.status < 500)
        throw new Error(`the rename was rejected: ${answer.what}`)
      this.tally.bad(answer.what)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  get #headers() {
    return bearerOf(this.#token)
  }

  /** Expects every acknowledged name in the audit log. Call it after {@link stop}. */
  async expectNothingLost(): Promise<void> {
    const missing = await until(
      'the audit log contains every acknowledged name',
      async () => {
        const logged = await this.#auditedNames()
        const unlogged = this.acknowledged.filter((name) => !logged.has(name))
        return unlogged.length === 0 && { unlogged }
      },
      AUDIT_WAIT,
    )
    expect(missing.unlogged).toEqual([])
  }

  async #auditedNames(): Promise<Set<string>> {
    const names = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const response = await fetch(`${this.#url}/api/audit?action=channel.update&limit=100${query}`, {
        headers: this.#headers,
      })
      if (!response.ok) throw new Error(`the audit log answered ${response.status}`)
      const page = (await response.json()) as AuditPage
      for (const { after } of page.items) {
        if (after !== null && typeof after === 'object' && 'name' in after) names.add(String(after.name))
      }
      cursor = page.nextCursor
    }
    return names
  }
}
