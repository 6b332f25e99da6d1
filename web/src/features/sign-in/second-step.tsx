import { useEffect, useRef, useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { codeOf } from '../../lib/session/form-rules.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { useFactorDevices } from '../../lib/session/use-factor-devices.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { AccountForm } from './account-form.tsx'
import { SecurityKeyButtons } from './security-key-buttons.tsx'
import { welcomeBack } from './welcome.ts'

const WAYS = {
  key: { text: 'Connect your security key, then touch it.', choice: 'Use a security key' },
  app: {
    text: 'Enter the 6-digit code of your authenticator app.',
    choice: 'Use the authenticator app',
  },
  recovery: {
    text: 'Enter one of your recovery codes. Each works once.',
    choice: 'Use a recovery code',
  },
} as const

type Way = keyof typeof WAYS

/** The second step of a sign-in: a security key, a code of the authenticator app, or a recovery code. */
export function SecondStep() {
  const devices = useFactorDevices()
  const keys = devices.filter(({ kind }) => kind === 'key')
  const hasApp = devices.some(({ kind }) => kind === 'app')
  const [chosen, setChosen] = useState<Way>()
  const way = chosen ?? (hasApp || keys.length === 0 ? 'app' : 'key')
  const heading = useRef<HTMLHeadingElement>(null)
  const method = useRef<HTMLDivElement>(null)
  const isCode = way !== 'key'
  // The element that had the focus is gone. The code can be typed at once; a key asks for nothing, so the heading is focused
  // for screen readers to announce the new content.
  useEffect(() => {
    if (chosen === undefined && !isCode) heading.current?.focus()
    else method.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [chosen, isCode])
  const others: Way[] = [
    ...(keys.length > 0 ? (['key'] as const) : []),
    ...(hasApp ? (['app'] as const) : []),
    'recovery',
  ]

  return (
    <div className="grid gap-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold">
          Two-Step Verification
        </h2>
        {!isCode && <p className="mt-1 text-sm text-muted">{WAYS[way].text}</p>}
      </div>
      <div ref={method}>
        {isCode ? (
          <CodeForm key={way} way={way} />
        ) : (
          <SecurityKeyButtons keys={keys} failureTitle="Sign In Failed" onVerified={welcomeBack} />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
        {others
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} onClick={() => setChosen(other)}>
              {WAYS[other].choice}
            </Button>
          ))}
        <Button tone="plain" onClick={() => void authClient.signOut()}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

const CODES = {
  app: { label: '6-digit code', problem: 'Enter the 6-digit code of your authenticator app' },
  recovery: { label: 'Recovery code', problem: 'Enter a recovery code' },
} as const

function CodeForm({ way }: { way: keyof typeof CODES }) {
  const [text, setText] = useState('')
  const isApp = way === 'app'
  const form = useAccountForm({
    failureTitle: 'Sign In Failed',
    check: () => {
      const isComplete = isApp ? codeOf(text) !== undefined : text.trim() !== ''
      return isComplete ? undefined : { field: 'code', description: CODES[way].problem }
    },
    send: async () => {
      if (isApp) await authClient.verifyFactor(codeOf(text) ?? '')
      else await authClient.useRecoveryCode(text)
      welcomeBack()
    },
    fieldOfCode: { mfa_verification_failed: 'code' },
  })
  return (
    <AccountForm form={form} button="Verify" busyButton="Checking...">
      <TextField
        label={CODES[way].label}
        hint={WAYS[way].text}
        {...(isApp
          ? { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 12 }
          : { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, maxLength: 40 })}
        {...form.field('code')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="text-center text-xl tabular-nums"
      />
    </AccountForm>
  )
}
