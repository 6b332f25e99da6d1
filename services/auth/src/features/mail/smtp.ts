import { createTransport } from 'nodemailer'
import type { MailConfig } from '../../config.ts'
import type { Mail } from './templates.ts'

/** Sends mails through the configured SMTP server. */
export interface Smtp {
  send(mail: Mail): Promise<void>
  close(): void
}

/** A pool of connections to the mail server. Mails may read neither files nor addresses. */
export function createSmtp(config: MailConfig): Smtp {
  const transport = createTransport({
    url: config.smtpUrl,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (mail) => {
      await transport.sendMail({ from: config.from, ...mail })
    },
    close: () => transport.close(),
  }
}
