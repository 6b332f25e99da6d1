import { type Logger, pino } from 'pino'
import { isTracing, traceFields } from './tracing.ts'

export type { Logger }

/** Fields that are redacted in every log entry. */
const SECRET_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'headers.authorization',
  'password',
  'access_token',
  'refresh_token',
  'token',
  '*.password',
  '*.access_token',
  '*.refresh_token',
  '*.token',
]

/** Logs JSON lines to a pipe and readable lines to a terminal, with trace ids if tracing is enabled. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    ...(isTracing() ? { mixin: traceFields } : {}),
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    ...(process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  })
}
