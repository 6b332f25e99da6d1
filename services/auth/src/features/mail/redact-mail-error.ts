/** The fields of a failed delivery that may be logged. */
export interface LoggableMailError {
  name: string
  code?: string
  /** SMTP command that failed. */
  command?: string
  /** SMTP reply code. */
  responseCode?: number
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  status?: string
  message?: string
}

/**
 * Removes personal data from an error of the mail queue. SMTP servers repeat the recipient in their replies, so only the
 * codes of a reply are kept. From other messages everything that looks like an email is removed.
 */
export function redactMailError(error: unknown): LoggableMailError {
  if (!(error instanceof Error)) return { name: 'unknown' }
  const fields = error as Error & Record<string, unknown>
  const { code, command, responseCode, response } = fields
  const status = typeof response === 'string' ? /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0] : undefined
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(status === undefined ? {} : { status }),
    ...(response === undefined ? { message: error.message.replaceAll(/\S*@\S*/g, '<address>') } : {}),
  }
}

/**
 * Whether the server rejected this mail permanently (5xx to the recipient or the message). Failed authentication and
 * refused connections are not permanent: they do not concern this mail.
 */
export function isFinalRejection(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown }
  const concernsMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return concernsMail && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
}
