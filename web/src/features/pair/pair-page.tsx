import { readUserCode, showUserCode } from '@looptide/contracts/user-codes'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { CreateAccountTo } from '../../lib/session/create-account-to.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useForm } from '../../ui/use-form.ts'
import { DeviceQuestion } from './device-question.tsx'

/**
 * Where a TV is paired with the user's account: its code is typed or comes with the address, then the user allows or denies
 * it (docs/product/viewer.md §2, "Pairing a TV").
 */
export function PairPage() {
  usePageTitle('Pair a TV')
  const [parameters, setParameters] = useSearchParams()
  const { status, isAnonymous, isRoleLoading } = useSession()
  const typed = parameters.get('code') ?? ''
  const code = readUserCode(typed)
  const changeCode = (changed: string) => setParameters(changed === '' ? {} : { code: changed })

  if (status === 'unknown' || isRoleLoading)
    return (
      <Frame>
        <Spinner text="Loading..." className="text-muted" />
      </Frame>
    )
  if (status === 'signed-out')
    return (
      <Frame>
        {code !== null && <ShownCode code={code} />}
        <p className="text-muted">Sign in to use the TV with your account.</p>
        <Link to={paths.signIn(paths.pair(typed))} className={buttonClass('primary', 'min-h-12 text-base')}>
          Sign In
        </Link>
      </Frame>
    )
  if (isAnonymous)
    return (
      <Frame>
        <CreateAccountTo purpose="pair a TV" />
      </Frame>
    )
  if (code === null)
    return (
      <Frame>
        <CodeForm initial={typed} onCode={(entered) => changeCode(showUserCode(entered))} />
      </Frame>
    )
  return (
    <Frame>
      <ShownCode code={code} />
      <DeviceQuestion key={code} code={showUserCode(code)} onOtherCode={() => changeCode('')} />
    </Frame>
  )
}

/** The card that every state of the page shows. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <main id="main" className="mx-auto grid w-full max-w-lg content-start gap-6 px-4 py-8 sm:py-14">
      <div className="flex items-center gap-4">
        <span className="grid size-12 shrink-0 place-items-center rounded-lg bg-raised text-link">
          <Icon name="tv" className="size-6" />
        </span>
        <h1 className="text-2xl font-bold tracking-tight">Pair a TV</h1>
      </div>
      <div className="grid gap-5 rounded-lg border border-line/70 bg-panel p-5 sm:p-7">{children}</div>
    </main>
  )
}

function ShownCode({ code }: { code: string }) {
  return (
    <div className="grid gap-1">
      <p className="text-sm text-muted">Code on the TV</p>
      <p className="font-mono text-3xl font-semibold tracking-[0.12em]">{showUserCode(code)}</p>
    </div>
  )
}

/** Asks for the code that the TV shows. `initial` is what the address contained. */
function CodeForm({ initial, onCode }: { initial: string; onCode: (code: string) => void }) {
  const [typed, setTyped] = useState(initial)
  const form = useForm({
    check: () =>
      readUserCode(typed) === null
        ? { field: 'code', description: 'Enter the eight letters that the TV shows' }
        : undefined,
    send: async () => {
      const code = readUserCode(typed)
      if (code !== null) onCode(code)
    },
  })
  return (
    <Form form={form}>
      <TextField
        label="Code on the TV"
        hint="Open this station on the TV and choose to sign in: the TV shows eight letters."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        className="font-mono text-xl uppercase tracking-[0.12em]"
        {...form.field('code')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <SubmitButton form={form} className="min-h-12 text-base">
        Continue
      </SubmitButton>
    </Form>
  )
}
