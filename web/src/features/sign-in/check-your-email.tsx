import { useEffect, useRef, useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { showSignInFailure } from '../../lib/failures.ts'
import { codeOf } from '../../lib/session/form-rules.ts'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AccountForm } from './account-form.tsx'
import { suggestPassword, welcomeBack } from './welcome.ts'

const PURPOSES = {
  'sign-in': {
    sent: 'We sent a sign-in link to',
    waits: 'We sent a sign-in link to',
    validity:
      'The link expires in 1 hour. If your account has a role at this station, it expires in 10 minutes.',
    button: 'Sign In with Code',
  },
  confirm: {
    sent: 'We sent a confirmation link to',
    waits: 'Confirm your account with the link we sent to',
    validity: 'The link expires in 1 hour.',
    button: 'Confirm with Code',
  },
  reset: {
    sent: 'If the account exists, we sent an email with a link to',
    waits: 'If the account exists, we sent an email with a link to',
    validity:
      'The link expires in 1 hour. If your account has a role at this station, it expires in 10 minutes.',
    button: 'Continue with Code',
  },
} as const

/**
 * Shown after an email was sent. The 6-digit code is for devices that cannot open the link, such as a television.
 * `onSendAgain` throws the server's refusal.
 */
export function CheckYourEmail(props: {
  email: string
  purpose: keyof typeof PURPOSES
  /** False if the email was sent earlier: it can be sent again immediately. */
  isSent?: boolean
  onSendAgain: () => Promise<void>
  onOtherAddress: () => void
}) {
  const { email, purpose, isSent = true } = props
  const [text, setText] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useAccountForm({
    failureTitle: 'Sign In Failed',
    check: () =>
      codeOf(text) ? undefined : { field: 'code', description: 'Enter the 6-digit code from the email' },
    send: async () => {
      await authClient.verifyCode(email, codeOf(text) ?? '')
      if (purpose !== 'reset') welcomeBack()
      if (purpose === 'confirm') void suggestPassword()
    },
  })
  // The form that had the focus is gone. Focus the heading so that screen readers announce the new content.
  useEffect(() => heading.current?.focus(), [])

  return (
    <div className="grid gap-6">
      <div className="flex gap-4">
        <Icon name="mail" className="mt-1 size-7 shrink-0 text-accent" />
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold">
            Check Your Email
          </h2>
          <p className="mt-1 text-sm text-muted">
            {isSent ? PURPOSES[purpose].sent : PURPOSES[purpose].waits}{' '}
            <strong className="wrap-anywhere text-text">{email}</strong>. {PURPOSES[purpose].validity}
          </p>
        </div>
      </div>
      <AccountForm form={form} button={PURPOSES[purpose].button} busyButton="Checking...">
        <TextField
          label="Or enter the 6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          {...form.field('code')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="text-center text-xl tracking-[0.4em] tabular-nums"
        />
      </AccountForm>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
        <SendAgain waitMs={isSent ? MAIL_INTERVAL_MS : 0} onSendAgain={props.onSendAgain} />
        <Button tone="plain" onClick={props.onOtherAddress}>
          Use another address
        </Button>
      </div>
    </div>
  )
}

/** The server refuses early requests, so the button counts down until the next one is allowed. */
function SendAgain({ waitMs, onSendAgain }: { waitMs: number; onSendAgain: () => Promise<void> }) {
  const { secondsLeft, begin } = useCoolDown(waitMs)
  const [isBusy, setBusy] = useState(false)
  const isWaiting = isBusy || secondsLeft > 0

  const sendAgain = async () => {
    if (isWaiting) return
    setBusy(true)
    try {
      await onSendAgain()
      begin(MAIL_INTERVAL_MS)
    } catch (failure) {
      showSignInFailure('Failed to Send Code', failure)
      if (failure instanceof SignInError && failure.retryAfterMs) begin(failure.retryAfterMs)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button onClick={() => void sendAgain()} aria-disabled={isWaiting} className="aria-disabled:opacity-55">
      {isBusy ? 'Sending...' : 'Send New Link'}
      {secondsLeft > 0 && <span className="font-normal tabular-nums">in {secondsLeft} s</span>}
    </Button>
  )
}

/** Minimum time between two emails to an address; the server enforces it. */
const MAIL_INTERVAL_MS = 60_000

/** Seconds left of a wait that `begin` starts, counting down to 0. */
function useCoolDown(initialMs: number): { secondsLeft: number; begin: (ms: number) => void } {
  const [endsAtMs, setEndsAtMs] = useState(() => Date.now() + initialMs)
  const [nowMs, setNowMs] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000))
  const isRunning = secondsLeft > 0

  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])

  return {
    secondsLeft,
    begin: (ms) => {
      setNowMs(Date.now())
      setEndsAtMs(Date.now() + ms)
    },
  }
}
