import type { App } from '@looptide/service-kit/http/app'
import { AppError, errors, isMissingReference, isOutage } from '@looptide/service-kit/http/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AccountError } from '../account-error.ts'
import {
  AuthError,
  ERROR_FORMAT_VERSION,
  errorBody,
  fromAccountError,
  VERSION_HEADER,
  wantsCurrentErrorFormat,
} from './auth-error.ts'
import { refusedPath } from './not-offered.ts'
import { oauthErrorBody, speaksOAuth } from './oauth-error.ts'

/** Maximum size of a body, in bytes. */
const BODY_LIMIT = 65_536
const FORM = 'application/x-www-form-urlencoded'
const ALLOWED_HEADERS = 'authorization, apikey, content-type, x-client-info, x-supabase-api-version'

/**
 * Installs the conventions of `/auth/v1` in this scope (docs/protocols/auth.md, "Conventions"): its error formats, empty
 * bodies with any content type, and CORS for every origin. Any origin is safe because no cookie is used.
 */
export function useAuthProtocol(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (request, body, done) => {
    if (body === '') done(null, {})
    else void parseJson(request, body as string, done)
  })
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (request, body, done) => {
    const isForm = request.routeOptions.config.definition?.consumes?.includes(FORM) === true
    if (!isForm && body !== '') void parseJson(request, body as string, done)
    else readForm(body as string, done)
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', `${VERSION_HEADER}, retry-after`)
    reply.header('cache-control', 'no-store')
    if (wantsCurrentErrorFormat(request.headers[VERSION_HEADER]))
      reply.header(VERSION_HEADER, ERROR_FORMAT_VERSION)
  })
  app.options('/*', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', '86400')
      .send(),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendError(refusedPath(request.url.slice(app.prefix.length)), request, reply),
  )
}

/** Reads a form. An empty field counts as absent, and a repeated one is refused (RFC 6749 §3.1). */
function readForm(body: string, done: (error: Error | null, fields?: unknown) => void): void {
  const fields = [...new URLSearchParams(body)].filter(([, value]) => value !== '')
  if (new Set(fields.map(([name]) => name)).size < fields.length)
    done(AuthError.validation('A field is repeated'))
  else done(null, Object.fromEntries(fields))
}

function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authError = toAuthError(error)
  if (authError.status >= 500) request.log.error({ err: error, code: authError.code }, 'auth request failed')
  if (authError.retryAfterMs !== undefined) {
    reply.header('retry-after', Math.ceil(authError.retryAfterMs / 1000))
  }
  if (speaksOAuth(request)) return reply.status(authError.status).send(oauthErrorBody(authError))
  const currentFormat = wantsCurrentErrorFormat(request.headers[VERSION_HEADER])
  return reply.status(authError.status).send(errorBody(authError, currentFormat))
}

/**
 * The protocol's answer to any error. A bad request never gets 5xx and an outage never gets 4xx: clients
 * retry after 5xx and give up after 4xx.
 */
export function toAuthError(error: FastifyError | Error): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof AccountError) return fromAccountError(error)
  if (isOutage(error)) return new AuthError('service_unavailable', 'Please try again in a moment')
  if (isMissingReference(error)) return new AuthError('conflict', errors.deletedMeanwhile().message)
  if (error instanceof AppError && error.code === 'validation_failed') {
    const first = error.details?.[0]
    const where = first === undefined ? '' : `: ${first.path.slice(1) || 'the body'} ${first.message}`
    return AuthError.validation(`The request is invalid${where}`)
  }
  if (error instanceof AppError && error.code === 'not_found') {
    return new AuthError('user_not_found', 'User not found', { status: 404 })
  }
  if (error instanceof AppError && error.code === 'conflict') return new AuthError('conflict', error.message)
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return new AuthError('request_too_large', 'The request is too large')
  if (status !== undefined && status >= 400 && status < 500) {
    return new AuthError('bad_json', 'Could not parse request body as JSON')
  }
  return new AuthError('unexpected_failure', 'Something went wrong on our side')
}
