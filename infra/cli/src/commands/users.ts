import { randomBytes } from 'node:crypto'
import type { Role } from '@looptide/contracts/common'
import { ROLES } from '@looptide/contracts/permissions'
import { Argument, Option } from 'commander'
import { count } from '../count.ts'
import { usageError } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { table } from '../table.ts'
import { type ManagedUser, type UserChange, UsersApi } from '../users/users-api.ts'
import type { AddCommands } from './add-commands.ts'
import { addExportCommand } from './export-user.ts'

const LINKS = ['magiclink', 'recovery', 'invite', 'signup', 'email_change_current', 'email_change_new']
const PASSWORD_HELP =
  '\nThe password is that of NEW_USER_PASSWORD, or a generated one that is shown once: arguments are visible to\nother users of the machine.'

interface UpdateOptions {
  email?: string
  role?: Role
  password?: true
  confirm?: true
  ban?: string
  unban?: true
}

/** Adds `users`. */
export const addUserCommands: AddCommands = (program, act) => {
  const users = program
    .command('users')
    .description('manage accounts with the service key (AUTH_SERVICE_KEY)')
    .addHelpText('after', '\nThe audit log names the service key, not an admin.')
  users
    .command('list')
    .description('list accounts, newest first')
    .option('--filter <text>', 'the start of the email')
    .action(act((session, { filter }: { filter?: string }) => list(session, filter)))
  users
    .command('create')
    .description('create an account; nothing is mailed')
    .argument('<email>')
    .addOption(new Option('--role <role>').choices(ROLES))
    .option('--unconfirmed', 'the email must be confirmed before the first sign-in')
    .addHelpText('after', PASSWORD_HELP)
    .action(
      act((session, email: string, options: { role?: Role; unconfirmed?: true }) =>
        create(session, email, options),
      ),
    )
  users
    .command('invite')
    .description('mail invitations')
    .argument('<emails...>')
    .action(act((session, emails: string[]) => invite(session, emails)))
  users
    .command('update')
    .description('change an account')
    .argument('<person>', 'email or id')
    .option('--email <email>', 'takes effect without a confirmation')
    .addOption(new Option('--role <role>').choices(ROLES))
    .option('--password', 'set a new password, which ends all sessions')
    .option('--confirm', 'confirm the email without a mail')
    .addOption(new Option('--ban <duration>', 'ban from the site, such as 36h').conflicts('unban'))
    .option('--unban', 'lift a ban from the site')
    .addHelpText('after', PASSWORD_HELP)
    .action(act((session, person: string, options: UpdateOptions) => update(session, person, options)))
  users
    .command('delete')
    .description('delete an account and its personal data; refused for the last admin')
    .argument('<person>', 'email or id')
    .action(act((session, person: string) => remove(session, person)))
  addFactorAndLinkCommands(users, act)
  addExportCommand(users, act)
}

const addFactorAndLinkCommands: AddCommands = (users, act) => {
  users
    .command('remove-factors')
    .description('turn two-step verification off: remove apps, security keys and recovery codes')
    .argument('<person>', 'email or id')
    .option('--passkeys', 'remove the passkeys too, which sign in without a password')
    .action(
      act((session, person: string, options: { passkeys?: true }) => removeFactors(session, person, options)),
    )
  users
    .command('link')
    .description('print a link that signs in the person who opens it; nothing is mailed')
    .addArgument(new Argument('<type>').choices(LINKS))
    .argument('<email>')
    .option('--new-email <email>', 'the new address, for email_change_current and email_change_new')
    .addHelpText('after', `\nA signup link creates an account with a password.${PASSWORD_HELP}`)
    .action(
      act((session, type: string, email: string, { newEmail }: { newEmail?: string }) =>
        link(session, type, email, newEmail),
      ),
    )
}

const apiOf = async (session: Session): Promise<UsersApi> => new UsersApi(await session.settings())

/** The password of the environment, or a generated one with the text that shows it. */
function newPassword(session: Session): { password: string; shown: { password?: string }; text: string } {
  const { NEW_USER_PASSWORD: given } = session.terminal.env
  if (given !== undefined && given !== '') return { password: given, shown: {}, text: '' }
  const password = randomBytes(12).toString('base64url')
  return { password, shown: { password }, text: ` The password is ${password} (not shown again).` }
}

