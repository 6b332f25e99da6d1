import { bearerOf } from '@looptide/testkit/client'
import { Pool } from 'undici'
import type { HostileRequest, Requester } from './requests.ts'

/** A response, or the lack of one. */
export interface Answer {
  /** 0 without a response. */
  status: number
  type: string
  text: string
  headers: Record<string, string | string[] | undefined>
}

/** Time limit for a response, in ms. Longer than the time limits between services. */
const HANG_MS = 15_000
const AT_ONCE = 24

/** Sends requests to a station, several at once, over kept-alive connections. */
export class Sender {
  readonly #tokens: Partial<Record<Requester, string>>
  readonly #pool: Pool

  constructor(stationUrl: string, tokens: Partial<Record<Requester, string>>) {
    const limits = { headersTimeout: HANG_MS, bodyTimeout: HANG_MS }
    this.#pool = new Pool(stationUrl, { connections: AT_ONCE, ...limits })
    this.#tokens = tokens
  }

  send(one: HostileRequest): Promise<Answer> {
    return this.sendBytes(one, one.body)
  }

  /** As above, with another body. */
  async sendBytes(
    { requester, method, path, headers }: HostileRequest,
    body: string | Buffer | undefined,
  ): Promise<Answer> {
    const token = this.#tokens[requester]
    try {
      const response = await this.#pool.request({
        method: method as 'GET',
        path,
        headers: { ...(token === undefined ? {} : bearerOf(token)), ...headers },
        body,
      })
      const type = String(response.headers['content-type'] ?? '')
      // These never end.
      const isStream = type === 'text/event-stream'
      const text = isStream ? '' : await response.body.text()
      if (isStream) response.body.destroy()
      return { status: response.statusCode, type, text, headers: response.headers }
    } catch (error) {
      return { status: 0, type: '', text: String(error), headers: {} }
    }
  }

  /** Sends all requests. Returns the faults that `faultsIn` finds, each with its request. */
  async findFaults(
    requests: readonly HostileRequest[],
    faultsIn: (request: HostileRequest, answer: Answer) => string[],
  ): Promise<string[]> {
    const faults: string[] = []
    const open = requests.values()
    const work = async (): Promise<void> => {
      for (const one of open) {
        const answer = await this.send(one)
        for (const fault of faultsIn(one, answer))
          faults.push(`${fault}\n  ${described(one)}\n  ${answer.status} ${answer.text.slice(0, 400)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return faults
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

const described = ({ requester, method, path, headers, body }: HostileRequest): string =>
  `${requester}: ${method} ${path.slice(0, 500)} ${JSON.stringify(headers)} ${body === undefined ? '' : JSON.stringify(body.slice(0, 1000))}`
