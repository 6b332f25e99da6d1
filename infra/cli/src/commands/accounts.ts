import { randomBytes } from 'node:crypto'
import type { Role } from '@looptide/contracts/common'
import type { AdminUser } from '@looptide/contracts/http/users'
import { Argument } from 'commander'
import { runAuthProgram } from '../auth-program.ts'
import { fault } from '../exit-codes.ts'
import type { AddCommands } from '../run.ts'
import type { Session } from '../session.ts'
import type { StationApi } from '../station-api.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const addAccountCommands: AddCommands = (program, act) => {
  program
    .command('create-admin')
    .description('make an admin account, or make an account that exists an admin')
    .argument('<email>')
    .addHelpText(
      'after',
      '\nA new account gets the password of NEW_ADMIN_PASSWORD, or one that is made up and shown once. An account that exists\nkeeps its own. Needs the database and no admin: it is the way in when there is none.',
    )
    .action(act((session, email: string) => createAdmin(session, email)))
  const role = program.command('role').description('who may do what')
  role
    .command('grant')
    .description('make somebody a moderator or an admin')
    .argument('<person>', 'an e-mail address or an id')
    .addArgument(new Argument('<role>').choices(['moderator', 'admin']))
    .action(act((session, person: string, wanted: Role) => setRole(session, person, wanted)))
  role
    .command('revoke')
    .description('take the role away; the last admin stays one')
    .argument('<person>', 'an e-mail address or an id')
    .action(act((session, person: string) => setRole(session, person, 'user')))
  role
    .command('list')
    .description('all moderators and admins')
    .action(act((session) => listRoles(session)))
}

async function createAdmin(session: Session, email: string): Promise<void> {
  // Not LOOPTIDE_ADMIN_PASSWORD, which is the operator's own.
  const { NEW_ADMIN_PASSWORD: given } = session.terminal.env
  const password = given ?? randomBytes(12).toString('base64url')
  const { created } = await runAuthProgram<{ created: boolean }>(await session.settings(), 'create-admin', {
    LOOPTIDE_ADMIN_EMAIL: email,
    LOOPTIDE_ADMIN_PASSWORD: password,
  })
  const isShown = created && given === undefined
  session.report(
    { email, created, ...(isShown ? { password } : {}) },
    created
      ? `${email} is an admin now${isShown ? `, with the password ${password} (shown only now)` : ''}.`
      : `${email} had an account and is an admin now; the password is unchanged.`,
  )
}

/** Through the station: its guard decides, revokes at once everywhere, and keeps the last admin. */
async function setRole(session: Session, person: string, role: Role): Promise<void> {
  const station = await session.station()
  const { id } = await findPerson(station, person)
  const user = await station.send<AdminUser>('PUT', `/api/users/${id}/role`, { role })
  session.report(
    user,
    `${user.email} is ${role === 'user' ? 'a viewer' : `a${role === 'admin' ? 'n' : ''} ${role}`} now.`,
  )
}

async function findPerson(station: StationApi, person: string): Promise<{ id: string }> {
  if (UUID.test(person)) return { id: person }
  for await (const user of station.list<AdminUser>('/api/users', { q: person })) {
    if (user.email.toLowerCase() === person.toLowerCase()) return user
  }
  throw fault(`Nobody has the address ${person}.`)
}

async function listRoles(session: Session): Promise<void> {
  const station = await session.station()
  const people: Pick<AdminUser, 'id' | 'email' | 'role'>[] = []
  for await (const { id, email, role } of station.list<AdminUser>('/api/users')) {
    if (role !== 'user') people.push({ id, email, role })
  }
  session.report(people, people.map(({ id, email, role }) => `${role.padEnd(10)} ${email}  ${id}`).join('\n'))
}
