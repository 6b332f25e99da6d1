import type { GenerateLinkBody } from '@looptide/contracts/http/auth-admin'
import {
  authAdminFactorDelete,
  authAdminFactorList,
  authAdminLinkGenerate,
  authAdminPasskeyDelete,
  authAdminPasskeyList,
  authAdminUserCreate,
  authAdminUserDelete,
  authAdminUserInvite,
  authAdminUserList,
  authAdminUserRead,
  authAdminUserUpdate,
} from '@looptide/contracts/operations/auth/service-key'
import { protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { RedirectPolicy } from '../../features/credential/code/redirect-policy.ts'
import type { MailGuard } from '../../features/limits/mail-guard.ts'
import type { AdministrationService } from '../../features/operator/administration-service.ts'
import { LINK_TYPES, type LinkRequest, type LinkService } from '../../features/operator/link-service.ts'
import type { ManagedPasskeys } from '../../features/operator/managed-passkeys.ts'
import { readEmail } from '../../features/user/email.ts'
import { requireSmall } from '../../features/user/metadata.ts'
import { AuthError } from '../auth-error.ts'
import { readMetadata } from '../read-body.ts'
import { readManagedChange } from './read-managed-change.ts'
import { linkHeader, readPage } from './read-page.ts'
import { serviceKeyCause } from './require-service-key.ts'

export interface AdminDeps {
  administration: AdministrationService
  managedPasskeys: ManagedPasskeys
  links: LinkService
  redirects: RedirectPolicy
  mailGuard: MailGuard
}

/** Routes of the admin API of the auth protocol, behind the service key (docs/protocols/auth.md §2.11). */
export const adminRoutes = (deps: AdminDeps): Route[] => [...accountRoutes(deps), ...linkRoutes(deps)]

const accountRoutes = ({ administration, managedPasskeys: passkeys }: AdminDeps): Route[] => [
  protocolRoute(authAdminUserList, async ({ query, request, reply }) => {
    const page = readPage(query)
    const { users, total } = await administration.list(page)
    const path = request.url.split('?')[0] ?? ''
    reply.header('link', linkHeader(path, page, total)).header('x-total-count', String(total))
    return { users, aud: 'authenticated' }
  }),
  protocolRoute(authAdminUserRead, ({ params }) => administration.get(params.id)),
  protocolRoute(authAdminUserCreate, ({ body, request }) => {
    const change = readManagedChange(body)
    const { email } = change
    if (email === null) throw AuthError.validation('Cannot create a user without either an email or phone')
    return administration.create({ ...change, email }, serviceKeyCause(request))
  }),
  protocolRoute(authAdminUserUpdate, ({ params, body, request }) =>
    administration.update(params.id, readManagedChange(body), serviceKeyCause(request)),
  ),
  protocolRoute(authAdminUserDelete, async ({ body, params, request }) => {
    if (body.should_soft_delete === true) throw AuthError.validation('should_soft_delete is not supported')
    await administration.delete(params.id, serviceKeyCause(request))
    return {}
  }),
  protocolRoute(authAdminFactorList, ({ params }) => administration.factors(params.id)),
  protocolRoute(authAdminFactorDelete, ({ params, request }) =>
    administration.removeFactor(params.id, params.factorId, serviceKeyCause(request)),
  ),
  protocolRoute(authAdminPasskeyList, ({ params }) => passkeys.list(params.id)),
  protocolRoute(authAdminPasskeyDelete, ({ params, request }) =>
    passkeys.remove(params.id, params.passkeyId, serviceKeyCause(request)),
  ),
]

const linkRoutes = ({ administration, links, mailGuard, redirects }: AdminDeps): Route[] => [
  protocolRoute(authAdminUserInvite, async ({ body, query, request }) => {
    const email = readEmail(body.email)
    const userMetadata = requireSmall(readMetadata(body.data))
    // Counted only: strangers must not be able to keep the operator from inviting.
    await mailGuard.countForStation()
    const invitation = { email, userMetadata, redirectTo: query.redirect_to }
    return administration.present(await links.invite(invitation, serviceKeyCause(request)))
  }),
  protocolRoute(authAdminLinkGenerate, async ({ query, body, request }) => {
    const redirectTo = query.redirect_to ?? body.redirect_to
    const link = readLinkRequest(body, redirectTo)
    const { user, issued, type } = await links.generate(link, serviceKeyCause(request))
    return {
      ...(await administration.present(user)),
      action_link: issued.link,
      email_otp: issued.code,
      hashed_token: issued.tokenHash,
      redirect_to: redirects.resolve(redirectTo).href,
      verification_type: type,
    }
  }),
]

function readLinkRequest(body: GenerateLinkBody, redirectTo: unknown): LinkRequest {
  const type = LINK_TYPES.find((known) => known === body.type)
  if (type === undefined) throw AuthError.validation('Invalid email action link type requested')
  const newEmail = body.new_email ?? ''
  return {
    type,
    email: readEmail(body.email),
    password: body.password ?? null,
    newEmail: newEmail === '' ? null : readEmail(newEmail),
    userMetadata: requireSmall(readMetadata(body.data)),
    redirectTo,
  }
}
