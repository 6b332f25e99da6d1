import { type Static, type TSchema, Type } from 'typebox'
import type { Permission } from './permissions.ts'
import type { Proof, ProofRule } from './proofs.ts'
import type { TokenScope } from './token-scopes.ts'

/**
 * Who may call an operation: anyone, signed-in users, users with a permission, the operator with the service key, or
 * other services (the gateway does not route these).
 */
export type Audience = 'anyone' | 'user' | Permission | 'service-key' | 'internal'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The answers that the gateway keeps in memory, because they are the same for all clients. */
export interface SharedRule {
  /** A query parameter with which the answer is not the same for all. */
  readonly unless?: string
  /** Users with this permission get another answer. */
  readonly differsFor?: Permission
  /** Answers that become outdated at other times than the rest of the service's. */
  readonly group?: 'air-log'
}

/** An answer of another type than JSON: a feed, a file or a picture. */
export interface FileOutput {
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>
}

/** Everything that is true of one operation, and nowhere else. Derived from it: routes, access, OpenAPI, clients. */
export interface Operation {
  /** The name in logs and metrics: `<owner>.<entity>.<verb>`. */
  readonly name: string
  readonly summary: string
  /** Method and path, by which clients name the operation. */
  readonly call: `${Method} /${string}`
  readonly audience: Audience
  /** The scope that a personal access token needs; `session-only` refuses every token. */
  readonly token: TokenScope | 'session-only'
  /**
   * Whether users without an account may call it. `purpose` is the end of the message "Create an account to …". Default:
   * refused, with the purpose "do this".
   */
  readonly anonymous?: 'allowed' | { readonly purpose: string }
  /** What the session must prove. Operations of auth for signed-in users must say it; default elsewhere: nothing. */
  readonly proof?: ProofRule
  /** `ETag`: the answer names its version. `If-Match`: nothing is changed if the version named there is outdated (412). */
  readonly versioned?: readonly ('ETag' | 'If-Match')[]
  /** The gateway keeps the answers in memory. */
  readonly shared?: SharedRule
  /** `false`: a frequent write of players, after which the gateway keeps its shared answers until they expire. */
  readonly outdatesShared?: false
  /** Stricter limit than that of the path prefix, in requests per client network and minute at the gateway. */
  readonly perMinute?: number
  /**
   * Answers of tens of megabytes. The gateway holds them compressed, and expands them while a client that accepts no
   * compression reads them.
   */
  readonly heldCompressed?: true
  /** Largest body in bytes, where it is not the server's default. */
  readonly bodyBytes?: number
  /** Types of the body, if it is not JSON or may be another one. */
  readonly consumes?: readonly string[]
  /** `handler`: what is valid depends on the query, so the handler validates the body; `input.body` describes it. */
  readonly validatedBy?: 'handler'
  /** `false`: no HEAD request, because each GET has an effect. */
  readonly head?: false
  readonly input?: { readonly params?: TSchema; readonly query?: TSchema; readonly body?: TSchema }
  /** Answers by status; null has no body. */
  readonly output: Readonly<Record<number, TSchema | FileOutput | null>>
}

type MustSayProof<O> = O extends { name: `auth.${string}`; audience: 'user' | Permission }
  ? { readonly proof: ProofRule }
  : unknown

/** Defines an operation. Its type keeps every literal, so that handlers and clients are typed by it. */
export const operation = <const O extends Operation>(definition: O & MustSayProof<O>): O => definition

/** An answer of these media types. */
export const file = (...types: readonly string[]): FileOutput => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: Type.String() }])),
})

/** The type of one part of an operation's input; undefined if it has none. */
export type InputOf<O extends Operation, Part extends 'params' | 'query' | 'body'> = O extends {
  input: Readonly<Record<Part, infer S extends TSchema>>
}
  ? Static<S>
  : undefined

/** The type of an answer with this status; undefined if it has no body, unknown if it is a file. */
export type OutputOf<O extends Operation, Status extends keyof O['output']> = O['output'][Status] extends null
  ? undefined
  : O['output'][Status] extends FileOutput
    ? unknown
    : O['output'][Status] extends TSchema
      ? Static<O['output'][Status]>
      : never

/** Method and path of an operation. */
export function partsOfCall({ call }: Pick<Operation, 'call'>): { method: Method; path: string } {
  const [method, path] = call.split(' ') as [Method, string]
  return { method, path }
}

/** Whether an operation is an admin or moderator action: it needs a permission or the service key. */
export const isStaffOperation = ({ audience }: Pick<Operation, 'audience'>): boolean =>
  audience !== 'anyone' && audience !== 'user' && audience !== 'internal'

/** The scope that a personal access token needs; null if every token is refused. */
export const scopeOf = ({ token }: Pick<Operation, 'token'>): TokenScope | null =>
  token === 'session-only' ? null : token

/** The message that refuses an operation to users without an account; null if it is open to them. */
export const anonymousRefusal = ({ anonymous }: Pick<Operation, 'anonymous'>): string | null =>
  anonymous === 'allowed' ? null : `Create an account to ${anonymous?.purpose ?? 'do this'}.`

/** The proof that an operation requires before its body is read. */
export const proofOf = ({ proof = 'none' }: Pick<Operation, 'proof'>): Proof =>
  typeof proof === 'string' ? proof : proof.always
