import { Option } from 'commander'
import { count } from '../count.ts'
import { usageError } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { PLAN } from '../station-api.ts'
import { findPerson } from '../users/find-person.ts'
import type { AddCommands } from './add-commands.ts'

interface EndOptions {
  user?: string
  all?: true
}

/** Adds `sessions`. */
export const addSessionCommands: AddCommands = (program, act) => {
  program
    .command('sessions')
    .description('sessions of accounts')
    .command('end')
    .description(
      'sign out a person or everyone and revoke access tokens; players and chats stop within seconds',
    )
    .option('--user <person>', 'email or id')
    .addOption(new Option('--all', 'all accounts, also your own').conflicts('user'))
    .action(act((session, options: EndOptions) => end(session, options)))
}

async function end(session: Session, { user, all }: EndOptions): Promise<void> {
  if (user !== undefined) return endOf(session, user)
  if (all !== true) throw usageError('Specify whose sessions to end: --user or --all.')
  await session.confirm('This signs everyone out.')
  const station = await session.station()
  const result = await station.call('POST /api/users/end-sessions', { body: { all: true } }, PLAN)
  session.report(result, `${count(result.ended, 'session')} ended.`)
}

async function endOf(session: Session, person: string): Promise<void> {
  const station = await session.station()
  const { id } = await findPerson(station, person)
  const result = await station.call('DELETE /api/users/:id/sessions', { params: { id } })
  session.report({ id, ...result }, `${person}: ${count(result.ended, 'session')} ended.`)
}
