import type { Permission } from '@looptide/contracts/permissions'
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { FactorRequired } from './factor-notices.tsx'

/**
 * Renders its children for users with the permission; redirects everyone else to the start page with a toast
 * (docs/product/admin.md §6). This is only presentation: the services check permissions themselves. `place` is the page's
 * name in the toast, e.g. "control panel".
 */
export function AdminGate(props: { place: string; permission: Permission; children: ReactNode }) {
  const { place, permission, children } = props
  const { status, isRoleLoading, may, me } = useSession()
  if (status === 'unknown' || isRoleLoading) {
    return (
      <main id="main" className="grid min-h-[70dvh] place-items-center">
        <Spinner text="Loading..." className="text-muted" />
      </main>
    )
  }
  if (status === 'signed-out') return <Away text={`Please sign in to access the ${place}`} />
  if (me?.secondFactor === 'required') return <FactorRequired />
  if (!may(permission)) return <Denied place={place} />
  return children
}

/** Redirects users whose role does not allow a page, or a part of it, to the start page. */
export function Denied({ place }: { place: string }) {
  return <Away text={`Administrator access required for the ${place}`} />
}

function Away({ text }: { text: string }) {
  useEffect(() => {
    // The toast outlives the redirect, so the effect returns no cleanup.
    toast({ title: 'Access Denied', description: text, tone: 'error' })
  }, [text])
  return <Navigate to={paths.root()} replace />
}
