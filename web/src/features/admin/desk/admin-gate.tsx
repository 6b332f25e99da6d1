import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import { paths } from '../../../app/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.ts'

/**
 * Lets admins through and turns everybody else away in words (docs/product/admin.md §6); the services refuse on their own
 * all the same. `place` is what the words call it: "admin dashboard", "control panel".
 */
export function AdminGate({ place, children }: { place: string; children: ReactNode }) {
  const { status, isRoleLoading, isAdmin } = useSession()
  if (status === 'unknown' || isRoleLoading) {
    return (
      <main id="main" className="grid min-h-[70dvh] place-items-center">
        <Spinner text="Loading..." className="text-muted" />
      </main>
    )
  }
  if (status === 'signed-out') return <Denied text={`Please sign in to access the ${place}`} />
  if (!isAdmin) return <Denied text={`Administrator access required for the ${place}`} />
  return children
}

function Denied({ text }: { text: string }) {
  useEffect(() => {
    // Without a return: the page leaves at once, and the toast stays.
    toast({ title: 'Access Denied', description: text, tone: 'error' })
  }, [text])
  return <Navigate to={paths.root()} replace />
}
