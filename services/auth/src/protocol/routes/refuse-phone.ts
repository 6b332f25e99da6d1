import type { FastifyRequest } from 'fastify'
import { AuthError } from '../auth-error.ts'

/** Hook that refuses phone numbers. They are part of the protocol but not offered. */
export async function refusePhone(request: FastifyRequest): Promise<void> {
  const { body } = request
  if (typeof body !== 'object' || body === null) return
  if ('phone' in body && !('email' in body)) {
    throw new AuthError('phone_provider_disabled', 'Phone sign-ins are disabled')
  }
}
