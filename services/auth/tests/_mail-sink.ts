import type { AddressInfo } from 'node:net'
import { until } from '@looptide/testkit/until'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string
  raw: string
  link: URL
  tokenHash: string
  type: string
  code: string
}

/** A real SMTP server that records the mails it accepts and can be set to refuse. */
export class MailSink {
  readonly mails: ReceivedMail[] = []
  refuse = false
  /** SMTP code and text sent to each recipient; undefined: recipients are accepted. */
  recipientReply: { code: number; text: string } | undefined
  /** All recipients that a client named, accepted or not. */
  readonly attemptedRecipients: string[] = []
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) =>
      done(this.refuse ? Object.assign(new Error('not now'), { responseCode: 451 }) : null),
    onRcptTo: (address, _session, done) => {
      this.attemptedRecipients.push(address.address)
      const answer = this.recipientReply
      if (answer === undefined) return done()
      const error = answer.text.replace('<>', `<${address.address}>`)
      done(Object.assign(new Error(error), { responseCode: answer.code }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        this.mails.push(readMail(raw, session.envelope.rcptTo[0]?.address ?? ''))
        done()
      })
    },
  })

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#server.on('error', () => undefined)
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  /** Waits for a mail to `email` and returns the newest, of the given type if any. */
  latest(email: string, type?: string): Promise<ReceivedMail> {
    return until(`a ${type ?? ''} mail reaches ${email}`, () =>
      this.mails.findLast((mail) => mail.to === email && (type === undefined || mail.type === type)),
    )
  }

  to(email: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to === email)
  }
}

function readMail(raw: string, to: string): ReceivedMail {
  // Quoted-printable: soft line breaks, then escapes.
  const text = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const link = new URL(/https?:\/\/\S+\/auth\/confirm\?[^\s"<]+/.exec(text)?.[0] ?? 'http://no-link')
  return {
    to,
    raw: text,
    link,
    tokenHash: link.searchParams.get('token_hash') ?? '',
    type: link.searchParams.get('type') ?? '',
    code: /code: (\d{6})/.exec(text)?.[1] ?? '',
  }
}
