import {
  type AnswerOf,
  type AnyInput,
  type Call,
  type CallArguments,
  type CallInput,
  type ItemOf,
  type PageOf,
  type ReadCall,
  requestOf,
  type SendCall,
  type VersionedCall,
} from '@looptide/contracts/client'
import type { ErrorBody } from '@looptide/contracts/errors'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { away, CommandError, EXIT, usageError } from './exit-codes.ts'
import { required, type Settings } from './settings.ts'

interface Options {
  /** Default: 30 seconds. */
  timeoutMs?: number
}

/** A resource, and the ETag with which it is changed. */
export interface Tagged<T> {
  value: T
  etag: string
}

const TIMEOUT_MS = 30_000
/** Options of calls that plan: a week of a large library may wait for other plans. */
export const PLAN: Options = { timeoutMs: 120_000 }

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

  /** Without an account. */
  static visit(settings: Settings): StationApi {
    return new StationApi(required(settings.url, 'LOOPTIDE_URL'), '', false)
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
    const visitor = StationApi.visit(settings)
    const session = await visitor.call('POST /auth/v1/token', {
      query: { grant_type: 'password' },
      body: { email, password },
    })
    return new StationApi(url, session.access_token, true)
  }

  async signOut(): Promise<void> {
    if (!this.#isOwnSession) return
    await this.call('POST /auth/v1/logout', { query: { scope: 'local' } }).catch(() => undefined)
  }

  readonly call = (async (call: Call, input?: AnyInput, options?: Options) =>
    (await this.#send(call, input, options)).value) as SendCall<Options>

  /** As `call`, with the ETag. With `ifMatch`, throws a {@link Refusal} with status 412 if it is not the current one. */
  callVersioned<C extends VersionedCall>(
    call: C,
    ...[input, options]: CallArguments<C, Options>
  ): Promise<Tagged<AnswerOf<C>>> {
    return this.#send(call, input, options) as Promise<Tagged<AnswerOf<C>>>
  }

  /** All items of a list, page by page. */
  async *list<C extends ReadCall>(call: C, input: CallInput<C>): AsyncGenerator<ItemOf<C>> {
    const { query, ...rest }: AnyInput = input
    let cursor: string | undefined
    do {
      const { value } = await this.#send(call, { ...rest, query: { ...query, cursor } })
      const page = value as PageOf<ItemOf<C>>
      yield* page.items
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  async #send(
    call: Call,
    input: AnyInput = {},
    { ifMatch, timeoutMs = TIMEOUT_MS }: Options & { ifMatch?: string | undefined } = {},
  ): Promise<Tagged<unknown>> {
    const { method, url } = requestOf(call, input)
    const { body } = input
    let response: Response
    try {
      response = await internalFetch(`${this.url}${url}`, {
        method,
        headers: {
          apikey: PUBLIC_API_KEY,
          ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      throw away(`The station does not answer at ${this.url}.`, error)
    }
    const tag = response.headers.get('etag') ?? ''
    if (response.status === 204) return { value: undefined, etag: tag }
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return { value: answer, etag: tag }
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
