import type { NowState } from '@looptide/contracts/http/channels'
import { attempt, isGood, Tally } from './tally.ts'

const TIMEOUT_MS = 15_000
/** Accepted difference between the station's clock and ours, which run on one machine, in ms. */
const CLOCK_TOLERANCE_MS = 3000

/** Polls the current programme over HTTP and checks each response. */
export class Reader {
  readonly tally = new Tally()
  /** Responses with contradictory contents. */
  readonly nonsense: string[] = []
  readonly #url: string
  #reading: Promise<void> | undefined
  #stopped = false

  constructor(stationUrl: string, channelId: string) {
    this.#url = `${stationUrl}/api/channels/${channelId}/now`
  }

  start(everyMs: number): void {
    this.#reading = this.#read(everyMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#reading
  }

  async #read(everyMs: number): Promise<void> {
    let since = performance.now()
    while (!this.#stopped) {
      const sentAtMs = Date.now()
      const answer = await attempt(this.#url, {}, TIMEOUT_MS)
      if (isGood(answer)) {
        this.#check(answer.body as NowState, sentAtMs)
        this.tally.good(performance.now() - since)
      } else this.tally.bad(answer.what)
      if (isGood(answer)) since = performance.now() + everyMs
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  #check({ serverNowMs, programmes }: NowState, sentAtMs: number): void {
    // The answer may have been written at any time between the request and now: a slow one is not a wrong clock.
    const offMs = serverNowMs - Math.min(Math.max(serverNowMs, sentAtMs), Date.now())
    if (Math.abs(offMs) > CLOCK_TOLERANCE_MS) this.nonsense.push(`the station's clock is off by ${offMs} ms`)
    const [onAir] = programmes
    if (onAir === undefined) this.nonsense.push('nothing is on')
    else if (onAir.startsAtMs > serverNowMs || onAir.endsAtMs <= serverNowMs)
      this.nonsense.push(`programme ${onAir.seq} is not on now`)
  }
}
