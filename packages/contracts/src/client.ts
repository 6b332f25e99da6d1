import type { Static, TSchema } from 'typebox'
import type { FileOutput, InputOf, OutputOf } from './operation.ts'
import type { DEFINED } from './operations/all.ts'

// What the typed clients share: the web app's, the operator's and the tests'. The definitions of the operations are
// imported as types only, so that no schema reaches a bundle.

type ValueOf<T> = T extends unknown ? T[keyof T] : never
type Defined = ValueOf<(typeof DEFINED)[number]>
type Public = Exclude<Defined, { audience: 'internal' }>
type ByCall = { [O in Public as O['call']]: O }

/** Method and path of an operation that the gateway routes, such as `GET /api/channels/:id/now`. */
export type Call = keyof ByCall
export type ReadCall = Extract<Call, `GET ${string}`>

/** The calls whose answer names the version of the resource (`ETag`). */
export type VersionedCall = {
  [C in Call]: ByCall[C] extends { versioned: infer V extends readonly string[] }
    ? 'ETag' extends V[number]
      ? C
      : never
    : never
}[Call]

/** The calls whose answer is a file. */
export type FileCall = { [C in Call]: ByCall[C] extends { output: { 200: FileOutput } } ? C : never }[Call]

type BodyOf<O extends Public> = O extends { input: { body: infer S extends TSchema } }
  ? Static<S>
  : O extends { consumes: readonly string[] }
    ? Blob
    : undefined
/** A property for a part of the input, which the operation may not have. */
type Part<Name extends string, T> = [T] extends [undefined] ? { [N in Name]?: undefined } : { [N in Name]: T }
type QueryPart<T> = object extends T ? { query?: T } : Part<'query', T>
type Input<O extends Public> = Part<'params', InputOf<O, 'params'>> &
  QueryPart<InputOf<O, 'query'>> &
  Part<'body', BodyOf<O>>

/** What an operation is called with: `params` of the path, `query` and `body`, as far as it has them. */
export type CallInput<C extends Call> = Input<ByCall[C]>

type IfMatch<O> = O extends { versioned: infer V extends readonly string[] }
  ? 'If-Match' extends V[number]
    ? { ifMatch?: string | undefined }
    : unknown
  : unknown

/**
 * The arguments of a client's method after the call: the input, which can be left out if nothing in it is required, and
 * the client's `Options`, with `ifMatch` (the version that a write is based on) if the operation knows it.
 */
export type CallArguments<C extends Call, Options> =
  object extends CallInput<C>
    ? [input?: CallInput<C>, options?: Options & IfMatch<ByCall[C]>]
    : [input: CallInput<C>, options?: Options & IfMatch<ByCall[C]>]

type Answer<O extends Public> = O extends unknown
  ? {
      [S in keyof O['output'] & number]: `${S}` extends `2${string}` ? OutputOf<O, S> : never
    }[keyof O['output'] & number]
  : never

/** The body of a successful answer, of any status: `undefined` if it has none, `unknown` if it is a file. */
export type AnswerOf<C extends Call> = Answer<ByCall[C]>

/** The method of a typed client that sends a call and resolves to the body of the answer. */
export interface SendCall<Options> {
  <C extends Call>(call: C, ...inputAndOptions: CallArguments<C, Options>): Promise<AnswerOf<C>>
  // For code that works with any call: there, the compiler cannot evaluate `CallArguments`.
  <C extends Call>(call: C, input: CallInput<C>, options?: Options): Promise<AnswerOf<C>>
}

/** A page of a list; `nextCursor` is null on the last one. */
export interface PageOf<Item> {
  items: Item[]
  nextCursor: string | null
}

/** The item of an answer that is a page of a list. */
export type ItemOf<C extends Call> = AnswerOf<C> extends PageOf<infer Item> ? Item : never

/** The input of any call. */
export interface AnyInput {
  params?: Readonly<Record<string, string | number>> | undefined
  query?: object | undefined
  body?: unknown
}

/** Method and URL of a call: the path with its params, and the parameters of the query that are defined. */
export function requestOf(
  call: Call,
  { params = {}, query = {} }: AnyInput = {},
): { method: string; url: string } {
  const [method = '', path = ''] = call.split(' ')
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { method, url: given.length === 0 ? url : `${url}?${new URLSearchParams(given)}` }
}
