import {
  type AnswerOf,
  type AnyInput,
  type Call,
  type CallArguments,
  requestOf,
  type SendCall,
} from '@looptide/contracts/client'
import { OPERATIONS } from '@looptide/contracts/operations/all'

/** The header of a request with an access token, for what {@link clientOf} cannot send. */
export const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` })

interface Options {
  /** The version that a write is based on. */
  ifMatch?: string | undefined
  /** Further headers. */
  headers?: Record<string, string>
}

const CALLS_AND_STATUSES = new Set(
  [...OPERATIONS.values()].flatMap(({ call, output }) =>
    Object.keys(output).map((status) => `${call} ${status}`),
  ),
)

/** An answer that is no success, or of a status that the operation does not define. */
class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
  readonly status: number
  /** The code in the body, if it has one. */
  readonly code: string | undefined

  constructor(call: Call, status: number, text: string) {
    super(`${call} answered ${status}: ${text}`)
    this.status = status
    this.code = /"code":"(\w+)"/.exec(text)?.[1]
  }
}

/** The typed client of a test. Requests that the types forbid are for `fetch`. */
export interface TestClient {
  /** Throws a `RefusedCall` at any status that is not one of the operation's successes. */
  call: SendCall<Options>
  /** Resolves to the answer, whatever its status is. */
  send<C extends Call>(call: C, ...inputAndOptions: CallArguments<C, Options>): Promise<Response>
}

/** A client of the station at `url`, as the user with this access token, or as a visitor. */
export function clientOf(url: string, token?: string): TestClient {
  const send = (call: Call, input: AnyInput = {}, { ifMatch, headers }: Options = {}): Promise<Response> => {
    const request = requestOf(call, input)
    const { body } = input
    const isBlob = body instanceof Blob
    return fetch(url + request.url, {
      method: request.method,
      headers: {
        ...(token !== undefined && bearerOf(token)),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(body !== undefined && { 'content-type': isBlob ? body.type : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isBlob ? body : JSON.stringify(body) }),
    })
  }
  const call = async <C extends Call>(name: C, input?: AnyInput, options?: Options): Promise<AnswerOf<C>> => {
    const response = await send(name, input, options)
    const text = await response.text()
    if (!CALLS_AND_STATUSES.has(`${name} ${response.status}`) || !response.ok)
      throw new RefusedCall(name, response.status, text)
    return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<C>
  }
  return { call, send } as TestClient
}
