import { Navigate } from 'react-router-dom'
import { usePageTitle } from '../../../lib/browser/use-page-title.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { SubmissionsPanel } from './submissions-panel.tsx'

/** The submissions page for moderators, who have no access to the admin dashboard. */
export function SubmissionsPage() {
  usePageTitle('Submissions')
  const { status, isRoleLoading, isModerator } = useSession()
  if (status === 'unknown' || isRoleLoading) {
    return (
      <main id="main" className="grid min-h-[70dvh] place-items-center">
        <Spinner text="Loading..." className="text-muted" />
      </main>
    )
  }
  if (status === 'signed-out') return <Navigate to={paths.signIn(paths.submissions())} replace />
  return (
    <main id="main" className="mx-auto grid w-full max-w-[80rem] gap-6 px-4 py-6 sm:px-6">
      {isModerator ? (
        <>
          <h1 className="sr-only">Submissions</h1>
          <SubmissionsPanel />
        </>
      ) : (
        <EmptyNotice heading="h1" title="Only moderators can review submissions." />
      )}
    </main>
  )
}
