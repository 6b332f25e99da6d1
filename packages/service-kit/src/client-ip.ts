import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The address a request comes from. The gateway, our only caller, puts what it saw at the end of
 * `X-Forwarded-For`; what stands before that is the sender's word and counts for nothing.
 */
export function clientIp(request: FastifyRequest): string {
  const header = request.headers['x-forwarded-for']
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return last !== undefined && isIP(last) !== 0 ? last : request.ip
}
