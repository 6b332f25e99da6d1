import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Names the state of what is answered and tells whether the client has it already: then the reply has been made a
 * 304 and wants no body (RFC 9110 §13.1.2, weak comparison).
 */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag)
  if (!matchesIfNoneMatch(request, etag)) return false
  reply.status(304)
  return true
}

/** Whether the client says that it has this state. */
export function matchesIfNoneMatch(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']?.split(',').map((tag) => opaque(tag.trim()))
  return known?.includes(opaque(etag)) ?? false
}

const opaque = (etag: string): string => etag.replace(/^W\//, '')

/** Versions that a write accepts, from `If-Match`; undefined when the client sent none. */
export type ExpectedVersion = string | undefined

/** The version that a write expects (RFC 9110 §13.1.1). */
export const expectedVersion = (request: FastifyRequest): ExpectedVersion => request.headers['if-match']

/**
 * Throws `precondition_failed` when a write expects another version than the current `etag`. A weak tag counts as the
 * strong one: the gateway and other proxies weaken the tag of an answer that they compress, and the tag names the
 * version of the data, not the bytes sent.
 */
export function requireVersion(expected: ExpectedVersion, etag: string): void {
  if (expected === undefined || expected.trim() === '*') return
  const accepted = expected.split(',').map((tag) => opaque(tag.trim()))
  if (accepted.includes(opaque(etag))) return
  throw new AppError('precondition_failed', 'This was changed by someone else. Please reload.')
}
