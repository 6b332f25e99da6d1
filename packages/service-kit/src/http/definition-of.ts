import type { Operation } from '@looptide/contracts/operation'
import { OPERATIONS } from '@looptide/contracts/operations/all'
import type { FastifyContextConfig } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name in logs and metrics: `<owner>.<entity>.<verb>`. */
    operation?: string
    definition?: Operation
  }
}

/** The definition of a route's operation. */
export const definitionOf = ({ definition, operation = '' }: FastifyContextConfig): Operation | undefined =>
  definition ?? OPERATIONS.get(operation)
