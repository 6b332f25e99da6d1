import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errors } from '../http/errors.ts'
import { traceHeaders } from '../telemetry/tracing.ts'
import { internalFetch } from '../tls/internal-client.ts'

/** Hook for `/internal` scopes: requires an internal token. Several are accepted during a rotation. */
export function requireInternal(accepted: readonly string[]) {
  const expected = accepted.map((token) => Buffer.from(token))
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const given = Buffer.from(String(request.headers['x-internal-token'] ?? ''))
    const matches = expected.map((token) => given.length === token.length && timingSafeEqual(given, token))
    if (!matches.includes(true)) throw errors.notFound('This URL')
  }
}

interface CallOptions {
  method?: 'GET' | 'POST'
  body?: unknown
  internalToken: string
  requestId?: string
  timeoutMs?: number
}

/**
 * Calls another service and returns its JSON. A refusal is rethrown as the same {@link AppError}; an unreachable service
 * throws `service_unavailable`.
 */
export async function callInternal(url: string, what: string, options: CallOptions): Promise<unknown> {
  let response: Response
  try {
    response = await internalFetch(url, {
      method: options.method ?? 'GET',
      headers: {
        'x-internal-token': options.internalToken,
        ...traceHeaders(),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(options.timeoutMs ?? 3000),
    })
  } catch (error) {
    throw errors.unavailable(what, error)
  }
  const body = (await response.json().catch(() => null)) as {
    code?: string
    message?: string
    retryAfterMs?: number
    details?: AppError['details']
  } | null
  if (response.ok) return body
  if (response.status >= 500) throw errors.unavailable(what, new Error(`status ${response.status}`))
  throw new AppError(
    (body?.code ?? 'internal_error') as AppError['code'],
    body?.message ?? 'The request was refused.',
    {
      retryAfterMs: body?.retryAfterMs,
      details: body?.details,
    },
  )
}
