import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Names the state of what is answered and tells whether the client has it already: then the reply has been made a
 * 304 and wants no body (RFC 9110 §13.1.2, weak comparison).
 */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag)
  if (!hasAlready(request, etag)) return false
  reply.status(304)
  return true
}

/** Whether the client says that it has this state. */
export function hasAlready(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']?.split(',').map((tag) => opaque(tag.trim()))
  return known?.includes(opaque(etag)) ?? false
}

const opaque = (etag: string): string => etag.replace(/^W\//, '')

/**
 * Refuses a change whose `If-Match` does not name the current state (RFC 9110 §13.1.1, strong comparison); a request
 * without the header is not checked. Throws `precondition_failed` with `message`.
 */
export function requireMatch(request: FastifyRequest, etag: string, message: string): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  if (!wanted.split(',').some((tag) => tag.trim() === etag)) {
    throw new AppError('precondition_failed', message)
  }
}
