import { Type } from 'typebox'
import { PageQuery } from '../common.ts'
import { DeadLetterPage, DeadLetterParams } from '../http/admin.ts'
import { operation } from '../operation.ts'

/** The operations about the dead letters of a service, for admins. Replaying is a guarded action. */
export const deadLetterOperations = <const S extends string>(service: S) => ({
  list: operation({
    name: `${service}.dead_letter.list`,
    summary: `List the dead letters of ${service}`,
    call: `GET /api/dead-letters/${service}`,
    audience: 'system:operate',
    token: 'session-only',
    proof: 'none',
    input: { query: PageQuery },
    output: { 200: DeadLetterPage },
  }),
  replay: operation({
    name: `${service}.dead_letter.replay`,
    summary: `Replay a dead letter of ${service}`,
    call: `POST /api/dead-letters/${service}/:id/replay`,
    audience: 'system:operate',
    token: 'session-only',
    proof: 'none',
    input: { params: DeadLetterParams },
    output: { 200: Type.Object({ replayed: Type.Literal(true) }) },
  }),
  drop: operation({
    name: `${service}.dead_letter.drop`,
    summary: `Drop a dead letter of ${service}`,
    call: `DELETE /api/dead-letters/${service}/:id`,
    audience: 'system:operate',
    token: 'session-only',
    proof: 'none',
    input: { params: DeadLetterParams },
    output: { 204: null },
  }),
})

export type DeadLetterOperations = ReturnType<typeof deadLetterOperations<string>>
