import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Sets the response's ETag. Returns true, with status 304, if the client has this version: send no body then (RFC 9110
 * §13.1.2, weak comparison).
 */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag)
  if (!matchesIfNoneMatch(request, etag)) return false
  reply.status(304)
  return true
}

/** Whether the request's `If-None-Match` contains this ETag. Not `fresh`, which would answer a reload in full. */
export function matchesIfNoneMatch({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => opaque(tag.trim()))
  return tags?.includes(opaque(etag)) ?? false
}

const opaque = (etag: string): string => etag.replace(/^W\//, '')

/** The versions in `If-Match`; undefined if the client sent none. */
export type ExpectedVersion = string | undefined

/** The version that a write requires (RFC 9110 §13.1.1). */
export const expectedVersion = (request: FastifyRequest): ExpectedVersion => request.headers['if-match']

/**
 * Throws `precondition_failed` if a write requires another version than the current `etag`. Weak and strong tags are
 * equivalent: the gateway and other proxies weaken the tag of a response that they compress, and the tag identifies the
 * version of the data, not the bytes sent. The error contains `current`, so that a client can show what has changed.
 */
export function requireVersion(expected: ExpectedVersion, etag: string, current?: unknown): void {
  if (expected === undefined || expected.trim() === '*') return
  const accepted = expected.split(',').map((tag) => opaque(tag.trim()))
  if (accepted.includes(opaque(etag))) return
  throw new AppError('precondition_failed', 'This was changed by someone else. Please reload.', { current })
}
