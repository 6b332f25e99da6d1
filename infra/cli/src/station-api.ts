import type { ErrorBody } from '@looptide/contracts/errors'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { away, CommandError, EXIT, usageError } from './exit-codes.ts'
import { required, type Settings } from './settings.ts'

type Query = Record<string, string | number | boolean | undefined>

/** A page of a list. */
interface PageOf<T> {
  items: T[]
  nextCursor: string | null
}

/** A resource, and the ETag with which it is changed. */
export interface Tagged<T> {
  value: T
  etag: string
}

const TIMEOUT_MS = 30_000
/** Planning a week for a large library may wait for other plans. */
const PLAN_TIMEOUT_MS = 120_000

/** The station's answer to a request that it refused. */
export class Refusal extends CommandError {
  readonly status: number
  readonly body: Partial<ErrorBody>
  constructor(message: string, status: number, body: Partial<ErrorBody>) {
    super(EXIT.fault, message)
    this.name = 'Refusal'
    this.status = status
    this.body = body
  }
}

/**
 * The station's API as an admin: its rules apply, and its audit log names the admin. Throws a {@link Refusal} (code 1),
 * and a CommandError with code 3 when the station does not answer.
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
    const session = await visitor.send<{ access_token: string }>(
      'POST',
      '/auth/v1/token?grant_type=password',
      { email, password },
    )
    return new StationApi(url, session.access_token, true)
  }

  async signOut(): Promise<void> {
    if (this.#isOwnSession) await this.#call('POST', '/auth/v1/logout?scope=local').catch(() => undefined)
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const url = given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
    return (await this.#call<T>('GET', url)).value
  }

  async send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    return (await this.#call<T>(method, path, { body })).value
  }

  /** Like {@link send}; the station may take two minutes to answer. */
  async plan<T>(path: string, body?: unknown, etag?: string): Promise<T> {
    return (await this.#call<T>('POST', path, { body, etag, timeoutMs: PLAN_TIMEOUT_MS })).value
  }

  getTagged<T>(path: string): Promise<Tagged<T>> {
    return this.#call('GET', path)
  }

  /** Replaces the version of a resource that has this ETag. Throws a {@link Refusal} with status 412 for another one. */
  putTagged<T>(path: string, body: unknown, etag: string): Promise<Tagged<T>> {
    return this.#call('PUT', path, { body, etag })
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

  async #call<T>(
    method: string,
    path: string,
    {
      body,
      etag,
      timeoutMs = TIMEOUT_MS,
    }: { body?: unknown; etag?: string | undefined; timeoutMs?: number } = {},
  ): Promise<Tagged<T>> {
    let response: Response
    try {
      response = await internalFetch(`${this.url}${path}`, {
        method,
        headers: {
          apikey: PUBLIC_API_KEY,
          ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(etag === undefined ? {} : { 'if-match': etag }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      throw away(`The station does not answer at ${this.url}.`, error)
    }
    const tag = response.headers.get('etag') ?? ''
    if (response.status === 204) return { value: undefined as T, etag: tag }
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return { value: answer as T, etag: tag }
    throw refusal(response.status, answer)
  }
}

function refusal(status: number, answer: unknown): Error {
  const body = (answer ?? {}) as Partial<ErrorBody> & { msg?: string; error_code?: string }
  const { error_code: authCode, code, message, msg, requestId } = body
  const said = message ?? msg ?? `status ${status}`
  const found = requestId === undefined ? '' : `, request ${requestId}`
  const text = `The station answered: ${said} (${authCode ?? code ?? status}${found})`
  return status >= 500 ? away(text) : new Refusal(text, status, body)
}
