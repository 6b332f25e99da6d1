import { useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { useBrand } from '../../lib/use-config.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { QuickSignInForm } from './quick-sign-in-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

type TabId = 'sign-in' | 'quick' | 'sign-up'

/** What somebody sees at the root who is not signed in. */
export function SignInPage() {
  usePageTitle()
  const brand = useBrand()
  const [tab, setTab] = useState<TabId>('sign-in')

  return (
    <main
      id="main"
      className="mx-auto grid min-h-dvh max-w-[84rem] content-start items-center gap-x-20 gap-y-8 px-5 py-8 sm:px-10 lg:grid-cols-[1.1fr_minmax(0,28rem)] lg:content-center"
    >
      <div className="grid gap-5 lg:gap-7">
        <Logo name={brand.shortName} isLarge />
        <h1 className="max-w-[14ch] text-4xl font-bold tracking-tight text-balance">{brand.tagline}</h1>
        <p className="hidden max-w-[44ch] text-lg text-muted sm:block">
          Music videos around the clock from {brand.location}. Everybody sees the same one at the same second.
        </p>
        <div className="flex flex-wrap items-center gap-4">
          <Link to={paths.live()} className={buttonClass('quiet', 'pr-5')}>
            <LiveBadge />
            Watch now
            <Icon name="play" className="size-4" />
          </Link>
          <span className="text-sm text-muted">24/7 • HD Quality</span>
        </div>
      </div>
      <section
        aria-label="Sign in to the station"
        className="rounded-lg border border-line/70 bg-panel p-5 shadow-lift sm:p-7"
      >
        <Tabs<TabId>
          label="Ways to sign in"
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'sign-in', label: 'Sign In', content: <SignInForm /> },
            { id: 'quick', label: 'Quick Sign In', content: <QuickSignInForm /> },
            { id: 'sign-up', label: 'Sign Up', content: <SignUpForm /> },
          ]}
        />
      </section>
    </main>
  )
}
