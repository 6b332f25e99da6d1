import type { Audience, InputOf, Operation, OutputOf } from '@looptide/contracts/operation'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type CauseOfRequest, causeOf } from '../audit/audit.ts'
import { type ExpectedVersion, expectedVersion } from '../http/conditional.ts'
import { type RequestUser, signedIn } from '../identity/request-user.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name in logs and metrics: `<owner>.<entity>.<verb>`. */
    operation?: string
    /** Absent on routes that are no operations: probes, pages, proxied paths. */
    definition?: Operation
  }
}

/** The user of a request: null for a visitor, whom only operations for anyone admit. */
type UserOf<O extends Operation> =
  O['audience'] extends Exclude<Audience, 'user' | `${string}:${string}`> ? RequestUser | null : RequestUser

/** The version in `If-Match`, for operations that accept it. */
type ExpectedOf<O extends Operation> = O extends { versioned: readonly (infer V)[] }
  ? 'If-Match' extends V
    ? ExpectedVersion
    : never
  : never

/** One call of an operation, with its validated input. Handlers take from it what they need; each part is made on demand. */
export class Call<O extends Operation> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.reply = reply
  }

  get params(): InputOf<O, 'params'> {
    return this.request.params as InputOf<O, 'params'>
  }

  get query(): InputOf<O, 'query'> {
    return this.request.query as InputOf<O, 'query'>
  }

  get body(): InputOf<O, 'body'> {
    return this.request.body as InputOf<O, 'body'>
  }

  get user(): UserOf<O> {
    const { audience } = this.request.routeOptions.config.definition ?? {}
    const mayBeVisitor = audience === 'anyone' || audience === 'internal' || audience === 'service-key'
    return (mayBeVisitor ? this.request.user : signedIn(this.request)) as UserOf<O>
  }

  /** The cause of events that the call writes: its user and its id. */
  get cause(): CauseOfRequest {
    return causeOf(this.request)
  }

  get expected(): ExpectedOf<O> {
    return expectedVersion(this.request) as ExpectedOf<O>
  }
}

/** An answer with a status and headers of its own. */
class Answer<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers: AnswerHeaders

  constructor(status: Status, body: Body, headers: AnswerHeaders) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

type AnswerHeaders = Readonly<Record<string, string | number>>

/** Answers with this status, in an operation that has several, or with headers. */
export const answer = <const Status extends number, Body>(
  status: Status,
  body: Body,
  headers: AnswerHeaders = {},
): Answer<Status, Body> => new Answer(status, body, headers)

type Status<O extends Operation> = keyof O['output'] & number
type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never
/** A plain body is the answer with the single status; without a body, nothing is returned. */
type PlainAnswer<O extends Operation> =
  IsUnion<Status<O>> extends false
    ? OutputOf<O, Status<O>> extends undefined
      ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result
        void
      : OutputOf<O, Status<O>>
    : never
type AnswerWithStatus<O extends Operation> = {
  [S in Status<O>]: Answer<S, OutputOf<O, S>>
}[Status<O>]

/** What a handler returns: the body, an answer with a status, or the reply that it has sent itself (files, redirects). */
type Result<O extends Operation> = PlainAnswer<O> | AnswerWithStatus<O> | FastifyReply

type RouteHooks = Pick<RouteShorthandOptions, 'onRequest' | 'preValidation'>

/** An operation with its handler. */
export interface Route {
  readonly operation: Operation
  readonly hooks: RouteHooks
  /** Answers a request. The validated input is that of the operation. */
  handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

/** Binds a handler to an operation. `hooks` run after those of access. */
export function route<O extends Operation>(
  operation: O,
  handler: (call: Call<O>) => Result<O> | Promise<Result<O>>,
  hooks: RouteHooks = {},
): Route {
  const [status, ...others] = Object.keys(operation.output).map(Number)
  return {
    operation,
    hooks,
    handle: async (request, reply) => {
      const result = await handler(new Call<O>(request, reply))
      if (result === reply || reply.sent) return reply
      if (result instanceof Answer) {
        const { status: chosen, headers, body } = result as Answer<number, unknown>
        return reply.status(chosen).headers(headers).send(body)
      }
      if (status === undefined || others.length > 0)
        throw new Error(`${operation.name} has several answers: return answer(status, body)`)
      return reply.status(status).send(result)
    },
  }
}

/**
 * Binds a handler to an operation of a protocol whose answers have the protocol's own shapes: the definition describes
 * them, and neither filters nor checks what the handler returns.
 */
export const protocolRoute = <O extends Operation>(
  operation: O,
  handler: (call: Call<O>) => unknown,
  hooks: RouteHooks = {},
): Route => route(operation, handler as (call: Call<O>) => Promise<Result<O>>, hooks)
