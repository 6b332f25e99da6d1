import { AppError, isOutage } from '@looptide/service-kit/errors'
import type { App } from '@looptide/service-kit/server'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AuthError, errorBody, SHAPE_VERSION, VERSION_HEADER, wantsNewShape } from './auth-error.ts'

/** Bytes. */
const BODY_LIMIT = 65_536
const ALLOWED_HEADERS = 'authorization, apikey, content-type, x-client-info, x-supabase-api-version'

/**
 * The conventions of `/auth/v1` in this scope (docs/protocols/auth.md §1): its error shapes, bodies that may be
 * empty whatever their type says, and answers that pages of other origins may read. No cookie is ever
 * used, so any origin may ask.
 */
export function speakAuthProtocol(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (request, body, done) => {
    if (body === '') done(null, {})
    else parseJson(request, body as string, done)
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', `${VERSION_HEADER}, retry-after`)
    reply.header('cache-control', 'no-store')
    if (wantsNewShape(request.headers[VERSION_HEADER])) reply.header(VERSION_HEADER, SHAPE_VERSION)
  })
  app.options('/*', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', '86400')
      .send(),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    answer(new AuthError('not_found', 'There is nothing at this address'), request, reply),
  )
}

function answer(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAuthError(error)
  if (known.status >= 500) request.log.error({ err: error }, known.message)
  if (known.retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterMs / 1000))
  return reply.status(known.status).send(errorBody(known, wantsNewShape(request.headers[VERSION_HEADER])))
}

/** Never 5xx for a bad request, nor 4xx for an outage: clients retry the one and give up on the other. */
export function toAuthError(error: FastifyError | Error): AuthError {
  if (error instanceof AuthError) return error
  if (isOutage(error)) return new AuthError('service_unavailable', 'Please try again in a moment')
  if (error instanceof AppError && error.code === 'validation_failed') {
    const first = error.details?.[0]
    const where = first === undefined ? '' : `: ${first.path.slice(1) || 'the body'} ${first.message}`
    return AuthError.validation(`The request is invalid${where}`)
  }
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return new AuthError('request_too_large', 'The request is too large')
  if (status !== undefined && status >= 400 && status < 500) {
    return new AuthError('bad_json', 'Could not parse request body as JSON')
  }
  return new AuthError('unexpected_failure', 'Something went wrong on our side')
}
