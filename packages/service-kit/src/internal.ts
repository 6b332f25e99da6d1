import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errors } from './errors.ts'
import { traceHeaders } from './tracing.ts'

/** Hook for `/internal` scopes: only our own processes know a token. Several are accepted while it is being changed. */
export function requireInternal(accepted: readonly string[]) {
  const expected = accepted.map((token) => Buffer.from(token))
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const given = Buffer.from(String(request.headers['x-internal-token'] ?? ''))
    const isOne = expected.map((token) => given.length === token.length && timingSafeEqual(given, token))
    if (!isOne.includes(true)) throw errors.notFound('This URL')
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
 * Asks another service. Answers its JSON; a refusal comes as the {@link AppError} it was there; an
 * absent service as `service_unavailable`.
 */
export async function callInternal(url: string, what: string, options: CallOptions): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(url, {
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
  } | null
  if (response.ok) return body
  if (response.status >= 500) throw errors.unavailable(what, new Error(`status ${response.status}`))
  throw new AppError(
    (body?.code ?? 'internal_error') as AppError['code'],
    body?.message ?? 'The request was refused.',
    {
      retryAfterMs: body?.retryAfterMs,
    },
  )
}
