import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useBrand, useConfig } from '../../lib/api/use-config.ts'
import { part } from '../../lib/browser/part.tsx'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { authClient } from '../../lib/clients.ts'
import { useNextPage } from '../../lib/session/next-page.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Backdrop } from './backdrop.tsx'
import { OnNow } from './on-now.tsx'
import { SignInForm } from './sign-in-form.tsx'

const QuickSignInForm = part(async () => (await import('./quick-sign-in-form.tsx')).QuickSignInForm)
const SignUpTab = part(async () => (await import('./sign-up-tab.tsx')).SignUpTab)
const CheckYourEmail = part(async () => (await import('./check-your-email.tsx')).CheckYourEmail)
const SecondStep = part(async () => (await import('./second-step.tsx')).SecondStep)

type TabId = 'sign-in' | 'quick' | 'sign-up'

/** The sign-in screen at the root. The email address is kept when the tab changes. */
export function SignInPage() {
  usePageTitle()
  const brand = useBrand()
  const { signUp } = useConfig()
  const nextPage = useNextPage()
  const { needsSecondFactor } = useSession()
  const [tab, setTab] = useState<TabId>('sign-in')
  const [email, setEmail] = useState('')
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const draft = { email, onEmail: setEmail }
  // The other tabs are loaded after the first view, before anyone can reach them.
  useEffect(() => {
    for (const { preload } of [QuickSignInForm, SignUpTab]) preload().catch(() => undefined)
  }, [])

  return (
    <main
      id="main"
      className="relative isolate grid min-h-[calc(100dvh-4.0625rem-var(--tab-bar))] content-start justify-center gap-x-16 gap-y-8 px-5 py-8 sm:px-10 lg:grid-cols-[minmax(0,38rem)_minmax(0,28rem)] lg:content-center lg:items-start xl:gap-x-28"
    >
      <Backdrop />
      <div className="grid gap-5 lg:gap-8">
        <div className="grid gap-4">
          <h1 className="max-w-[14ch] text-4xl font-bold tracking-tight text-balance">{brand.tagline}</h1>
          <p className="hidden max-w-[44ch] text-lg text-muted sm:block">
            Music videos around the clock from {brand.location}. Everyone watches the same video at the same
            time.
          </p>
        </div>
        <div className="grid gap-3">
          <OnNow />
          <p className="text-sm text-muted">No account needed to watch. Sign in for sound.</p>
        </div>
      </div>
      <section
        aria-label="Sign in"
        className="w-full max-w-md justify-self-center rounded-lg border border-line/70 bg-panel p-5 shadow-lift sm:p-8 lg:mt-3"
      >
        {needsSecondFactor ? (
          inTime(<SecondStep />)
        ) : unconfirmed === null ? (
          <Tabs<TabId>
            label="Sign-in methods"
            value={tab}
            onChange={setTab}
            tabs={[
              {
                id: 'sign-in',
                label: 'Sign In',
                content: <SignInForm {...draft} onUnconfirmed={() => setUnconfirmed(email.trim())} />,
              },
              { id: 'quick', label: 'Quick Sign In', content: inTime(<QuickSignInForm {...draft} />) },
              { id: 'sign-up', label: 'Sign Up', content: inTime(<SignUpTab {...draft} policy={signUp} />) },
            ]}
          />
        ) : (
          inTime(
            <CheckYourEmail
              email={unconfirmed}
              purpose="confirm"
              isSent={false}
              onSendAgain={() => authClient.resendConfirmation(unconfirmed, nextPage)}
              onOtherAddress={() => setUnconfirmed(null)}
            />,
          )
        )}
      </section>
    </main>
  )
}

const inTime = (form: ReactNode) => <Suspense fallback={<Skeleton className="h-64" />}>{form}</Suspense>
