import type { Permission } from '@looptide/contracts/permissions'
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { FactorRecommended, FactorRequired } from './factor-notices.tsx'

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

/**
 * A page outside of the admin dashboard, to which moderators have no access. `path` is where a visitor returns after
 * signing in; `refusal` is what those without the permission read.
 */
export function ModeratorPage(props: {
  title: string
  path: string
  permission: Permission
  refusal: string
  isTitleHidden?: boolean
  children: ReactNode
}) {
  const { title, path, permission, refusal, isTitleHidden, children } = props
  usePageTitle(title)
  const { status, isRoleLoading, may, me } = useSession()
  if (status === 'unknown' || isRoleLoading) {
    return (
      <main id="main" className="grid min-h-[70dvh] place-items-center">
        <Spinner text="Loading..." className="text-muted" />
      </main>
    )
  }
  if (me?.secondFactor === 'required') return <FactorRequired />
  if (status === 'signed-out') return <Navigate to={paths.signIn(path)} replace />
  return (
    <main id="main" className="mx-auto grid w-full max-w-[80rem] content-start gap-6 px-4 py-6 sm:px-6">
      {may(permission) ? (
        <>
          <h1 className={isTitleHidden ? 'sr-only' : 'text-2xl font-semibold'}>{title}</h1>
          <FactorRecommended />
          {children}
        </>
      ) : (
        <EmptyNotice heading="h1" title={refusal} />
      )}
    </main>
  )
}
