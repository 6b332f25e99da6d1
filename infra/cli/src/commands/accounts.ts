import { randomBytes } from 'node:crypto'
import type { Role } from '@looptide/contracts/common'
import type { AdminUser } from '@looptide/contracts/http/users'
import { STAFF_ROLES } from '@looptide/contracts/permissions'
import { Argument } from 'commander'
import { runAuthProgram } from '../auth-program.ts'
import type { Session } from '../session.ts'
import { findPerson } from '../users/find-person.ts'
import type { AddCommands } from './add-commands.ts'

/** Adds `create-admin` and `role`. */
export const addAccountCommands: AddCommands = (program, act) => {
  program
    .command('create-admin')
    .description('create an admin account, or make an existing account an admin')
    .argument('<email>')
    .addHelpText(
      'after',
      '\nA new account gets the password of NEW_ADMIN_PASSWORD, or a generated one that is shown once. An existing account\nkeeps its password. The command uses the database only, so it also works when no admin exists.',
    )
    .action(act((session, email: string) => createAdmin(session, email)))
  const role = program.command('role').description('roles of accounts')
  role
    .command('grant')
    .description('give an account a staff role, which replaces its current role')
    .argument('<person>', 'email or id')
    .addArgument(new Argument('<role>').choices(STAFF_ROLES))
    .action(act((session, person: string, wanted: Role) => setRole(session, person, wanted)))
  role
    .command('revoke')
    .description('remove the staff role of an account; refused for the last admin')
    .argument('<person>', 'email or id')
    .action(act((session, person: string) => setRole(session, person, 'user')))
  role
    .command('list')
    .description('list accounts with a staff role')
    .action(act((session) => listRoles(session)))
}

async function createAdmin(session: Session, email: string): Promise<void> {
  // Not LOOPTIDE_ADMIN_PASSWORD, which is the operator's own.
  const { NEW_ADMIN_PASSWORD: given, BREACHED_PASSWORDS_URL } = session.terminal.env
  const password = given ?? randomBytes(12).toString('base64url')
  const { created } = await runAuthProgram<{ created: boolean }>(await session.settings(), 'create-admin', {
    LOOPTIDE_ADMIN_EMAIL: email,
    LOOPTIDE_ADMIN_PASSWORD: password,
    ...(BREACHED_PASSWORDS_URL === undefined ? {} : { BREACHED_PASSWORDS_URL }),
  })
  const isShown = created && given === undefined
  session.report(
    { email, created, ...(isShown ? { password } : {}) },
    created
      ? `${email} is an admin now${isShown ? `, with the password ${password} (not shown again)` : ''}.`
      : `${email} is an admin now. The password of the existing account is unchanged.`,
  )
}

/** Uses the station's API, which asks the guard, takes effect at once and refuses for the last admin. */
async function setRole(session: Session, person: string, role: Role): Promise<void> {
  const station = await session.station()
  const { id } = await findPerson(station, person)
  const user = await station.call('PUT /api/users/:id/role', { params: { id }, body: { role } })
  session.report(
    user,
    `${user.email} is ${role === 'user' ? 'a viewer' : `a${role === 'admin' ? 'n' : ''} ${role}`} now.`,
  )
}

async function listRoles(session: Session): Promise<void> {
  const station = await session.station()
  const people: Pick<AdminUser, 'id' | 'email' | 'role'>[] = []
  for await (const { id, email, role } of station.list('GET /api/users', {})) {
    if (role !== 'user') people.push({ id, email, role })
  }
  session.report(people, people.map(({ id, email, role }) => `${role.padEnd(10)} ${email}  ${id}`).join('\n'))
}
