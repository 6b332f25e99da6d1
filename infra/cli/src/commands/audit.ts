import { withClient } from '@looptide/backing/database/set-up'
import { InvalidArgumentError } from 'commander'
import type { Anchor } from '../audit/chain-checker.ts'
import { verifyChain } from '../audit/verify-chain.ts'
import { count } from '../count.ts'
import { CommandError, EXIT } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { required } from '../settings.ts'
import type { AddCommands } from './add-commands.ts'

/** Adds `audit`. */
export const addAuditCommands: AddCommands = (program, act) => {
  program
    .command('audit')
    .description('the audit log')
    .command('verify')
    .description('hash every entry again and compare it with the chain')
    .option('--expect <seq:hash>', 'require this hash at this entry; may be repeated', anchors, [])
    .addHelpText(
      'after',
      '\nReads the database (DATABASE_URL), not the service. Exits with 1 and names the first entry that' +
        '\nis wrong. Entries removed from the end are found only with --expect: store the printed head elsewhere.',
    )
    .action(act((session, options: { expect: Anchor[] }) => verify(session, options.expect)))
}

/** `<sequence number>:<64 hex digits>`, added to those given before. */
function anchors(text: string, given: Anchor[]): Anchor[] {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('Expected <sequence number>:<hash of 64 hex digits>.')
  return [...given, { seq: Number(seq), hash: hash.toLowerCase() }]
}

async function verify(session: Session, expected: readonly Anchor[]): Promise<void> {
  const databaseUrl = required((await session.settings()).databaseUrl, 'DATABASE_URL')
  const result = await withClient(databaseUrl, (client) => verifyChain(client, expected))
  const { entries, pseudonymised, head, fault } = result
  const erased = pseudonymised === 0 ? '' : ` (${pseudonymised} pseudonymised)`
  session.report(
    result,
    `${count(entries, 'entry', 'entries')} verified${erased}, head ${head.seq}:${head.hash}`,
  )
  if (fault === null) return
  const place = fault.seq === null ? '' : `entry ${fault.seq} `
  throw new CommandError(EXIT.fault, `The audit log is damaged: ${place}${fault.what}.`)
}
