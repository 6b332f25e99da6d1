import { Link } from 'react-router-dom'
import { paths } from '../../../lib/paths.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'

/** Replaces a page that needs a role until its user has turned two-step verification on (`SECOND_FACTOR=required`). */
export function FactorRequired() {
  return (
    <main id="main" className="grid min-h-[70dvh] content-center">
      <EmptyNotice heading="h1" title="Turn on two-step verification">
        <p>This station requires it for your role.</p>
        <Link to={paths.members()} className={buttonClass('primary')}>
          Go to My Profile
        </Link>
      </EmptyNotice>
    </main>
  )
}
