import { clientIp } from '@looptide/service-kit/client-ip'
import type { FastifyRequest } from 'fastify'
import type { Client } from '../features/sessions/session-service.ts'

/** Who asks, as far as it can be told without a token. */
export const clientOf = (request: FastifyRequest): Client => ({
  userAgent: request.headers['user-agent']?.replaceAll('\0', '').slice(0, 255) ?? null,
  ip: clientIp(request),
  cause: { actorId: null, correlationId: request.id },
})
