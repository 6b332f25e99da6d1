import { type Logger, pino } from 'pino'
import { isTracing, traceFields } from './tracing.ts'

export type { Logger }

/** Never in a log, wherever it stands. */
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

/** One JSON line per entry on a pipe, readable lines on a terminal; with their trace, if there is one. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    ...(isTracing() ? { mixin: traceFields } : {}),
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    ...(process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  })
}
