import {
  type AnswerOf,
  type AnyInput,
  type Call,
  type CallArguments,
  type CallInput,
  type FileCall,
  requestOf,
  type SendCall,
  type VersionedCall,
} from '@looptide/contracts/client'
import { PROOF_OF_CODE, type ProofKind } from '../session/proof-prompt.ts'
import { ApiError, errorFromFailure, errorFromResponse } from './api-error.ts'

export interface RequestOptions {
  signal?: AbortSignal
  /** Sends no token. For responses that are the same for all users, so that caches can serve them. */
  anonymous?: boolean | undefined
  /** Default: 15,000 ms. */
  timeoutMs?: number
}
type AllOptions = RequestOptions & { ifMatch?: string | undefined }

/** An answer with the version of the resource, see {@link versionOf}. */
export interface Versioned<T> {
  body: T
  etag: string
}

/**
 * The client of the gateway. A call is `<method> <path>`, as operations are defined (`contracts/operations`). `ifMatch`
 * is the version that a write is based on: if the server has another one, it refuses with `precondition_failed`.
 */
interface Api {
  call: SendCall<RequestOptions>
  /** As `call`, with the version of the resource. */
  callVersioned: {
    <C extends VersionedCall>(
      call: C,
      ...inputAndOptions: CallArguments<C, RequestOptions>
    ): Promise<Versioned<AnswerOf<C>>>
    <C extends VersionedCall>(call: C, input: CallInput<C>): Promise<Versioned<AnswerOf<C>>>
  }
  /** As `call`, for answers that are a file. */
  callForFile: <C extends FileCall>(
    call: C,
    ...inputAndOptions: CallArguments<C, RequestOptions>
  ) => Promise<{ file: Blob; headers: Headers }>
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

const DEFAULT_TIMEOUT_MS = 15_000

/**
 * Creates the client of the gateway; `clients.ts` has the app's instance. Every method throws `ApiError`. Responses are
 * not validated.
 */
export function createApi(deps: ApiDependencies): Api {
  const send = async (call: Call, input?: AnyInput, options?: AllOptions): Promise<Response> => {
    try {
      return await sendRequest(deps, call, input, options)
    } catch (failure) {
      const kind = failure instanceof ApiError ? PROOF_OF_CODE[failure.code] : undefined
      if (kind === undefined || !(await deps.confirm(kind))) throw failure
      return sendRequest(deps, call, input, options)
    }
  }
  const client = {
    call: async (call: Call, input?: AnyInput, options?: AllOptions) =>
      readJson(await send(call, input, options)),
    callVersioned: async (call: Call, input?: AnyInput, options?: AllOptions) => {
      const response = await send(call, input, options)
      return { body: await readJson(response), etag: versionOf(response) }
    },
    callForFile: async (call: Call, input?: AnyInput, options?: AllOptions) => {
      const response = await send(call, input, options)
      const file = await response.blob().catch((failure: unknown) => {
        throw errorFromFailure(failure)
      })
      return { file, headers: response.headers }
    },
  }
  return client as Api
}

/** Resolves to a response with a 2xx status. */
async function sendRequest(
  deps: ApiDependencies,
  call: Call,
  input: AnyInput = {},
  options: AllOptions = {},
): Promise<Response> {
  const { method, url } = requestOf(call, input)
  const headers: Record<string, string> = { accept: 'application/json' }
  const token = options.anonymous ? null : await deps.accessToken()
  // Otherwise errors of the auth protocol have its former format.
  if (url.startsWith('/auth/v1/')) headers['x-supabase-api-version'] = '2024-01-01'
  if (token) headers.authorization = `Bearer ${token}`
  const body = encode(input.body)
  if (body) headers['content-type'] = body.type
  if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const response = await deps
    .fetch(url, {
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
