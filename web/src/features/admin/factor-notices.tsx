import { useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'

/** Replaces a page that needs a role until its user has turned two-step verification on (`SECOND_FACTOR=required`). */
export function FactorRequired() {
  return (
    <main id="main" className="grid min-h-[70dvh] content-center">
      <EmptyNotice heading="h1" title="Turn on two-step verification">
        <p>This station requires it for your role.</p>
        <Link to={paths.signInSettings()} className={buttonClass('primary')}>
          Go to My Profile
        </Link>
      </EmptyNotice>
    </main>
  )
}

const DISMISSED_KEY = 'looptide-factor-notice'

/**
 * Asks people with a role to turn two-step verification on (`SECOND_FACTOR=recommended`), until they have or
 * dismiss it in this browser. On a phone it is below the section, whose heading must be in view.
 */
export function FactorRecommended() {
  const { me, userId } = useSession()
  const [isDismissed, setDismissed] = useState(() => readDismissed() === userId)
  if (me?.secondFactor !== 'recommended' || isDismissed) return null
  const dismiss = () => {
    setDismissed(true)
    try {
      localStorage.setItem(DISMISSED_KEY, userId ?? '')
    } catch {
      // Without storage it is dismissed until the page is closed.
    }
  }
  return (
    <section
      aria-label="Two-step verification"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-line bg-panel px-4 py-3 max-sm:order-last"
    >
      <p className="min-w-0 flex-1 basis-72 text-sm">
        <span className="font-semibold">Protect your account with two-step verification.</span> Your role can
        change what everyone sees. A second step keeps others out, even with your password.
      </p>
      <div className="flex flex-wrap gap-2">
        <Link to={paths.signInSettings()} className={buttonClass('quiet')}>
          Go to My Profile
        </Link>
        <Button tone="plain" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    </section>
  )
}

function readDismissed(): string | null {
  try {
    return localStorage.getItem(DISMISSED_KEY)
  } catch {
    return null
  }
}
