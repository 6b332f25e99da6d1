import { ERROR_STATUS, ErrorBody } from '@looptide/contracts/errors'
import { OAuthErrorBody } from '@looptide/contracts/http/devices'
import { Check } from 'typebox/value'
import { STORABLE } from './hostile-texts.ts'
import type { HostileRequest } from './requests.ts'
import type { Answer } from './sender.ts'

/** Patterns that no error response may contain: stack traces, SQL, file names, names of components. */
const INTERNALS: readonly RegExp[] = [
  /\bat .{1,80}:\d+:\d+/,
  /node_modules|node:internal|file:\/\/|\.ts\b|\.js\b|\/(?:home|root|usr|work|tmp|srv|app)\//,
  /\b(?:select|insert|update|delete)\b[^"]*\b(?:from|into|set|where)\b/i,
  /syntax error|violates|duplicate key|relation |column |invalid input|unterminated/i,
  /postgres|pg_|kysely|redis|nats|jetstream|fastify|FST_|undici|UND_ERR|typebox|ajv|argon2|jose|ECONN|ENOTFOUND/i,
  /\b(?:127\.0\.0\.1|localhost):\d+/,
  /TypeError|RangeError|SyntaxError|undefined is not|is not a function|Cannot read/,
]

const REQUEST_ID = /"requestId":"[^"]*"/

/** Returns the faults of a response to any request. */
export function faultsOf(request: HostileRequest, answer: Answer): string[] {
  const { status, text } = answer
  if (status === 0) return ['no answer']
  const faults: string[] = []
  // A program that asks for XML may be told so.
  if (status >= 500 && !text.includes('"code":"format_not_supported"')) faults.push(`${status}`)
  if (status >= 400) {
    const ownText = withoutEchoes(text.replace(REQUEST_ID, ''), request)
    const leak = INTERNALS.find((internal) => internal.test(ownText))
    if (leak !== undefined) faults.push(`contains internals: ${leak.source}`)
    faults.push(...shapeFaults(request, answer))
  }
  return faults
}

/** Shorter texts may occur in a message by chance. Removing them could hide a leak. */
const MIN_ECHO_LENGTH = 8

/**
 * An error message may repeat a text of the client, such as a name that is taken, or one that an earlier request has
 * stored. Removes the texts of the JSON body and the stored ones.
 */
function withoutEchoes(text: string, { body }: HostileRequest): string {
  let rest = text
  for (const sent of [...stringsIn(body), ...STORABLE]) {
    if (sent.length >= MIN_ECHO_LENGTH) rest = rest.replaceAll(JSON.stringify(sent).slice(1, -1), ' ')
  }
  return rest
}

function stringsIn(body: HostileRequest['body']): string[] {
  const found: string[] = []
  try {
    JSON.parse(String(body), (_key, value: unknown) => {
      if (typeof value === 'string') found.push(value)
      return value
    })
  } catch {
    // Not JSON: the message cannot repeat its texts.
  }
  return found
}

/** As {@link faultsOf}; the request must also be refused. */
export function faultsOfRefusal(request: HostileRequest, answer: Answer): string[] {
  const { status } = answer
  const faults = faultsOf(request, answer)
  return status !== 0 && status < 400 ? [...faults, 'was not refused'] : faults
}

function shapeFaults({ path, method }: HostileRequest, { status, type, text }: Answer): string[] {
  if (method === 'HEAD') return []
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return ['an error that is not JSON']
  }
  if (!type.startsWith('application/json')) return [`an error of the type ${type}`]
  if (path.startsWith('/auth/v1'))
    return isAuthError(status, body) || (OAUTH_PATH.test(path) && isOAuthError(body))
      ? []
      : ['not an error of the auth protocol']
  if (!Check(ErrorBody, body)) return ['not in the error format of the API']
  const expected = new Map<string, number>(Object.entries(ERROR_STATUS)).get(body.code)
  return expected === status ? [] : [`the code ${body.code} with ${status}`]
}

/** Either format of the protocol (docs/protocols/auth.md §1.1), or the API's if the gateway responds. */
function isAuthError(status: number, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const { code, message, error_code: name, msg } = body as Record<string, unknown>
  const isNew = typeof code === 'string' && /^[a-z_]+$/.test(code) && typeof message === 'string'
  const isOld =
    code === status && typeof name === 'string' && /^[a-z_]+$/.test(name) && typeof msg === 'string'
  return isNew || isOld
}

const OAUTH_PATH = /^\/auth\/v1\/(?:device|token)(?:\?|$)/

/** An error of RFC 6749 §5.2, which clients of RFC 8628 expect. */
const isOAuthError = (body: unknown): boolean => Check(OAuthErrorBody, body)