async function list(session: Session, filter: string | undefined): Promise<void> {
  const api = await apiOf(session)
  const users: ManagedUser[] = []
  for await (const user of api.list(filter)) users.push(user)
  const rows = users.map((user) => [
    user.email,
    user.app_metadata.role,
    stateOf(user),
    user.last_sign_in_at ?? 'never',
    user.id,
  ])
  session.report(users, table(['email', 'role', 'state', 'last sign-in', 'id'], rows))
}

function stateOf(user: ManagedUser): string {
  if (user.banned_until !== undefined) return `banned until ${user.banned_until}`
  if (user.email_confirmed_at !== undefined) return 'active'
  return user.invited_at === undefined ? 'unconfirmed' : 'invited'
}

async function create(
  session: Session,
  email: string,
  { role, unconfirmed }: { role?: Role; unconfirmed?: true },
): Promise<void> {
  const { password, shown, text } = newPassword(session)
  const user = await (await apiOf(session)).create({
    email,
    password,
    email_confirm: unconfirmed !== true,
    ...(role === undefined ? {} : { app_metadata: { role } }),
  })
  session.report(
    { ...user, ...shown },
    `The account ${user.email} is created, with the id ${user.id}.${text}`,
  )
}

async function invite(session: Session, emails: readonly string[]): Promise<void> {
  const api = await apiOf(session)
  const invited: ManagedUser[] = []
  for (const email of emails) {
    invited.push(await api.invite(email))
    session.note(`${email} is invited.`)
  }
  session.report(invited, `${count(invited.length, 'person', 'people')} invited.`)
}

async function update(session: Session, person: string, options: UpdateOptions): Promise<void> {
  const { email, role, ban } = options
  const chosen = options.password === true ? newPassword(session) : undefined
  const change: UserChange = {
    ...(email === undefined ? {} : { email }),
    ...(role === undefined ? {} : { app_metadata: { role } }),
    ...(options.confirm === true ? { email_confirm: true } : {}),
    ...(ban === undefined ? {} : { ban_duration: ban }),
    ...(options.unban === true ? { ban_duration: 'none' } : {}),
    ...(chosen === undefined ? {} : { password: chosen.password }),
  }
  if (Object.keys(change).length === 0)
    throw usageError('Specify what to change, for example --email (see --help).')
  const api = await apiOf(session)
  const { id } = await api.find(person)
  const user = await api.update(id, change)
  session.report(
    { ...user, ...chosen?.shown },
    `${user.email}: ${user.app_metadata.role}, ${stateOf(user)}.${chosen?.text ?? ''}`,
  )
}

async function remove(session: Session, person: string): Promise<void> {
  const api = await apiOf(session)
  const { id, email } = await api.find(person)
  await session.confirm(`This deletes the account ${email} with its personal data.`)
  await api.delete(id)
  session.report({ id, email, deleted: true }, `The account ${email} is deleted.`)
}

async function removeFactors(session: Session, person: string, options: { passkeys?: true }): Promise<void> {
  const api = await apiOf(session)
  const { id, email } = await api.find(person)
  const factors = await api.factors(id)
  const all = await api.passkeys(id)
  const passkeys = options.passkeys === true ? all : []
  const kept = all.length - passkeys.length
  const keptText = kept === 0 ? '' : ` Passkeys that still sign in: ${kept} (--passkeys removes them).`
  const names = [...factors, ...passkeys].map((each) => each.friendly_name)
  if (names.length === 0) {
    session.report(
      { id, email, removed: [], keptPasskeys: kept },
      `${email} has no second factor.${keptText}`,
    )
    return
  }
  await session.confirm(
    `This removes ${listed(names)} from the account of ${email}, who is notified by mail.${keptText}`,
  )
  await api.removeFactors(id, factors)
  await api.removePasskeys(id, passkeys)
  session.report(
    { id, email, removed: names, keptPasskeys: kept },
    `${email} signs in without a second factor now.${keptText}`,
  )
}

const listed = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ')

async function link(
  session: Session,
  type: string,
  email: string,
  newEmail: string | undefined,
): Promise<void> {
  const chosen = type === 'signup' ? newPassword(session) : undefined
  const created = await (await apiOf(session)).link({
    type,
    email,
    ...(chosen === undefined ? {} : { password: chosen.password }),
    ...(newEmail === undefined ? {} : { new_email: newEmail }),
  })
  session.report(
    { ...created, ...chosen?.shown },
    `${created.action_link}\nCode: ${created.email_otp}${chosen === undefined ? '' : `\n${chosen.text.trim()}`}`,
  )
}
