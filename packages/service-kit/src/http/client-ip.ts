import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The client's IP address. The gateway, the only caller, appends it to `X-Forwarded-For`. Earlier entries are set by the
 * client and are ignored.
 */
export function clientIp(request: FastifyRequest): string {
  const header = request.headers['x-forwarded-for']
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return last !== undefined && isIP(last) !== 0 ? last : request.ip
}
