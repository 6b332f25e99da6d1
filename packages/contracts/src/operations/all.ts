import { type Operation, scopeOf } from '../operation.ts'
import type { Proof } from '../proofs.ts'
import { SERVICES } from '../service-names.ts'
import type { TokenScope } from '../token-scopes.ts'
import * as admin from './admin.ts'
import { audienceOperations } from './audience.ts'
import { authOperations } from './auth.ts'
import { catalogueOperations } from './catalogue.ts'
import * as chat from './chat.ts'
import { deadLetterOperations } from './dead-letters.ts'
import * as gateway from './gateway.ts'
import * as metadata from './metadata.ts'
import { streamOperations } from './stream.ts'
import * as webhooks from './webhooks.ts'

/** The operations by the module that defines them. The types of the clients are derived from this list. */
export const DEFINED = [
  ...([
    admin,
    audienceOperations,
    authOperations,
    catalogueOperations,
    chat,
    gateway,
    metadata,
    streamOperations,
    webhooks,
  ] as const),
  ...SERVICES.map((service) => deadLetterOperations(service)),
]

/** All operations by their name, also those between services. */
export const ALL_OPERATIONS = DEFINED.flatMap((operations): Operation[] =>
  Object.values(operations),
).toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** All public operations by their name. Services import their own ones only. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  ALL_OPERATIONS.filter(({ audience }) => audience !== 'internal').map((operation) => [
    operation.name,
    operation,
  ]),
)

/** The scope that each operation needs. Operations that are missing are refused for every personal access token. */
export const SCOPE_OF: ReadonlyMap<string, TokenScope> = new Map(
  [...OPERATIONS].flatMap(([name, operation]) => {
    const scope = scopeOf(operation)
    return scope === null ? [] : [[name, scope] as const]
  }),
)

/** Whether an operation is in the step-up table: it belongs to auth and is for signed-in users. */
const needsProof = ({ name, audience }: Operation): boolean =>
  name.startsWith('auth.') && audience !== 'anyone' && audience !== 'service-key'

/** The step-up table: what a session must prove for each operation of auth, as `<operation>` and `<operation> | <case>`. */
export const PROOF_OF: ReadonlyMap<string, Proof> = new Map(
  [...OPERATIONS.values()].filter(needsProof).flatMap(({ name, proof = 'none' }) => {
    const { always, ...cases } = typeof proof === 'string' ? { always: proof } : proof
    const rows = Object.entries(cases).map(([by, required]): [string, Proof] => [`${name} | ${by}`, required])
    return [[name, always] as [string, Proof], ...rows]
  }),
)
