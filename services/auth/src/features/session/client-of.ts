import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import type { Client } from './sign-in-history.ts'

/** What identifies the client of a request without a token: user agent, IP and request id. */
export const clientOf = (request: FastifyRequest): Client => ({
  userAgent: request.headers['user-agent']?.replaceAll('\0', '').slice(0, 255) ?? null,
  ip: clientIp(request),
  cause: { actorId: null, correlationId: request.id },
})
