import type { AuditPage } from '@looptide/contracts/http/admin'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import { attempt, isGood, Tally } from './tally.ts'

const PATIENCE_MS = 15_000
const AUDIT_PATIENCE = { timeoutMs: 60_000 }

/** An admin at work: renames a channel again and again, each name a new one. */
export class Desk {
  readonly tally = new Tally()
  /** Names that the station has acknowledged. */
  readonly acknowledged: string[] = []
  readonly #url: string
  readonly #token: string
  readonly #channelId: string
  #working: Promise<void> | undefined
  #stopped = false

  constructor(stationUrl: string, token: string, channelId: string) {
    this.#url = stationUrl
    this.#token = token
    this.#channelId = channelId
  }

  start(everyMs: number): void {
    this.#working = this.#work(everyMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#working
  }

  async #work(everyMs: number): Promise<void> {
    for (let count = 1; !this.#stopped; count += 1) {
      await this.#rename(`Evening ${count}`)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
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
        PATIENCE_MS,
      )
      if (isGood(answer)) {
        this.acknowledged.push(name)
        this.tally.good(performance.now() - startedAtMs)
        return
      }
      if (answer.status >= 400 && answer.status < 500) throw new Error(`the desk was refused: ${answer.what}`)
      this.tally.bad(answer.what)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  get #headers() {
    return { authorization: `Bearer ${this.#token}` }
  }

  /** Each acknowledged name stands in the audit log, the last one is the channel's. The desk must have stopped. */
  async expectNothingLost(): Promise<void> {
    const missing = await until(
      'the audit log knows of every name',
      async () => {
        const known = await this.#auditedNames()
        const open = this.acknowledged.filter((name) => !known.has(name))
        return open.length === 0 && { open }
      },
      AUDIT_PATIENCE,
    )
    expect(missing.open).toEqual([])
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
