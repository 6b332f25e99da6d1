import type { ErrorBody } from '@looptide/contracts/errors'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { away, fault, usageError } from './exit-codes.ts'
import { required, type Settings } from './settings.ts'

type Query = Record<string, string | number | boolean | undefined>

/** A page of a list. */
interface PageOf<T> {
  items: T[]
  nextCursor: string | null
}

const TIMEOUT_MS = 30_000

/**
 * The station's API as an admin: its rules apply, and its audit log names the admin. Throws a CommandError for a
 * refusal (code 1) and when the station does not answer (code 3).
 */
export class StationApi {
  readonly url: string
  readonly #token: string
  /** The session was created here, so it is ended here. */
  readonly #isOwnSession: boolean

  constructor(url: string, token: string, isOwnSession: boolean) {
    this.url = url.replace(/\/$/, '')
    this.#token = token
    this.#isOwnSession = isOwnSession
  }

  static async signIn(settings: Settings): Promise<StationApi> {
    const url = required(settings.url, 'LOOPTIDE_URL')
    if (settings.token !== undefined) return new StationApi(url, settings.token, false)
    const { email, password } = settings
    if (email === undefined || password === undefined) {
      throw usageError(
        'Set LOOPTIDE_ADMIN_EMAIL and LOOPTIDE_ADMIN_PASSWORD, or LOOPTIDE_TOKEN (an access token).',
      )
    }
    const visitor = new StationApi(url, '', false)
    const session = await visitor.#call<{ access_token: string }>(
      'POST',
      '/auth/v1/token?grant_type=password',
      {
        email,
        password,
      },
    )
    return new StationApi(url, session.access_token, true)
  }

  async signOut(): Promise<void> {
    if (this.#isOwnSession) await this.#call('POST', '/auth/v1/logout?scope=local').catch(() => undefined)
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return this.#call('GET', given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`)
  }

  send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    return this.#call(method, path, body)
  }

  /** All items of a list, page by page. */
  async *list<T>(path: string, query: Query = {}): AsyncGenerator<T> {
    let cursor: string | undefined
    do {
      const page = await this.get<PageOf<T>>(path, { ...query, cursor })
      yield* page.items
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    let response: Response
    try {
      response = await fetch(`${this.url}${path}`, {
        method,
        headers: {
          apikey: PUBLIC_API_KEY,
          ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch (error) {
      throw away(`The station does not answer at ${this.url}.`, error)
    }
    if (response.status === 204) return undefined as T
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return answer as T
    throw refusal(response.status, answer)
  }
}

function refusal(status: number, answer: unknown): Error {
  const { code, message, msg, requestId } = (answer ?? {}) as Partial<ErrorBody> & { msg?: string }
  const said = message ?? msg ?? `status ${status}`
  const found = requestId === undefined ? '' : `, request ${requestId}`
  const text = `The station answered: ${said} (${code ?? status}${found})`
  return status >= 500 ? away(text) : fault(text)
}
