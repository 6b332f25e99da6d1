import { Pool } from 'undici'
import type { Asker, HostileRequest } from './requests.ts'

/** What came back, or that nothing did. */
export interface Answer {
  /** 0 when there was none. */
  status: number
  type: string
  text: string
  headers: Record<string, string | string[] | undefined>
}

/** A request that is not answered within this hangs, in ms: a service gives up on another sooner. */
const HANG_MS = 15_000
const AT_ONCE = 24

/** Sends requests to a station, many at once and over connections that are kept open. */
export class Sender {
  readonly #tokens: Partial<Record<Asker, string>>
  readonly #pool: Pool

  constructor(stationUrl: string, tokens: Partial<Record<Asker, string>>) {
    const limits = { headersTimeout: HANG_MS, bodyTimeout: HANG_MS }
    this.#pool = new Pool(stationUrl, { connections: AT_ONCE, ...limits })
    this.#tokens = tokens
  }

  send(one: HostileRequest): Promise<Answer> {
    return this.sendBytes(one, one.body)
  }

  /** The same with another body. */
  async sendBytes(
    { asker, method, path, headers }: HostileRequest,
    body: string | Buffer | undefined,
  ): Promise<Answer> {
    const token = this.#tokens[asker]
    try {
      const response = await this.#pool.request({
        method: method as 'GET',
        path,
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
        body,
      })
      const text = await response.body.text()
      const type = String(response.headers['content-type'] ?? '')
      return { status: response.statusCode, type, text, headers: response.headers }
    } catch (error) {
      return { status: 0, type: '', text: String(error), headers: {} }
    }
  }

  /** Sends them all; answers what `judge` finds wrong, with the request. */
  async findFaults(
    requests: readonly HostileRequest[],
    judge: (request: HostileRequest, answer: Answer) => string[],
  ): Promise<string[]> {
    const faults: string[] = []
    const open = requests.values()
    const work = async (): Promise<void> => {
      for (const one of open) {
        const answer = await this.send(one)
        for (const fault of judge(one, answer))
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

const described = ({ asker, method, path, headers, body }: HostileRequest): string =>
  `${asker}: ${method} ${path.slice(0, 500)} ${JSON.stringify(headers)} ${body === undefined ? '' : JSON.stringify(body.slice(0, 1000))}`
