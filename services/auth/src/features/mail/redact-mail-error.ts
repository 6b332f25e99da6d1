/** What may be logged of a mail that was not sent. */
export interface MailErrorFacts {
  name: string
  code?: string
  /** SMTP command that was refused. */
  command?: string
  /** SMTP reply code. */
  responseCode?: number
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  status?: string
  message?: string
}

/**
 * The parts of an error of the mail queue that name no person. SMTP servers repeat the receiver's address in their
 * replies, so of a reply only its codes are kept; other messages lose everything that looks like an address.
 */
export function redactMailError(error: unknown): MailErrorFacts {
  if (!(error instanceof Error)) return { name: 'unknown' }
  const facts = error as Error & Record<string, unknown>
  const { code, command, responseCode, response } = facts
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
 * Whether the server refused this mail for good (5xx to the receiver or the message). A refused password of ours, or a
 * server that refuses every connection, is not the mail's fault.
 */
export function isFinalRejection(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown }
  const ofMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return ofMail && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
}
