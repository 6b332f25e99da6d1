import { Link } from 'react-router-dom'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'

/** Replaces a page of admins or moderators until they have turned two-step verification on (`SECOND_FACTOR=required`). */
export function FactorRequired() {
  return (
    <main id="main" className="grid min-h-[70dvh] content-center">
      <EmptyNotice heading="h1" title="Turn on two-step verification">
        <p>This station requires it for administrators and moderators.</p>
        <Link to={paths.members()} className={buttonClass('primary')}>
          Go to My Profile
        </Link>
      </EmptyNotice>
    </main>
  )
}

/** Recommends two-step verification to an admin or moderator who has not turned it on. */
export function FactorRecommended() {
  const { me } = useSession()
  if (me?.secondFactor !== 'recommended') return null
  return (
    <aside aria-label="Security" className="border-b border-line/60 px-4 py-2 text-sm text-muted sm:px-6">
      Your account can change the whole station. Protect it:{' '}
      <Link to={paths.members()} className="rounded-sm text-link underline underline-offset-4">
        turn on two-step verification
      </Link>
      .
    </aside>
  )
}
