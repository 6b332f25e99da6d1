import { useEffect, useRef, useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { codeOf } from '../../lib/session/form-rules.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { AccountForm } from './account-form.tsx'
import { welcomeBack } from './welcome.ts'

const WAYS = {
  app: {
    text: 'Enter the 6-digit code of your authenticator app.',
    label: '6-digit code',
    problem: 'Enter the 6-digit code of your authenticator app',
    other: 'Use a recovery code',
  },
  recovery: {
    text: 'Enter one of your recovery codes. Each works once.',
    label: 'Recovery code',
    problem: 'Enter a recovery code',
    other: 'Use the authenticator app',
  },
} as const

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondStep() {
  const [way, setWay] = useState<keyof typeof WAYS>('app')
  const [text, setText] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const isApp = way === 'app'
  const form = useAccountForm({
    failureTitle: 'Sign In Failed',
    check: () => {
      const isComplete = isApp ? codeOf(text) !== undefined : text.trim() !== ''
      return isComplete ? undefined : { field: 'code', description: WAYS[way].problem }
    },
    send: async () => {
      if (isApp) await authClient.verifyFactor(codeOf(text) ?? '')
      else await authClient.useRecoveryCode(text)
      welcomeBack()
    },
    fieldOfCode: { mfa_verification_failed: 'code' },
  })
  // The form that had the focus is gone. Focus the heading so that screen readers announce the new content.
  useEffect(() => heading.current?.focus(), [])
  const change = () => {
    setWay(isApp ? 'recovery' : 'app')
    setText('')
  }

  return (
    <div className="grid gap-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold">
          Two-Step Verification
        </h2>
        <p className="mt-1 text-sm text-muted">{WAYS[way].text}</p>
      </div>
      <AccountForm form={form} button="Verify" busyButton="Checking...">
        <TextField
          key={way}
          label={WAYS[way].label}
          {...(isApp
            ? { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 12 }
            : { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, maxLength: 40 })}
          {...form.field('code')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="text-center text-xl tabular-nums"
        />
      </AccountForm>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
        <Button onClick={change}>{WAYS[way].other}</Button>
        <Button tone="plain" onClick={() => void authClient.signOut()}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
