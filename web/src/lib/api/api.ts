import type { ProofKind } from '../session/proof-prompt.ts'
import { ApiError, errorFromFailure, errorFromResponse } from './api-error.ts'

export type QueryValue = string | number | boolean | undefined
export interface RequestOptions {
  query?: Record<string, QueryValue>
  body?: unknown
  signal?: AbortSignal
  /** Sends no token. For responses that are the same for all users, so that caches can serve them. */
  anonymous?: boolean
  /** The version that a write is based on. If the server has another one, it refuses with `precondition_failed`. */
  ifMatch?: string
  /** Default: 15,000 ms. */
  timeoutMs?: number
}

export interface ApiDependencies {
  fetch: typeof fetch
  /** A valid access token, or null when signed out. */
  accessToken: () => Promise<string | null>
  /** Called when the server refuses the token: the session may have ended. */
  onTokenRefused: () => void
  /** Asks for a proof of identity. Resolves to whether the user has proved it. */
  confirm: (kind: ProofKind) => Promise<boolean>
  nowMs: () => number
}

/** The refusals after which a request is repeated once the user has proved the identity. */
const PROOF_OF_CODE: Partial<Record<string, ProofKind>> = {
  second_factor_outdated: 'factor',
  recent_sign_in_required: 'sign-in',
}

const DEFAULT_TIMEOUT_MS = 15_000

/**
 * Creates the client of the gateway's `/api`; `clients.ts` has the app's instance. Every method throws `ApiError`.
 * Responses are not validated.
 */
export function createApi(deps: ApiDependencies) {
  const send = async (method: string, path: string, options: RequestOptions): Promise<Response> => {
    try {
      return await sendRequest(deps, method, path, options)
    } catch (failure) {
      const kind = failure instanceof ApiError ? PROOF_OF_CODE[failure.code] : undefined
      if (kind === undefined || !(await deps.confirm(kind))) throw failure
      return sendRequest(deps, method, path, options)
    }
  }
  const request = async <T>(method: string, path: string, options: RequestOptions = {}): Promise<T> =>
    (await readJson(await send(method, path, options))) as T

  return {
    get: <T>(path: string, options?: RequestOptions) => request<T>('GET', path, options),
    /** A read that also returns the version of the resource, see {@link versionOf}. */
    getVersioned: async <T>(
      path: string,
      options: RequestOptions = {},
    ): Promise<{ body: T; etag: string }> => {
      const response = await send('GET', path, options)
      return { body: (await readJson(response)) as T, etag: versionOf(response) }
    },
    post: <T>(path: string, body?: unknown, options?: RequestOptions) =>
      request<T>('POST', path, { ...options, body }),
    /** For endpoints that return a file. */
    postForFile: async (
      path: string,
      body: unknown,
      options?: RequestOptions,
    ): Promise<{ file: Blob; headers: Headers }> => {
      const response = await send('POST', path, { ...options, body })
      const file = await response.blob().catch((failure: unknown) => {
        throw errorFromFailure(failure)
      })
      return { file, headers: response.headers }
    },
    put: <T>(path: string, body: unknown, options?: RequestOptions) =>
      request<T>('PUT', path, { ...options, body }),
    /** A write that also returns the new version. */
    putVersioned: async <T>(
      path: string,
      body: unknown,
      options?: RequestOptions,
    ): Promise<{ body: T; etag: string }> => {
      const response = await send('PUT', path, { ...options, body })
      return { body: (await readJson(response)) as T, etag: versionOf(response) }
    },
    patch: <T>(path: string, body: unknown, options?: RequestOptions) =>
      request<T>('PATCH', path, { ...options, body }),
    delete: <T>(path: string, options?: RequestOptions) => request<T>('DELETE', path, options),
  }
}

/** Resolves to a response with a 2xx status. */
async function sendRequest(
  deps: ApiDependencies,
  method: string,
  path: string,
  options: RequestOptions,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  const token = options.anonymous ? null : await deps.accessToken()
  if (token) headers.authorization = `Bearer ${token}`
  const body = encode(options.body)
  if (body) headers['content-type'] = body.type
  if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const response = await deps
    .fetch(withQuery(path, options.query), {
      method,
      headers,
      ...(body ? { body: body.content } : {}),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    })
    .catch((failure: unknown) => {
      throw errorFromFailure(failure)
    })
  if (response.ok) return response
  const error = errorFromResponse(
    response.status,
    response.headers,
    await readJson(response).catch(() => undefined),
    deps.nowMs(),
  )
  if (token && response.status === 401) deps.onTokenRefused()
  throw error
}

/** The version in `ETag`, or an empty string. A compressing proxy marks it as weak; the version is the same. */
const versionOf = ({ headers }: Response): string => (headers.get('etag') ?? '').replace(/^W\//, '')

/** A `Blob` is sent unchanged, anything else as JSON. */
function encode(body: unknown): { type: string; content: Blob | string } | undefined {
  if (body === undefined) return undefined
  if (body instanceof Blob) return { type: body.type, content: body }
  return { type: 'application/json', content: JSON.stringify(body) }
}

/** Appends the defined parameters to the path. */
export function withQuery(path: string, query: Record<string, QueryValue> | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text().catch((failure: unknown) => {
    throw errorFromFailure(failure)
  })
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError({
      status: response.status,
      code: 'unreadable_answer',
      message: 'The server sent an invalid response.',
      cause,
    })
  }
}
