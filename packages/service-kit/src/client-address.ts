import { createHmac } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The address a request comes from. The gateway, our only caller, puts what it saw at the end of
 * `X-Forwarded-For`; what stands before that is the sender's word and counts for nothing.
 */
export function addressOf(request: FastifyRequest): string {
  const header = request.headers['x-forwarded-for']
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return last !== undefined && isIP(last) !== 0 ? last : request.ip
}

/**
 * Tells visitors apart without keeping their addresses: a keyed hash of the network. An end site may be given a whole
 * IPv6 /48 (RFC 6177 §2), so that is one visitor: neighbours who share one count as one, which costs a voice; whoever
 * has 65,536 networks to speak from would be as many voices.
 */
export function visitorOf(address: string, key: string): string {
  const network = isIPv6(address) ? siteOf(address) : address
  return createHmac('sha256', key).update(network).digest('base64url').slice(0, 22)
}

/** The first three groups of an IPv6 address; `::` stands for as many zeros as are missing. */
function siteOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
