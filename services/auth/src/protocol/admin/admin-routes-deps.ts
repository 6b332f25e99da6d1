import type { AdministrationService } from '../../features/administration/administration-service.ts'
import type { LinkService } from '../../features/administration/link-service.ts'
import type { ManagedPasskeys } from '../../features/administration/managed-passkeys.ts'
import type { RedirectPolicy } from '../../features/codes/redirect-policy.ts'
import type { MailGuard } from '../../limits/mail-guard.ts'
import type { ServiceKeyDeps } from './require-service-key.ts'

/** Dependencies of the routes of the admin API. */
export interface AdminRoutesDeps extends ServiceKeyDeps {
  administration: AdministrationService
  managedPasskeys: ManagedPasskeys
  links: LinkService
  redirects: RedirectPolicy
  mailGuard: MailGuard
}
